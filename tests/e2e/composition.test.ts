import { expect, test } from 'vitest'
import { faultsOf } from './axe.ts'
import { workerReady } from './browser.ts'
import { goTo, setStage } from './stage.ts'

const stage = setStage()
const { open, keptStudent, answers } = stage

const CHAPTER = '/question/library_study/L_chinese_6/3/x'
const TEXT = `底气\n\n${'底气不是嗓门，是平时练出来的本领。'.repeat(43)}`

test('a composition is written on the whole screen without a network, survives the phone’s end, and is marked by its student', async () => {
  const { uid } = await keptStudent()
  await open(CHAPTER)
  await workerReady(stage.phone.page)
  const { page } = stage.phone
  await page.getByText('已写 0 字').first().waitFor()
  await stage.product.wire.set('down')
  expect(await faultsOf(page, 'composition')).toEqual([])
  await page.getByRole('button', { name: '全屏写作' }).click()
  const sheet = page.getByRole('dialog', { name: '全屏写作' })
  await sheet.getByRole('textbox').waitFor()
  await page.keyboard.insertText(TEXT)
  await sheet.getByText('已写 733 字').waitFor()
  await sheet.getByText('已达到要求').waitFor()
  await expect.poll(async () => JSON.stringify(await stage.savedBatch(page))).toContain('平时练出来的本领')
  // It fills what is seen of the window once it has risen, and nothing of it lies below.
  const seen = await page.evaluate(() => window.visualViewport?.height ?? 0)
  const box = await sheet.boundingBox()
  expect([box?.y, box?.height]).toEqual([0, seen])
  expect(await faultsOf(page, 'composition, whole screen')).toEqual([])
  // Back leaves the sheet, not the question.
  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('全屏写作')
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  await goTo(stage.phone.page, stage.product.url + CHAPTER)
  const again = stage.phone.page
  await again.getByText('已写 733 字').first().waitFor()
  expect(await again.getByRole('textbox', { name: '我的作文' }).inputValue()).toBe(TEXT)
  await again.getByRole('button', { name: '看评分标准和范文，给自己打分' }).click()
  await again.getByText('范文 783 字').click()
  await again.getByText(/赵括从小学习兵法/).waitFor()
  expect(await faultsOf(again, 'composition, model and standard')).toEqual([])
  await again.getByRole('checkbox', { name: /内容：切合题意/ }).click()
  await again.getByRole('button', { name: '完成自评' }).click()
  await again.getByText('自评 25/60 分').first().waitFor()
  await stage.phone.context.setOffline(false)
  await stage.product.wire.set('ok')
  await expect.poll(() => answers(uid), { timeout: 30_000 }).toEqual([{ question_no: 'chn_0047', times: 1, wrong: 1 }])
})
