import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { rowsOf, workerReady } from './browser.ts'
import { more } from './more.ts'
import { reload, setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, stem, choose, student, keptStudent, markSays, signIn } = stage

const sheet = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
async function writeNote(page: Page, text: string): Promise<void> {
  await more(page, /^笔记/)
  const note = sheet(page, '笔记')
  await note.getByRole('textbox', { name: '我的笔记' }).fill(text)
  await note.getByRole('button', { name: '保存' }).click()
  await note.waitFor({ state: 'detached' })
}
async function openedChapter(): Promise<void> {
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await workerReady(stage.phone.page)
  await stage.phone.page.getByRole('button', { name: /^更多/ }).waitFor()
}

/** As the server has them. */
async function notesOf(uid: string): Promise<string[]> {
  const [row] = await stage.product.sql<{ body: { notes?: { text: string }[] } }>(
    `select body from study_record where uid = $1 and kind = 'state' and id = 'E2E_q1'`,
    [uid],
  )
  return (row?.body.notes ?? []).map(({ text }) => text)
}

test('without a network a question is collected and noted and an answer taken back, the phone dies, and all of it is there', async () => {
  const { uid } = await keptStudent()
  await openedChapter()
  await stage.product.wire.set('down')
  const { page } = stage.phone
  await choose(page, 'A')
  await page.getByText('回答错误').first().waitFor()
  await more(page, '撤销上一次作答')
  await page.getByText('回答错误').first().waitFor({ state: 'detached' })
  await more(page, '收藏')
  await page.getByRole('button', { name: '选收藏夹' }).click()
  const folders = sheet(page, '收藏夹')
  await folders.getByRole('textbox', { name: '新收藏夹' }).fill('易错')
  await folders.getByRole('button', { name: '新建' }).click()
  await folders.waitFor({ state: 'detached' })
  await writeNote(page, '注意进位')
  await stage.phone.kill()
  await stage.phone.reopen({ offline: true })
  await open(STUDY)
  const again = stage.phone.page
  await again.getByRole('button', { name: '更多，已收藏，有笔记' }).waitFor()
  expect(await again.getByRole('radio', { name: /^A．/ }).isChecked()).toBe(true)
  expect(await again.getByText('回答错误').count()).toBe(0)
  // Deep links, cold, without a network.
  await open('/user/my_collect')
  await again.getByRole('button', { name: '易错 1' }).click()
  await again.getByRole('button', { name: /第1章第1题：/ }).waitFor()
  await open('/question/library_collect_study/all/收藏/E2E_q1')
  await stem(again, 1).waitFor()
  await open('/user/my_note')
  await again.getByText('注意进位').waitFor()
  const [file] = await Promise.all([
    again.waitForEvent('download'),
    again.getByRole('button', { name: '导出' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^笔记-\d{4}-\d{2}-\d{2}\.md$/)
  await stage.product.wire.set('ok')
  await stage.phone.context.setOffline(false)
  await markSays(again, /已同步/)
  const [row] = await stage.product.sql<{ body: { times: number; notes: { text: string }[]; collected: unknown[] } }>(
    `select body from study_record where uid = $1 and kind = 'state' and id = 'E2E_q1'`,
    [uid],
  )
  expect(row?.body).toMatchObject({ times: 0, notes: [{ text: '注意进位' }] })
  expect(row?.body.collected).toHaveLength(1)
})

test('two phones write a note on one question without a network: both texts are kept, and become one where the student says so', async () => {
  const { mobile, uid } = await student()
  await openedChapter()
  const other = await stage.anotherPhone()
  try {
    const second = other.page
    await signIn(second, mobile)
    await second.goto(stage.product.url + STUDY)
    await stem(second, 1).waitFor()
    await second.getByRole('button', { name: '更多', exact: true }).waitFor()
    await workerReady(second)
    await stage.product.wire.set('down')
    const { page } = stage.phone
    await writeNote(page, '这台写的')
    await writeNote(second, '那台写的')
    await stage.product.wire.set('ok')
    for (const each of [page, second]) await each.reload()
    await expect.poll(() => notesOf(uid), { timeout: 20_000 }).toEqual(['这台写的', '那台写的'])
    await second.reload()
    // The page shows its own note before it has heard of the other one.
    await expect
      .poll(async () => JSON.stringify(await rowsOf(second, 'jk-outbox', 'states')), { timeout: 30_000 })
      .toContain('这台写的')
    await more(second, '笔记，本题有笔记')
    const note = sheet(second, '笔记')
    await note.getByRole('region', { name: '另一台设备写的笔记' }).getByText('这台写的').waitFor()
    expect(await note.getByRole('textbox', { name: '我的笔记' }).inputValue()).toBe('那台写的')
    await note.getByRole('button', { name: '并入' }).click()
    await note.getByRole('button', { name: '保存' }).click()
    await note.waitFor({ state: 'detached' })
    await expect.poll(() => notesOf(uid), { timeout: 20_000 }).toEqual(['那台写的\n\n这台写的'])
    await reload(page)
    await expect
      .poll(async () => JSON.stringify(await rowsOf(page, 'jk-outbox', 'states')), { timeout: 30_000 })
      .toContain(String.raw`那台写的\n\n这台写的`)
    await more(page, '笔记，本题有笔记')
    const merged = sheet(page, '笔记').getByRole('textbox', { name: '我的笔记' })
    await expect.poll(() => merged.inputValue()).toBe('那台写的\n\n这台写的')
  } finally {
    await other.close()
  }
})

test('a notice stands above the bar at the bottom and not over the question; on other pages above the tabs', async () => {
  await keptStudent()
  const { page } = stage.phone
  await page.setViewportSize({ width: 360, height: 740 })
  await openedChapter()
  const boxOf = async (at: Locator) => {
    const box = await at.boundingBox()
    if (!box) throw new Error('nothing is shown there')
    return { top: box.y, bottom: box.y + box.height }
  }
  const bottom = (at: Locator) => boxOf(at).then((box) => box.bottom)
  await more(page, '收藏')
  const notice = page.locator('p').filter({ has: page.getByRole('button', { name: '选收藏夹' }) })
  await notice.waitFor()
  const bar = await boxOf(page.getByRole('navigation', { name: '题目导航' }))
  await expect.poll(() => bottom(notice)).toBeLessThanOrEqual(bar.top)
  expect((await boxOf(notice)).top).toBeGreaterThan((await boxOf(stem(page, 1))).bottom)
  expect(bar.top - (await bottom(notice))).toBeLessThan(30)

  await open('/user/my_userinfo')
  await page.getByRole('button', { name: '保存计划' }).click()
  const tabs = await boxOf(page.getByRole('navigation', { name: '底部导航' }))
  const saved = page.getByText('学习计划已保存')
  await saved.waitFor()
  const gap = tabs.top - (await bottom(saved))
  expect(gap).toBeGreaterThan(0)
  expect(gap).toBeLessThan(30)
})
