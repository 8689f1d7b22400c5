import { TAB_KEYS } from '#src/device/keys.ts'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { session } from '#src/session/session.ts'
import { tabMemory } from '#src/device/stores.ts'
import { putAway } from '#tests/support/notice.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { givePassword } from '#tests/support/login.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const OLD = 'the old password'
const NEW = 'the new password'

const stage = setScreens()

/** 我的资料 of a student whose userinfo has come. */
async function openAccount(password?: string) {
  const student = await stage.server.student()
  if (password) await givePassword(stage.server.db, student.uid, password)
  prepareDevice(student)
  await stage.open('/user/my_userinfo')
  const masked = `${student.mobile.slice(0, 3)}****${student.mobile.slice(7)}`
  await screen.findAllByText(masked)
  return { ...student, masked }
}
const open = async (button: string, dialog: string) => {
  await userEvent.click(screen.getByRole('button', { name: button }))
  return within(await screen.findByRole('dialog', { name: dialog }))
}
async function openPassword(password?: string) {
  const student = await openAccount(password)
  await open('修改密码', '修改密码')
  return student
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const save = () => userEvent.click(screen.getAllByRole('button', { name: '保存' }).at(-1) ?? document.body)
// The notice of an earlier test may still stand: that it was saved is told by the dialog, which closes.
const saved = async (dialog = '修改密码', notice = '保存成功') => {
  await expect.poll(() => screen.queryByRole('dialog', { name: dialog })).toBeNull()
  expect((await screen.findAllByText(notice)).length).toBeGreaterThan(0)
}
const sentTo = (path: string) =>
  stage.wire.sent.filter((each) => each.path === `/pcapi/${path}`).map(({ body }) => body)
const sent = () => sentTo('user/save')
/** Reads the picture, and has the code sent. */
async function sendCode(mobile: string, button = screen.getByRole('button', { name: '发送验证码' })) {
  await userEvent.click(button)
  const image = within(await screen.findByRole('dialog', { name: '图形验证码' }))
  await image.findByRole('img', { name: '图形验证码' })
  const row = stage.server.db.selectFrom('image_code').select('code').where('mobile', '=', mobile)
  await userEvent.type(image.getByLabelText('请输入图中的字符'), (await row.executeTakeFirstOrThrow()).code)
  await userEvent.click(image.getByRole('button', { name: '发送验证码' }))
  await expect.poll(() => stage.server.codes.has(mobile)).toBe(true)
  await expect.poll(() => screen.queryByRole('dialog', { name: '图形验证码' })).toBeNull()
  return stage.server.codes.get(mobile) ?? ''
}
const faultOf = (label: string): string => {
  const ids = field(label).getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join('')
}
const canLogIn = async (mobile: string, password: string): Promise<boolean> =>
  (await stage.server.ask(contract.login.loginByPassword, { mobile, password })).status === 1

describe('登录密码', () => {
  test('the old password and a new one of 8 characters are required before anything is sent', async () => {
    await openPassword(OLD)
    await userEvent.type(field('新密码'), 'short')
    await save()
    expect([faultOf('原密码'), faultOf('新密码')]).toEqual(['请输入原密码', '密码至少8位'])
    await userEvent.click(screen.getByRole('tab', { name: '用短信验证码' }))
    await save()
    expect([faultOf('验证码'), faultOf('新密码')]).toEqual(['请输入验证码', '密码至少8位'])
    expect(sent()).toEqual([])
  })

  test('one that many people have is refused before anything is sent', async () => {
    await openPassword(OLD)
    await import('virtual:passwords')
    await userEvent.type(field('原密码'), OLD)
    await userEvent.type(field('新密码'), 'Password1')
    await save()
    expect(faultOf('新密码')).toBe('这个密码太常见，容易被人猜中，请换一个')
    expect(sent()).toEqual([])
  })

  test('is changed with the old one', async () => {
    const { mobile } = await openPassword(OLD)
    await userEvent.type(field('原密码'), OLD)
    await userEvent.type(field('新密码'), NEW)
    await save()
    await saved()
    expect(sent()).toMatchObject([{ password: NEW, oldPassword: OLD }])
    expect(sent()[0]).not.toHaveProperty('code')
    expect(await canLogIn(mobile, NEW)).toBe(true)
  })

  test('a wrong old one is told in the server’s words, and what was typed stays', async () => {
    const { mobile } = await openPassword(OLD)
    await userEvent.type(field('原密码'), 'not this one')
    await userEvent.type(field('新密码'), NEW)
    await save()
    await putAway('原密码不正确，请重新输入，或用短信验证码验证')
    expect(screen.getByRole('alert').textContent).toBe('原密码不正确，请重新输入，或用短信验证码验证')
    expect([field('新密码').value, field('原密码').value]).toEqual([NEW, 'not this one'])
    await expect.poll(() => document.activeElement).toBe(field('原密码'))
    expect(await canLogIn(mobile, OLD)).toBe(true)
  })

  test('is set for the first time with a code that goes to the account’s mobile', async () => {
    const { mobile, masked } = await openPassword()
    await userEvent.click(screen.getByRole('tab', { name: '用短信验证码' }))
    expect(screen.getByText(`验证码将发送到 ${masked}`)).toBeTruthy()
    const code = await sendCode(mobile)
    expect(sent()).toEqual([])
    await userEvent.type(field('验证码'), code)
    await userEvent.type(field('新密码'), NEW)
    await save()
    await saved()
    expect(sent()[0]).not.toHaveProperty('oldPassword')
    expect(await canLogIn(mobile, NEW)).toBe(true)
  })
})

describe('更换手机号', () => {
  const FRESH = '13712340001'
  const send = () => {
    const buttons = screen.getAllByRole('button', { name: /发送验证码|后重发/ })
    return buttons.at(-1) ?? document.body
  }

  test('what is missing is told at its field, before anything is sent', async () => {
    await openAccount(OLD)
    const dialog = await open('更换手机号', '更换手机号')
    await userEvent.type(field('新手机号'), '123')
    await userEvent.click(dialog.getByRole('button', { name: '更换手机号' }))
    expect([faultOf('原密码'), faultOf('新手机号'), faultOf('新手机号的验证码')]).toEqual([
      '请输入原密码',
      '请输入合法的手机号',
      '请输入验证码',
    ])
    await userEvent.click(send())
    expect(await screen.findByText('请输入合法的手机号~')).toBeTruthy()
    expect(sentTo('user/changeMobile')).toEqual([])
  })

  test('with the password and a code sent to the new one; it is shown at once, and the count to the next code outlives a reload', async () => {
    const { mobile, uid } = await openAccount(OLD)
    await open('更换手机号', '更换手机号')
    await userEvent.type(field('原密码'), OLD)
    await userEvent.type(field('新手机号'), '137 1234-0001')
    await userEvent.type(field('新手机号的验证码'), await sendCode(FRESH, send()))
    expect(send().textContent).toMatch(/^\d+秒后重发$/)
    expect(tabMemory.get(TAB_KEYS.smsUntil)).toBeNull()
    await stage.open('/user/my_userinfo')
    await open('更换手机号', '更换手机号')
    expect(send().textContent).toMatch(/^\d+秒后重发$/)
    await userEvent.type(field('原密码'), OLD)
    await userEvent.type(field('新手机号'), FRESH)
    await userEvent.type(field('新手机号的验证码'), stage.server.codes.get(FRESH) ?? '')
    await userEvent.click(screen.getAllByRole('button', { name: '更换手机号' }).at(-1) ?? document.body)
    await saved('更换手机号', '手机号已更换')
    expect((await screen.findAllByText('137****0001')).length).toBeGreaterThan(0)
    expect([await canLogIn(mobile, OLD), await canLogIn(FRESH, OLD)]).toEqual([false, true])
    expect(session.get().uid).toBe(uid)
  })
})

describe('登录设备', () => {
  test('this one is marked; another is signed out after a question, then all others', async () => {
    const { mobile } = await openAccount()
    const others = [await stage.server.student(mobile), await stage.server.student(mobile)]
    await stage.server.db
      .updateTable('session')
      .set({ device: 'Windows 电脑 · Edge' })
      .where('uid', '=', others[0]?.uid ?? '')
      .execute()
    const dialog = await open('查看登录设备', '登录设备')
    const rows = await dialog.findAllByRole('listitem')
    expect(rows).toHaveLength(3)
    expect(within(rows[0] ?? document.body).getByText('当前设备')).toBeTruthy()
    expect(within(rows[0] ?? document.body).queryByRole('button')).toBeNull()
    await userEvent.click(within(rows[1] ?? document.body).getByRole('button', { name: '退出 Windows 电脑 · Edge' }))
    const sure = within(await screen.findByRole('dialog', { name: '退出其他设备' }))
    await userEvent.click(sure.getByRole('button', { name: '退出' }))
    await expect.poll(() => dialog.getAllByRole('listitem').length).toBe(2)
    await userEvent.click(dialog.getByRole('button', { name: '退出其他全部设备' }))
    const all = within(await screen.findByRole('dialog', { name: '退出其他设备' }))
    await userEvent.click(all.getByRole('button', { name: '退出' }))
    await expect.poll(() => dialog.getAllByRole('listitem').length).toBe(1)
    expect(dialog.queryByRole('button', { name: '退出其他全部设备' })).toBeNull()
    for (const { token } of others)
      expect(await stage.server.ask(contract.user.getUserInfo, {}, token)).toMatchObject({ status: 2 })
  })

  test('without a network it says what it needs', async () => {
    await openAccount()
    stage.wire.fault = nobody
    const dialog = await open('查看登录设备', '登录设备')
    expect(await dialog.findByText('没有网络，联网后可查看登录设备')).toBeTruthy()
  })
})

describe('注销账号', () => {
  test('says what goes and what stays; without the word and a proof nothing is sent', async () => {
    await openAccount(OLD)
    const dialog = await open('注销账号', '注销账号')
    expect(await dialog.findByText('注销后立即删除，无法恢复')).toBeTruthy()
    expect(dialog.getByText(/《电子商务法》/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '注销账号' }))
    expect([faultOf('原密码'), faultOf('输入“注销”确认')]).toEqual(['请输入原密码', '请输入“注销”两个字'])
    expect(sentTo('user/close')).toEqual([])
  })

  test('a wrong proof closes nothing', async () => {
    const { mobile } = await openAccount(OLD)
    const dialog = await open('注销账号', '注销账号')
    await userEvent.type(await dialog.findByLabelText('原密码'), 'not this one')
    await userEvent.type(field('输入“注销”确认'), ' 注销 ')
    await userEvent.click(dialog.getByRole('button', { name: '注销账号' }))
    await putAway('原密码不正确，请重新输入，或用短信验证码验证')
    expect(screen.getByRole('alert').textContent).toBe('原密码不正确，请重新输入，或用短信验证码验证')
    await expect.poll(() => document.activeElement).toBe(field('原密码'))
    expect(sentTo('user/close')).toMatchObject([{ word: '注销' }])
    expect(await canLogIn(mobile, OLD)).toBe(true)
  })

  test('without a network it says what it needs', async () => {
    await openAccount()
    stage.wire.fault = nobody
    const dialog = await open('注销账号', '注销账号')
    expect(await dialog.findByText('没有网络，联网后才能注销账号')).toBeTruthy()
  })
})

test('the nickname is saved by itself', async () => {
  await openAccount(OLD)
  await userEvent.clear(field('昵称'))
  await userEvent.type(field('昵称'), '战狼{Enter}')
  await expect.poll(sent).toMatchObject([{ nickname: '战狼' }])
  expect(sent()[0]).not.toHaveProperty('password')
})
