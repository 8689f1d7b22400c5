import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { session } from '#src/session/session.ts'
import { putInForce } from '#server/agreement/publish.ts'
import { setScreens } from '#tests/support/screens.ts'
import { nobody } from '#tests/support/wire.ts'

const stage = setScreens()
type Student = Awaited<ReturnType<typeof stage.server.student>>
let student: Student

beforeEach(async () => {
  student = await stage.server.student()
  session.login(student.token, student.uid)
})
afterEach(() => session.logout())

let edition = 0
/** 用户协议 in its next version. */
const change = async (): Promise<number> => {
  const source = { title: '用户协议', html: `<p>${++edition}</p>` }
  const changes = `增加了第 ${edition} 条`
  return (await putInForce(stage.server.db, { kind: 'user', source, changes }, stage.server.clock.now)) ?? 0
}
const consents = () => stage.server.call(contract.consent.read, {}, student.token)
const asked = () => screen.findByRole('dialog', { name: '协议有更新' })
const isAsked = () => screen.queryByRole('dialog', { name: '协议有更新' }) !== null
const sent = (path: string) => stage.wire.sent.filter((each) => each.path === `/pcapi/consent/${path}`).length

describe('a new version of an agreement', () => {
  test('is told with its changes, and agreed to once', async () => {
    const version = await change()
    await stage.open('/')
    const dialog = within(await asked())
    expect(dialog.getByText(`增加了第 ${edition} 条`)).toBeTruthy()
    expect(dialog.getByRole('link', { name: `《用户协议》第 ${version} 版` }).getAttribute('target')).toBe('_blank')
    expect(dialog.queryByText(/隐私政策/)).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: '同意' }))
    await expect.poll(isAsked).toBe(false)
    expect((await consents()).asks).toEqual([])
    await stage.open('/')
    await expect.poll(() => sent('read')).toBe(2)
    expect(isAsked()).toBe(false)
  })

  test('may be declined: the student is logged out, and what they declined is written down', async () => {
    const version = await change()
    await stage.open('/')
    await userEvent.click(within(await asked()).getByRole('button', { name: '不同意，退出登录' }))
    await expect.poll(session.loggedIn).toBe(false)
    const rows = stage.server.db
      .selectFrom('consent')
      .select(['kind', 'version', 'given'])
      .where('uid', '=', student.uid)
    expect(await rows.orderBy('id', 'desc').executeTakeFirst()).toEqual({ kind: 'user', version, given: false })
  })

  test('that is put off is asked about on the next page, and never while one studies or reads it', async () => {
    await change()
    await stage.open('/agreement/user')
    await screen.findByRole('heading', { name: '用户协议', level: 1 })
    await stage.open('/today')
    await screen.findByRole('heading', { level: 1 })
    expect(sent('read')).toBe(0)
    await stage.open('/')
    await userEvent.click(within(await asked()).getByRole('button', { name: '关闭' }))
    await expect.poll(isAsked).toBe(false)
    expect(session.loggedIn()).toBe(true)
    await stage.open('/')
    await asked()
    expect(sent('answer')).toBe(0)
  })

  test('is not asked of a visitor, who has no account', async () => {
    await change()
    session.logout()
    await stage.open('/')
    await screen.findByRole('button', { name: '游客，点击登录' })
    expect(sent('read')).toBe(0)
  })
})

describe('协议与授权 in 我的资料', () => {
  const section = async () => within(await screen.findByRole('region', { name: '协议与授权' }))

  test('has what was agreed to and when, a switch for each choice, and all of it as a list', async () => {
    stage.server.clock.now = Date.UTC(2026, 10, 21, 4)
    await stage.open('/user/my_userinfo')
    const part = await section()
    expect(await part.findAllByText(/^2026年11月21日同意第 \d+ 版$/)).toHaveLength(2)
    const named = await part.findByRole<HTMLInputElement>('switch', { name: '在考试排名里显示昵称' })
    expect(named.checked).toBe(false)
    expect(part.getByRole<HTMLInputElement>('switch', { name: '推送提醒' }).checked).toBe(false)
    await userEvent.click(named)
    await expect.poll(async () => (await consents()).on).toEqual(['rankName'])
    await userEvent.click(named)
    await expect.poll(async () => (await consents()).on).toEqual([])
    await expect
      .poll(() => part.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent))
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/撤回在考试排名里显示昵称$/),
          expect.stringMatching(/同意在考试排名里显示昵称$/),
          expect.stringMatching(/同意隐私政策第 \d+ 版$/),
        ]),
      )
  })

  test('takes back messages for every device', async () => {
    const browser = {
      endpoint: 'https://fcm.googleapis.com/fcm/send/x',
      p256dh: `B${'A'.repeat(86)}`,
      auth: 'A'.repeat(22),
    }
    await stage.server.call(contract.reminder.subscribe, browser, student.token)
    await stage.open('/user/my_userinfo')
    const push = await (await section()).findByRole<HTMLInputElement>('switch', { name: '推送提醒' })
    expect(push.checked).toBe(true)
    await userEvent.click(push)
    const reminded = async () => (await stage.server.call(contract.reminder.state, {}, student.token)).devices
    await expect.poll(reminded).toEqual([])
    expect(push.checked).toBe(false)
  })

  test('says that it needs a network where there is none', async () => {
    stage.wire.fault = nobody
    await stage.open('/user/my_userinfo')
    const part = await section()
    await part.findByText('当前没有网络，这项操作需要联网后再试。')
    expect(part.queryByRole('switch')).toBeNull()
  })
})
