import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hashPassword } from '#server/login/argon2.ts'
import { rowsOf, workerReady } from './browser.ts'
import { OTHER, setStage, STUDY } from './stage.ts'

const stage = setStage()
const { open, logIn, laterOn, solve, student, answers, uidOf, markSays, signIn } = stage

const PASSWORD = 'lijian2026'
const STORES = ['ops', 'dead', 'receipts', 'states', 'sums', 'things', 'drafts']

test('an account closed on one phone: nothing of the student is left there, another phone keeps what it has and gives it to nobody', async () => {
  const { page, context } = stage.phone
  const { mobile, uid } = await student()
  await stage.product.sql('update student set password = $1 where uid = $2', [await hashPassword(PASSWORD), uid])
  await open(STUDY)
  await solve(page)
  await markSays(page, /已同步/)

  const other = await stage.anotherPhone()
  try {
    await signIn(other.page, mobile)
    await other.page.goto(stage.product.url + OTHER)
    await other.page.getByText('第2章第1题：').waitFor()
    await other.context.setOffline(true)
    await solve(other.page)

    await open('/user/my_userinfo')
    await workerReady(page)
    await context.setOffline(true)
    await page.getByRole('button', { name: '导出我的数据' }).click()
    const exporting = page.getByRole('dialog', { name: '导出我的数据' })
    await exporting.getByRole('radio', { name: /^作答/ }).check()
    await exporting.getByRole('button', { name: '生成文件' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      exporting.getByRole('button', { name: '保存文件' }).click(),
    ])
    expect(saved.suggestedFilename()).toMatch(/^作答-[\d-]+\.csv$/)
    const lines = readFileSync(await saved.path(), 'utf8').split('\r\n')
    expect(lines.slice(1)).toEqual([expect.stringContaining(',单选题,'), ''])
    await exporting.getByRole('button', { name: '关闭' }).click()
    await page.getByRole('button', { name: '查看登录设备' }).click()
    await page.getByText('没有网络，这项操作需要联网').waitFor()
    await page.getByRole('button', { name: '知道了' }).click()
    await context.setOffline(false)
    await page.getByRole('button', { name: '查看登录设备' }).click()
    const devices = page.getByRole('dialog', { name: '登录设备' })
    await devices.getByRole('button', { name: '退出其他全部设备' }).waitFor()
    expect(await devices.getByText('当前设备', { exact: true }).count()).toBe(1)
    await devices.getByRole('button', { name: '关闭' }).click()

    await page.getByRole('button', { name: '注销账号' }).click()
    const closing = page.getByRole('dialog', { name: '注销账号' })
    await closing.getByRole('textbox', { name: '原密码' }).fill(PASSWORD)
    await closing.getByLabel('输入“注销”确认').fill('注销')
    await closing.getByRole('button', { name: '注销账号' }).click()
    await page.getByText('你在这台设备上的记录也已删除').waitFor()
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: '知道了' }).click()])
    await page.getByRole('button', { name: /^游客/ }).waitFor()
    for (const store of STORES) expect([store, await rowsOf(page, 'jk-outbox', store)]).toEqual([store, []])
    const names = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    await expect.poll(names).not.toContain(`jk-cache:u:${uid}`)
    expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain(uid)
    expect(await uidOf(mobile)).toBe('')

    await other.context.setOffline(false)
    const told = other.page.getByRole('dialog', { name: '提示信息' })
    await told.getByText('登录已在其他设备上被退出').waitFor()
    expect(await other.page.getByText('第2章第1题：').count()).toBe(0)
    expect(await other.page.evaluate(() => localStorage.getItem('jk-view') ?? '')).not.toContain('第2章第1题')
    await laterOn(other.page)
    await told.getByRole('button', { name: '重新登录' }).click()
    await logIn(other.page, mobile, { asked: true })
    await markSays(other.page, /已同步/)
    expect(await answers(await uidOf(mobile))).toEqual([])
    expect(await rowsOf(other.page, 'jk-outbox', 'ops')).toMatchObject([{ owner: `u:${uid}`, acked: 0 }])
  } finally {
    await other.close()
  }
})

test('a login that was ended on another phone shows nothing any more, and what waited there is sent after the next login', async () => {
  const { page, context } = stage.phone
  const { mobile, uid } = await student()
  await open(STUDY)
  await solve(page)
  await markSays(page, /已同步/)
  await open(OTHER)
  await page.getByText('第2章第1题：').waitFor()
  await context.setOffline(true)
  await solve(page)

  const other = await stage.anotherPhone()
  try {
    await signIn(other.page, mobile)
    await other.page.goto(`${stage.product.url}/user/my_userinfo`)
    await other.page.getByRole('button', { name: '查看登录设备' }).click()
    const devices = other.page.getByRole('dialog', { name: '登录设备' })
    await devices.getByRole('button', { name: '退出其他全部设备' }).click()
    await other.page
      .getByRole('dialog', { name: '退出其他设备' })
      .getByRole('button', { name: '退出', exact: true })
      .click()
    await expect
      .poll(async () => (await stage.product.sql('select 1 from session where uid = $1', [uid])).length)
      .toBe(1)
  } finally {
    await other.close()
  }

  await context.setOffline(false)
  const told = page.getByRole('dialog', { name: '提示信息' })
  await told.getByText('登录已在其他设备上被退出').waitFor()
  await told.getByRole('button', { name: '知道了' }).click()
  await page.getByRole('button', { name: /^游客/ }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('jk-view') ?? '')).not.toContain('第2章第1题')
  expect(await rowsOf(page, 'jk-outbox', 'ops')).toMatchObject([{ owner: `u:${uid}` }])
  await laterOn(page)
  await open('/')
  await logIn(page, mobile)
  await markSays(page, /已同步/)
  await expect.poll(async () => (await answers(uid)).length).toBe(2)
})
