import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { session } from '#src/session/session.ts'
import { putAway } from '#tests/support/notice.ts'
import { givePassword, readPicture } from '#tests/support/login.ts'
import { json, nobody, page } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

let mobiles = 13_500_000_000
const stage = setScreens()

const sent = (path: string) => stage.wire.sent.filter((each) => each.path === `/pcapi/${path}`)
/** In the form that was sent: what was typed stays before one's eyes. */
const toldInForm = async (text: string) =>
  await expect.poll(() => screen.queryAllByRole('alert').map(({ textContent }) => textContent)).toContain(text)
/** As what the server has answered: in the dialog of the specification, and in the form besides. */
const told = async (text: string) => {
  await putAway(text)
  await toldInForm(text)
}
async function loginDialog() {
  await stage.open('/')
  await userEvent.click(screen.getByRole('button', { name: '游客，点击登录' }))
  return within(await screen.findByRole('dialog', { name: '登录' }))
}
type Dialog = Awaited<ReturnType<typeof loginDialog>>
const agreement = (dialog: Dialog) =>
  dialog.getByRole<HTMLInputElement>('checkbox', { name: '我已阅读并同意《用户协议》《隐私政策》' })
/** Whoever has not ticked yet does so. */
async function submit(dialog: Dialog) {
  if (!agreement(dialog).checked) await userEvent.click(agreement(dialog))
  await userEvent.click(dialog.getByRole('button', { name: '登录' }))
}
async function codeLogin(mobile?: string) {
  const dialog = await loginDialog()
  if (mobile) await userEvent.type(dialog.getByLabelText('手机号'), mobile)
  return dialog
}
const byPassword = (dialog: Dialog) => userEvent.click(dialog.getByRole('tab', { name: '密码登录' }))
async function passwordLogin() {
  const dialog = await loginDialog()
  await byPassword(dialog)
  return dialog
}
const faultOf = (field: HTMLElement): string => {
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join('')
}
// That the page is then loaded anew is seen in a real browser (tests/e2e): jsdom cannot.
const loggedIn = async () => await expect.poll(session.loggedIn).toBe(true)
async function picture() {
  const dialog = within(await screen.findByRole('dialog', { name: '图形验证码' }))
  await dialog.findByRole('img', { name: '图形验证码' })
  return dialog
}
const letters = (image: Dialog): Promise<string> =>
  readPicture(stage.server.db, image.getByRole('img', { name: '图形验证码' }).getAttribute('src') ?? '')
async function sendCode(dialog: Dialog, mobile: string): Promise<void> {
  await userEvent.click(dialog.getByRole('button', { name: '发送验证码' }))
  const image = await picture()
  await userEvent.type(image.getByLabelText('请输入图中的字符'), await letters(image))
  await userEvent.click(image.getByRole('button', { name: '发送验证码' }))
  await expect.poll(() => stage.server.codes.has(mobile)).toBe(true)
  await expect.poll(() => screen.queryByRole('dialog', { name: '图形验证码' })).toBeNull()
  expect((await screen.findAllByText('验证码已发送到您的手机!')).length).toBeGreaterThan(0)
}

