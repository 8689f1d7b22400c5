import type { Devices, OwnerProof, user } from '#src/contract/user.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { closeAccount } from './closing.ts'
import { openMatters } from './matters.ts'
import { hasMobile, readUserinfo, setMobile, updateStudent } from './store.ts'

type Asker = Pick<Ctx, 'ip' | 'now'>
/** The login domain's. */
interface Login {
  /** Resolves with the stored password, as it must still be when what was proven for is done. */
  proveOwner: (uid: string, proof: OwnerProof, asker: Asker) => Promise<string | null>
  proveMobile: (mobile: string, code: string, asker: Asker) => Promise<{ spend: (tx: Tx) => Promise<boolean> }>
  hashPassword: (password: string) => Promise<string>
  sessions: {
    list: (uid: string, token: string, now: number) => Promise<Devices>
    end: (uid: string, id: string) => Promise<void>
    /** Every one of the student but that of this token. */
    endOthers: (uid: string, token: string, tx?: Tx) => Promise<void>
  }
}
type UserCtx = Ctx<string>

const HOUR_MS = 3_600_000
const MOVED = '密码刚刚在别处修改过，请重新登录'
const TAKEN = '该手机号已绑定其他账号，请换一个手机号，或退出后用它登录'

export function userHandlers(db: Db, login: Login): Handlers<typeof user> {
  /** Each proof may send a message or take a hash: no endless tries. */
  const mayTry = async (what: string, name: string, { uid, now }: UserCtx): Promise<void> => {
    const limit = { key: `${what}:${uid}`, windowMs: HOUR_MS, max: 10 }
    if (!(await allowed(db, limit, now))) throw new Refusal(`${name}过于频繁，请1小时后再试`)
  }
  return {
    getUserInfo: (_, { uid }) => readUserinfo(db, uid),
    async save({ nickname, password, ...proof }, ctx) {
      const { uid, token, say } = ctx
      const named = nickname === undefined ? {} : { nickname }
      if (password === undefined) await updateStudent(db, uid, named)
      else {
        await mayTry('password', '修改密码', ctx)
        const was = await login.proveOwner(uid, proof, ctx)
        const values = { ...named, password: await login.hashPassword(password) }
        if (!(await updateStudent(db, uid, values, was))) throw new Refusal(MOVED)
        // Whoever logged in elsewhere with the old password, or with somebody else's hands, must log in again.
        await login.sessions.endOthers(uid, token)
      }
      say('保存成功')
      return readUserinfo(db, uid)
    },
    async changeMobile({ mobile, mobileCode, ...proof }, ctx) {
      const { uid, token, say } = ctx
      await mayTry('mobile', '更换手机号', ctx)
      const { mobile: old } = await readUserinfo(db, uid)
      if (old === mobile) throw new Refusal('新手机号与现在的手机号相同')
      const held = await login.proveMobile(mobile, mobileCode, ctx)
      if (await hasMobile(db, mobile)) throw new Refusal(TAKEN)
      const was = await login.proveOwner(uid, proof, ctx)
      await db.transaction().execute(async (tx) => {
        if (!(await held.spend(tx))) throw new Refusal('新手机号的验证码已经用过，请重新获取')
        const set = await setMobile(tx, uid, mobile, was)
        if (set !== 'set') throw new Refusal(set === 'taken' ? TAKEN : MOVED)
        await login.sessions.endOthers(uid, token, tx)
      })
      say('手机号已更换')
      return readUserinfo(db, uid)
    },
    devices: (_, { uid, token, now }) => login.sessions.list(uid, token, now),
    async endDevices({ id }, { uid, token, now }) {
      await (id === undefined ? login.sessions.endOthers(uid, token) : login.sessions.end(uid, id))
      return login.sessions.list(uid, token, now)
    },
    openMatters: (_, { uid }) => db.transaction().execute((tx) => openMatters(tx, uid)),
    async close(proof, ctx) {
      await mayTry('close', '注销账号', ctx)
      const was = await login.proveOwner(ctx.uid, proof, ctx)
      await db.transaction().execute((tx) => closeAccount(tx, ctx.uid, was))
      ctx.say('账号已注销')
      return null
    },
  }
}
