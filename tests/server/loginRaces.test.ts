import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Envelope } from '#src/contract/endpoint.ts'
import { contract } from '#src/contract/index.ts'
import type { Tx } from '#server/db/open.ts'
import { hashPassword } from '#server/login/argon2.ts'
import { sha256 } from '#server/login/sha256.ts'
import { sessionsOf } from '#server/login/sessions.ts'
import { insertSession } from '#server/login/store.ts'
import { closeAccount } from '#server/user/closing.ts'
import { lockStudent, setMobile, updateStudent } from '#server/user/store.ts'
import { during } from '#tests/support/during.ts'
import { givePassword, requestCode } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
/** Of NEW. */
let stored: string
beforeAll(async () => {
  server = await startServer()
  stored = await hashPassword(NEW)
})
afterAll(() => server.close())

const OLD = 'the old password'
const NEW = 'the new password'
const { loginByPassword, mobileCodeLogin } = contract.login
const { changeMobile, endDevices, getUserInfo, save } = contract.user
const WRONG = { status: 0, msg: '账号或密码不正确，请重新输入', data: null }
let numbers = 13_600_000_000
const freshMobile = () => String(++numbers)
type Student = Awaited<ReturnType<TestServer['student']>>
async function withPassword(): Promise<Student> {
  const who = await server.student(freshMobile())
  await givePassword(server.db, who.uid, OLD)
  return who
}
const works = async (token: string): Promise<boolean> => (await server.ask(getUserInfo, {}, token)).status === 1
const sessions = async (uid: string): Promise<number> =>
  (await server.db.selectFrom('session').select('id').where('uid', '=', uid).execute()).length

describe('a login whose proof was good when it was looked at', () => {
  const byPassword = ({ mobile }: Student) => server.ask(loginByPassword, { mobile, password: OLD })
  const endOthers = (who: Student, tx: Tx) => sessionsOf(server.db).endOthers(who.uid, who.token, tx, server.clock.now)

  const storedOf = async (uid: string): Promise<string | null> =>
    (await server.db.selectFrom('student').select('password').where('uid', '=', uid).executeTakeFirstOrThrow()).password
  const uidOf = ({ data }: Envelope): unknown => (data as { uid: string }).uid

  test('does not outlive a change of the password', async () => {
    const me = await withPassword()
    const change = async (tx: Tx) => {
      await updateStudent(tx, me.uid, { password: stored })
      await endOthers(me, tx)
    }
    expect(await during(server.db, change, () => byPassword(me))).toEqual(WRONG)
    expect(await sessions(me.uid)).toBe(1)
  })

  test('nor one of the mobile, by password and by code: who has the mobile now is somebody else', async () => {
    const [me, other] = [await withPassword(), await withPassword()]
    const change = (who: Student) => async (tx: Tx) => {
      await setMobile(tx, who.uid, freshMobile(), await storedOf(who.uid))
      await endOthers(who, tx)
    }
    expect(await during(server.db, change(me), () => byPassword(me))).toEqual(WRONG)
    expect(await sessions(me.uid)).toBe(1)
    const code = await requestCode(server, other.mobile)
    const envelope = await during(server.db, change(other), () =>
      server.ask(mobileCodeLogin, { mobile: other.mobile, code }),
    )
    expect(envelope).toMatchObject({ status: 1 })
    expect(uidOf(envelope)).not.toBe(other.uid)
    expect(await sessions(other.uid)).toBe(1)
  })

  test('nor the closing of the account, whose code goes with it', async () => {
    const [me, other] = [await withPassword(), await withPassword()]
    const close = (who: Student) => async (tx: Tx) => closeAccount(tx, who.uid, await storedOf(who.uid), async () => {})
    expect(await during(server.db, close(me), () => byPassword(me))).toEqual(WRONG)
    const code = await requestCode(server, other.mobile)
    const byCode = () => server.ask(mobileCodeLogin, { mobile: other.mobile, code })
    // It holds the student before it forgets the code, and so does a login: else each could wait for the other.
    const envelope = await during(server.db, (tx) => lockStudent(tx, other.uid), byCode, close(other))
    expect(envelope).toEqual({ status: 0, msg: '验证码不正确或已过期，请重新获取', data: null })
    expect([await sessions(me.uid), await sessions(other.uid)]).toEqual([0, 0])
  })
})

describe('a login that comes just before', () => {
  const token = (name: string) => `${name}-${numbers}`
  const begin = (who: Student, name: string) => (tx: Tx) =>
    insertSession(tx, sha256(token(name)), who, server.clock.now, '')

  test('a change of the password ends with it', async () => {
    const me = await withPassword()
    const change = () => server.ask(save, { password: NEW, oldPassword: OLD }, me.token)
    expect(await during(server.db, begin(me, 'p'), change)).toMatchObject({ status: 1 })
    expect([await works(me.token), await works(token('p'))]).toEqual([true, false])
  })

  test('a change of the mobile ends with it', async () => {
    const me = await withPassword()
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    const change = () => server.ask(changeMobile, { mobile, mobileCode, oldPassword: OLD }, me.token)
    expect(await during(server.db, begin(me, 'm'), change)).toMatchObject({ status: 1 })
    expect([await works(me.token), await works(token('m'))]).toEqual([true, false])
  })

  test('all other devices are signed out ends with them', async () => {
    const me = await withPassword()
    const end = () => server.ask(endDevices, {}, me.token)
    expect(await during(server.db, begin(me, 'd'), end)).toMatchObject({ status: 1, data: [{ current: true }] })
    expect([await works(me.token), await works(token('d'))]).toEqual([true, false])
  })
})

describe('of two devices at the same moment', () => {
  const over = { status: 0, msg: '登录刚刚被退出，请重新登录后再试', data: null }
  /** What the one does, while the other's call is under way. */
  const heldBy = (who: Student) => async (tx: Tx) => {
    const { hold, endOthers } = sessionsOf(server.db)
    await hold(who.uid, who.token, tx)
    await endOthers(who.uid, who.token, tx, server.clock.now)
  }

  test('that sign each other out, one stays', async () => {
    const here = await withPassword()
    const there = await server.student(here.mobile)
    expect(await during(server.db, heldBy(here), () => server.ask(endDevices, {}, there.token))).toEqual(over)
    expect([await works(here.token), await works(there.token)]).toEqual([true, false])
  })

  test('that change the mobile, one does, and the other’s code is as good as it was', async () => {
    const here = await withPassword()
    const there = await server.student(here.mobile)
    const mobile = freshMobile()
    const mobileCode = await requestCode(server, mobile)
    const change = () => server.ask(changeMobile, { mobile, mobileCode, oldPassword: OLD }, there.token)
    expect(await during(server.db, heldBy(here), change)).toEqual(over)
    expect(await server.call(getUserInfo, {}, here.token)).toMatchObject({ mobile: here.mobile })
    const again = { mobile, mobileCode, oldPassword: OLD }
    expect(await server.ask(changeMobile, again, here.token)).toMatchObject({ status: 1 })
  })

  test('that change the password with a code each, one does', async () => {
    const here = await withPassword()
    const there = await server.student(here.mobile)
    const code = await requestCode(server, here.mobile)
    const change = () => server.ask(save, { password: NEW, code }, there.token)
    expect(await during(server.db, heldBy(here), change)).toEqual(over)
    expect(await server.ask(loginByPassword, { mobile: here.mobile, password: OLD })).toMatchObject({ status: 1 })
  })
})