describe('what is checked before anything is sent', () => {
  test('account and password are required', async () => {
    const dialog = await passwordLogin()
    await submit(dialog)
    expect(faultOf(dialog.getByLabelText('手机号'))).toBe('请输入账号')
    await expect.poll(() => document.activeElement).toBe(dialog.getByLabelText('手机号'))
    expect(faultOf(dialog.getByLabelText('密码'))).toBe('请输入密码')
    await userEvent.type(dialog.getByLabelText('手机号'), '13800000001')
    await submit(dialog)
    await expect.poll(() => document.activeElement).toBe(dialog.getByLabelText('密码'))
    expect(faultOf(dialog.getByLabelText('手机号'))).toBe('')
    expect(faultOf(dialog.getByLabelText('密码'))).toBe('请输入密码')
    expect(sent('login/loginByPassword')).toEqual([])
  })
  test.each([['1380000000'], ['1380000000a'], ['138 0000 00']])('%s is no mobile', async (mobile) => {
    const dialog = await codeLogin(mobile)
    await submit(dialog)
    expect(faultOf(dialog.getByLabelText('手机号'))).toBe('请输入合法的手机号')
    expect(faultOf(dialog.getByLabelText('验证码'))).toBe('请输入验证码')
    expect(sent('login/mobileCodeLogin')).toEqual([])
  })
  test('the mobile is checked again before the picture', async () => {
    const dialog = await codeLogin('1380000')
    await userEvent.click(dialog.getByRole('button', { name: '发送验证码' }))
    await putAway('请输入合法的手机号~')
    expect(screen.queryByRole('dialog', { name: '图形验证码' })).toBeNull()
    expect(sent('login/getImgVerifyCode')).toEqual([])
  })
  test('the picture’s letters are required', async () => {
    const dialog = await codeLogin(String(++mobiles))
    await userEvent.click(dialog.getByRole('button', { name: '发送验证码' }))
    const image = await picture()
    await userEvent.type(image.getByLabelText('请输入图中的字符'), '  ')
    await userEvent.click(image.getByRole('button', { name: '发送验证码' }))
    expect(faultOf(image.getByLabelText('请输入图中的字符'))).toBe('请输入图形验证码')
    expect(sent('login/sendCode')).toEqual([])
  })
})

test('who does not log in sets how things look, too', async () => {
  const dialog = await loginDialog()
  await userEvent.click(dialog.getByRole('button', { name: '不登录也能做题 · 显示设置' }))
  const sizes = within(await dialog.findByRole('group', { name: '字号' }))
  await userEvent.click(sizes.getByRole('radio', { name: '特大' }))
  expect(document.documentElement.dataset.font).toBe('xl')
  const shuffled = dialog.getByRole('switch', { name: '选项乱序' })
  await userEvent.click(shuffled)
  expect(localStorage.getItem('jk-shuffle')).toBe('1')
  await userEvent.click(shuffled)
  expect(localStorage.getItem('jk-shuffle')).toBe('')
})

describe('用户协议 and 隐私政策', () => {
  test('are to be agreed to by the student, and the button says so until they are', async () => {
    const student = await stage.server.student()
    await givePassword(stage.server.db, student.uid, 'lijian2026')
    const dialog = await passwordLogin()
    await userEvent.type(dialog.getByLabelText('手机号'), student.mobile)
    await userEvent.type(dialog.getByLabelText('密码'), 'lijian2026')
    expect(agreement(dialog).checked).toBe(false)
    await userEvent.click(dialog.getByRole('button', { name: '登录' }))
    expect(dialog.getByRole('button', { name: '请先勾选同意' })).toBeTruthy()
    await expect.poll(() => document.activeElement).toBe(agreement(dialog))
    expect(agreement(dialog).getAttribute('aria-invalid')).toBe('true')
    expect(sent('login/loginByPassword')).toEqual([])
    await userEvent.keyboard(' ')
    await userEvent.click(dialog.getByRole('button', { name: '登录' }))
    await loggedIn()
    const { asks, log } = await stage.server.call(contract.consent.read, {}, session.get().token)
    expect(asks).toEqual([])
    expect(log.slice(0, 2).map(({ kind, version }) => [kind, version])).toEqual([
      ['privacy', 1],
      ['user', 1],
    ])
  })

  test('are ticked for both ways to log in, and opened beside what is typed', async () => {
    const dialog = await loginDialog()
    await userEvent.click(agreement(dialog))
    await byPassword(dialog)
    expect(agreement(dialog).checked).toBe(true)
    for (const [name, path] of [
      ['《用户协议》', '/agreement/user'],
      ['《隐私政策》', '/agreement/privacy'],
    ] as const) {
      const link = dialog.getByRole('link', { name })
      expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([path, '_blank'])
    }
  })
})

