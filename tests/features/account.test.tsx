import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { openApp, prepareDevice } from '#tests/support/app.tsx'
import { givePassword } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, type Wire } from '#tests/support/wire.ts'

const OLD = 'the old password'
const NEW = 'the new password'

let server: TestServer
let wire: Wire
let app: Awaited<ReturnType<typeof openApp>> | null = null
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(() => {
  wire = connect(server)
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.restoreAllMocks()
})

/** 我的资料 of a student whose userinfo has come. */
async function openAccount(password?: string) {
  const student = await server.student()
  if (password) await givePassword(server.db, student.uid, password)
  prepareDevice(student)
  app = await openApp('/user/my_userinfo')
  const masked = `${student.mobile.slice(0, 3)}****${student.mobile.slice(7)}`
  await screen.findAllByText(masked)
  return { ...student, masked }
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const save = () => userEvent.click(screen.getAllByRole('button', { name: '保存' }).at(-1) ?? document.body)
// The notice of an earlier test may still stand: what was saved is told by the field that it leaves empty.
const saved = async () => {
  await expect.poll(() => field('新密码').value).toBe('')
  expect(screen.getAllByText('保存成功').length).toBeGreaterThan(0)
}
const sent = () => wire.sent.filter((each) => each.path === '/pcapi/user/save').map(({ body }) => body)
const faultOf = (label: string): string => {
  const ids = field(label).getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join('')
}
const canLogIn = async (mobile: string, password: string): Promise<boolean> =>
  (await server.ask(contract.login.loginByPassword, { mobile, password })).status === 1

describe('登录密码', () => {
  test('the old password and a new one of 8 characters are required before anything is sent', async () => {
    await openAccount(OLD)
    await userEvent.type(field('新密码'), 'short')
    await save()
    expect([faultOf('原密码'), faultOf('新密码')]).toEqual(['请输入原密码', '密码至少8位'])
    await userEvent.click(screen.getByRole('tab', { name: '用短信验证码验证' }))
    await save()
    expect([faultOf('验证码'), faultOf('新密码')]).toEqual(['请输入验证码', '密码至少8位'])
    expect(sent()).toEqual([])
  })

  test('is changed with the old one, and the fields are empty afterwards', async () => {
    const { mobile } = await openAccount(OLD)
    await userEvent.type(field('原密码'), OLD)
    await userEvent.type(field('新密码'), NEW)
    await save()
    await saved()
    expect(field('原密码').value).toBe('')
    expect(sent()).toMatchObject([{ password: NEW, oldPassword: OLD }])
    expect(sent()[0]).not.toHaveProperty('code')
    expect(await canLogIn(mobile, NEW)).toBe(true)
  })

  test('a wrong old one is told in the server’s words, and what was typed stays', async () => {
    const { mobile } = await openAccount(OLD)
    await userEvent.type(field('原密码'), 'not this one')
    await userEvent.type(field('新密码'), NEW)
    await save()
    const dialog = within(await screen.findByRole('dialog', { name: '提示' }))
    expect(dialog.getByText('原密码不正确，请重新输入，或用短信验证码验证')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: '知道了' }))
    expect(field('新密码').value).toBe(NEW)
    expect(await canLogIn(mobile, OLD)).toBe(true)
  })

  test('is set for the first time with a code that goes to the account’s mobile', async () => {
    const { mobile, masked } = await openAccount()
    await userEvent.click(screen.getByRole('tab', { name: '用短信验证码验证' }))
    expect(screen.getByText(`验证码将发送到 ${masked}`)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '发送验证码' }))
    const image = within(await screen.findByRole('dialog', { name: '图形验证码' }))
    await image.findByRole('img', { name: '图形验证码' })
    const row = server.db.selectFrom('image_code').select('code').where('mobile', '=', mobile)
    await userEvent.type(image.getByLabelText('请输入图中的字符'), (await row.executeTakeFirstOrThrow()).code)
    await userEvent.click(image.getByRole('button', { name: '发送验证码' }))
    await expect.poll(() => server.codes.has(mobile)).toBe(true)
    await expect.poll(() => screen.queryByRole('dialog', { name: '图形验证码' })).toBeNull()
    expect(sent()).toEqual([])
    await userEvent.type(field('验证码'), server.codes.get(mobile) ?? '')
    await userEvent.type(field('新密码'), NEW)
    await save()
    await saved()
    expect(sent()[0]).not.toHaveProperty('oldPassword')
    expect(await canLogIn(mobile, NEW)).toBe(true)
  })
})

test('the nickname is saved by itself', async () => {
  await openAccount(OLD)
  await userEvent.clear(field('昵称'))
  await userEvent.type(field('昵称'), '战狼{Enter}')
  await expect.poll(sent).toMatchObject([{ nickname: '战狼' }])
  expect(sent()[0]).not.toHaveProperty('password')
})