describe('logging in by password', () => {
  const withPassword = async (password: string) => {
    const student = await stage.server.student()
    await givePassword(stage.server.db, student.uid, password)
    return student
  }
  test('stores the token and whose device this is now', async () => {
    const student = await withPassword('lijian2026')
    const dialog = await passwordLogin()
    await userEvent.type(dialog.getByLabelText('手机号'), student.mobile)
    await userEvent.type(dialog.getByLabelText('密码'), 'lijian2026')
    await submit(dialog)
    await loggedIn()
    expect(session.owner()).toBe(`u:${student.uid}`)
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({ uid: student.uid })
  })
  test('Enter in a field is as good as the button', async () => {
    const dialog = await passwordLogin()
    await userEvent.type(dialog.getByLabelText('手机号'), '13800000001')
    await userEvent.click(agreement(dialog))
    await userEvent.type(dialog.getByLabelText('密码'), 'wrong{Enter}')
    await told('账号或密码不正确，请重新输入')
  })
  test('a wrong password is told in the server’s words, in the dialog of all failures and at the field, the fields stay, and nobody is logged in', async () => {
    const { mobile } = await withPassword('lijian2026')
    const dialog = await passwordLogin()
    await userEvent.type(dialog.getByLabelText('手机号'), mobile)
    await userEvent.type(dialog.getByLabelText('密码'), 'lijian2025')
    await submit(dialog)
    await told('账号或密码不正确，请重新输入')
    expect(dialog.getByLabelText<HTMLInputElement>('手机号').value).toBe(mobile)
    expect(dialog.getByLabelText<HTMLInputElement>('密码').value).toBe('lijian2025')
    expect(session.loggedIn()).toBe(false)
    // The keyboard stands where it is mended, and what was said of the other one goes with the first letter.
    await expect.poll(() => document.activeElement).toBe(dialog.getByLabelText('密码'))
    await userEvent.keyboard('6')
    expect(screen.queryByText('账号或密码不正确，请重新输入')).toBeNull()
  })
  test.each([
    ['without a network', nobody, '当前没有网络，这项操作需要联网后再试。', toldInForm],
    ['when the server has a fault', () => page(500), '服务器开小差了，稍后再试试!', told],
  ])('%s says so, and the button can be pressed again', async (_, fault, text, said) => {
    const dialog = await passwordLogin()
    await userEvent.type(dialog.getByLabelText('手机号'), '13800000001')
    await userEvent.type(dialog.getByLabelText('密码'), 'lijian2026')
    stage.wire.fault = fault
    await submit(dialog)
    await said(text)
    expect(screen.queryByRole('dialog', { name: '提示信息' })).toBeNull()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: '登录' }).disabled).toBe(false)
    await expect.poll(() => document.activeElement).toBe(dialog.getByRole('button', { name: '登录' }))
    expect(screen.queryByText('正在努力加载')).toBeNull()
    expect(sent('login/loginByPassword')).toHaveLength(1)
  })
  test('shows that it is working, and cannot be sent twice', async () => {
    const dialog = await passwordLogin()
    await userEvent.type(dialog.getByLabelText('手机号'), '13800000001')
    await userEvent.type(dialog.getByLabelText('密码'), 'lijian2026')
    let answer: (response: Response) => void = () => {}
    stage.wire.fault = ({ path }) =>
      path.endsWith('login/loginByPassword') ? new Promise((resolve) => (answer = resolve)) : null
    await submit(dialog)
    await screen.findByText('正在努力加载')
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: '登录' }).disabled).toBe(true)
    answer(page(500))
    await told('服务器开小差了，稍后再试试!')
    expect(screen.queryByText('正在努力加载')).toBeNull()
  })
})

describe('logging in by a code', () => {
  test('picture, message, code: an unknown mobile becomes an account', async () => {
    const mobile = String(++mobiles)
    const dialog = await codeLogin(mobile)
    await sendCode(dialog, mobile)
    expect(screen.queryByRole('dialog', { name: '图形验证码' })).toBeNull()
    await userEvent.type(dialog.getByLabelText('验证码'), stage.server.codes.get(mobile) ?? '')
    await submit(dialog)
    await loggedIn()
  })
  test('a wrong code is told, and the right one still works', async () => {
    const mobile = String(++mobiles)
    const dialog = await codeLogin(mobile)
    await sendCode(dialog, mobile)
    const code = stage.server.codes.get(mobile) ?? ''
    await userEvent.type(dialog.getByLabelText('验证码'), code === '000000' ? '000001' : '000000')
    await submit(dialog)
    await told('验证码不正确或已过期，请重新获取')
    await expect.poll(() => document.activeElement).toBe(dialog.getByLabelText('验证码'))
    await userEvent.clear(dialog.getByLabelText('验证码'))
    await userEvent.type(dialog.getByLabelText('验证码'), code)
    await submit(dialog)
    await loggedIn()
  })
  test('wrong letters bring another picture and no message; the picture itself can be changed by a tap', async () => {
    const mobile = String(++mobiles)
    const dialog = await codeLogin(mobile)
    await userEvent.click(dialog.getByRole('button', { name: '发送验证码' }))
    const image = await picture()
    const source = () => image.getByRole('img', { name: '图形验证码' }).getAttribute('src')
    const first = source()
    await userEvent.type(image.getByLabelText('请输入图中的字符'), '????')
    await userEvent.click(image.getByRole('button', { name: '发送验证码' }))
    await told('图形验证码不正确，请重新输入')
    await expect.poll(() => document.activeElement).toBe(image.getByLabelText('请输入图中的字符'))
    await expect.poll(source).not.toBe(first)
    expect(image.getByLabelText<HTMLInputElement>('请输入图中的字符').value).toBe('')
    const second = source()
    await userEvent.click(image.getByRole('button', { name: '换一张图形验证码' }))
    await expect.poll(source).not.toBe(second)
    expect(stage.server.codes.has(mobile)).toBe(false)
    expect(within(screen.getByRole('tabpanel')).queryByText(/秒后重发/)).toBeNull()
  })
  test('Escape leads from the picture back to the login, not out of it', async () => {
    const dialog = await codeLogin(String(++mobiles))
    await userEvent.click(dialog.getByRole('button', { name: '发送验证码' }))
    await picture()
    screen.getByRole('dialog', { name: '图形验证码' }).dispatchEvent(new Event('cancel', { cancelable: true }))
    await expect.poll(() => screen.queryByRole('dialog', { name: '图形验证码' })).toBeNull()
    expect(screen.getByRole('dialog', { name: '登录' })).toBeTruthy()
  })
  test('a picture that does not come says why, and can be asked for again', async () => {
    const dialog = await codeLogin(String(++mobiles))
    stage.wire.fault = nobody
    await userEvent.click(dialog.getByRole('button', { name: '发送验证码' }))
    await screen.findByText('重新获取')
    expect(screen.getByRole('alert').textContent).toContain('没有网络，图片没有加载出来')
    stage.wire.fault = ({ path }) =>
      path.endsWith('/getImgVerifyCode')
        ? json({ status: 0, msg: '获取图形验证码过于频繁，请稍后再试', data: null })
        : null
    await userEvent.click(screen.getByRole('button', { name: '换一张图形验证码' }))
    await expect.poll(() => screen.getByRole('alert').textContent).toBe('获取图形验证码过于频繁，请稍后再试')
    stage.wire.fault = null
    await userEvent.click(screen.getByRole('button', { name: '换一张图形验证码' }))
    await picture()
  })
})

describe('a login that was asked for at a closed door', () => {
  async function atTheDoor() {
    await stage.open('/user/my_note?q=%E5%8A%9B')
    const guard = within(await screen.findByRole('dialog', { name: '提示信息' }))
    await userEvent.click(guard.getByRole('button', { name: '去登录' }))
    return within(await screen.findByRole('dialog', { name: '登录' }))
  }
  const at = () => window.location.pathname + window.location.search
  test('by password opens what was wanted', async () => {
    const student = await stage.server.student()
    await givePassword(stage.server.db, student.uid, 'lijian2026')
    const dialog = await atTheDoor()
    await byPassword(dialog)
    expect(at()).toBe('/')
    await userEvent.type(dialog.getByLabelText('手机号'), student.mobile)
    await userEvent.type(dialog.getByLabelText('密码'), 'lijian2026')
    await submit(dialog)
    await loggedIn()
    expect(at()).toBe('/user/my_note?q=%E5%8A%9B')
  })
  test('by a code that makes the account opens it, too', async () => {
    const mobile = String(++mobiles)
    const dialog = await atTheDoor()
    await userEvent.type(dialog.getByLabelText('手机号'), mobile)
    await sendCode(dialog, mobile)
    await userEvent.type(dialog.getByLabelText('验证码'), stage.server.codes.get(mobile) ?? '')
    await submit(dialog)
    await loggedIn()
    expect(at()).toBe('/user/my_note?q=%E5%8A%9B')
  })
  test('and was given up leaves the next one where it is asked for', async () => {
    const student = await stage.server.student()
    await givePassword(stage.server.db, student.uid, 'lijian2026')
    const door = await atTheDoor()
    await userEvent.click(door.getByRole('button', { name: '关闭' }))
    await userEvent.click(screen.getByRole('button', { name: '游客，点击登录' }))
    const dialog = within(await screen.findByRole('dialog', { name: '登录' }))
    await byPassword(dialog)
    await userEvent.type(dialog.getByLabelText('手机号'), student.mobile)
    await userEvent.type(dialog.getByLabelText('密码'), 'lijian2026')
    await submit(dialog)
    await loggedIn()
    expect(at()).toBe('/')
  })
})

describe('the 60 seconds between two codes', () => {
  const again = () => screen.getByRole<HTMLButtonElement>('button', { name: /^\d+秒后重发$|^发送验证码$/ })
  test('count down, survive closing the dialog and loading the page anew, and end', async () => {
    const mobile = String(++mobiles)
    const dialog = await codeLogin(mobile)
    await sendCode(dialog, mobile)
    expect(again().disabled).toBe(true)
    expect(Number.parseInt(again().textContent, 10)).toBeLessThanOrEqual(60)
    await userEvent.click(dialog.getByRole('button', { name: '关闭' }))
    stage.close()
    await codeLogin(mobile)
    expect(again().textContent).toMatch(/^\d+秒后重发$/)
    expect(again().disabled).toBe(true)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    await expect.poll(() => again().textContent).toBe('发送验证码')
    expect(again().disabled).toBe(false)
  })
  test('do not begin when no code was sent', async () => {
    const dialog = await codeLogin(String(++mobiles))
    await userEvent.click(dialog.getByRole('button', { name: '发送验证码' }))
    const image = await picture()
    await userEvent.type(image.getByLabelText('请输入图中的字符'), '????')
    await userEvent.click(image.getByRole('button', { name: '发送验证码' }))
    await told('图形验证码不正确，请重新输入')
    await expect.poll(() => document.activeElement).toBe(image.getByLabelText('请输入图中的字符'))
    await userEvent.click(image.getByRole('button', { name: '关闭' }))
    expect(again().disabled).toBe(false)
  })
  test('never last longer than 60 seconds, even when the clock was set back', async () => {
    sessionStorage.setItem('jk-sms-until', String(Date.now() + 10 * 3_600_000))
    await codeLogin('13800000001')
    expect(again().textContent).toBe('60秒后重发')
  })
})

test('the dialog is 400 px wide, closes by its button and by Escape, and the page behind is as it was', async () => {
  const dialog = await loginDialog()
  const element = screen.getByRole('dialog', { name: '登录' })
  expect(element.style.getPropertyValue('--dialog-width')).toBe('400px')
  expect(dialog.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['验证码登录', '密码登录'])
  element.dispatchEvent(new Event('cancel', { cancelable: true }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '游客，点击登录' }))
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: '登录' })).getByRole('button', { name: '关闭' }),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(window.location.pathname).toBe('/')
})

test('who is new is told that the code makes the account, and a mobile that was typed stands in both forms', async () => {
  const dialog = await codeLogin('138 1234-5678')
  expect(dialog.getByText('未注册的手机号验证后自动注册')).toBeTruthy()
  await byPassword(dialog)
  expect(dialog.getByLabelText<HTMLInputElement>('手机号').value).toBe('13812345678')
})

test('a forgotten password leads to the code, which says where to set another; the keyboard goes along', async () => {
  const dialog = await passwordLogin()
  await userEvent.click(dialog.getByRole('button', { name: '忘记密码？' }))
  const tab = dialog.getByRole('tab', { name: '验证码登录' })
  expect([tab.getAttribute('aria-selected'), document.activeElement]).toEqual(['true', tab])
  expect(dialog.getByRole('status').textContent).toContain('“登录密码”里，用短信验证码设置新密码')
})
