import type { Devices, OwnerProof, user } from '#src/contract/user.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Ctx, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed, type Limit } from '#server/http/limits.ts'
import { maskMobile } from '#src/domain/text/text.ts'
import { holdTo, logEvent } from '#server/security/store.ts'
import type { Storage } from '#server/outside/storage.ts'
import { isKeyOf, prefixOf } from '../bucket/store.ts'
import { closeAccount } from './closing.ts'
import { openMatters } from './matters.ts'
import { guessed } from './passwords.ts'
import { hasMobile, readUserinfo, setMobile, updateStudent } from './store.ts'

type Asker = Pick<Ctx, 'ip' | 'now' | 'device' | 'uid'>
/** The login domain's. */
interface Login {
  /** Resolves with the stored password, as it must still be when what was proven for is done. */
  proveOwner: (uid: string, proof: OwnerProof, asker: Asker) => Promise<string | null>
  proveMobile: (mobile: string, code: string, asker: Asker) => Promise<{ spend: (tx: Tx) => Promise<boolean> }>
  hashPassword: (password: string) => Promise<string>
  sessions: {
    list: (uid: string, token: string, now: number, tx?: Tx) => Promise<Devices>
    /** Comes first: nobody logs in meanwhile. It refuses one that has ended itself. */
    hold: (uid: string, token: string, tx: Tx) => Promise<void>
    end: (uid: string, id: string, tx: Tx, now: number) => Promise<void>
    /** Every one of the student but that of this token. */
    endOthers: (uid: string, token: string, tx: Tx, now: number) => Promise<void>
  }
}
type UserCtx = Ctx<string>
/** For the log of what touches their account. */
const studentOf = (mobile: string, { uid, ip, now }: UserCtx) => ({ mobile, uid, ip, now })
type Student = ReturnType<typeof studentOf>

const HOUR_MS = 3_600_000
/** Portraits are looked at in the storage, which may be far away. */
const PORTRAITS: Pick<Limit, 'windowMs' | 'max'> = { windowMs: HOUR_MS, max: 60 }
const MOVED = '密码刚刚在别处修改过，请重新登录'
const TAKEN = '这个手机号已绑定其他账号，请换一个手机号，或退出后用它登录'

export function userHandlers(db: Db, storage: Storage, login: Login): Handlers<typeof user> {
  /** Each proof may send a message or take a hash: no endless tries. */
  const mayTry = (what: string, name: string, who: Student): Promise<void> =>
    holdTo(db, [{ key: `${what}:${who.uid}`, windowMs: HOUR_MS, max: 10 }], who, name, `${name}过于频繁，请1小时后再试`)
  return {
    getUserInfo: (_, { uid }) => readUserinfo(db, uid),
    async save({ nickname, portrait, password, ...proof }, ctx) {
      const { uid, token, say } = ctx
      const was = await readUserinfo(db, uid)
      const easy = password === undefined ? null : await guessed(password, was.mobile)
      if (easy) throw new Refusal(easy)
      const before = portrait === undefined ? '' : was.portrait
      const named = {
        ...(nickname !== undefined && { nickname }),
        ...(portrait !== undefined && { portrait: await ownPicture(db, storage, ctx, portrait) }),
      }
      if (password === undefined) await updateStudent(db, uid, named)
      else {
        const who = studentOf(was.mobile, ctx)
        await mayTry('password', '修改密码', who)
        const passwordWas = await login.proveOwner(uid, proof, ctx)
        const values = { ...named, password: await login.hashPassword(password) }
        await db.transaction().execute(async (tx) => {
          await login.sessions.hold(uid, token, tx)
          if (!(await updateStudent(tx, uid, values, passwordWas))) throw new Refusal(MOVED)
          // Whoever logged in elsewhere with the old password, or with somebody else's hands, must log in again.
          await login.sessions.endOthers(uid, token, tx, ctx.now)
          await logEvent(tx, passwordWas === null ? 'passwordSet' : 'passwordChanged', who)
        })
      }
      const after = await readUserinfo(db, uid)
      // Its place is taken: nobody comes to it any more.
      const left = before === '' || before === after.portrait ? null : storage.keyOf(before)
      if (portrait !== undefined && left !== null) await storage.remove(left)
      say('保存成功')
      return after
    },
    async changeMobile({ mobile, mobileCode, ...proof }, ctx) {
      const { uid, token, say } = ctx
      const { mobile: old } = await readUserinfo(db, uid)
      const who = studentOf(old, ctx)
      await mayTry('mobile', '更换手机号', who)
      if (old === mobile) throw new Refusal('新手机号与现在的手机号相同，请换一个')
      const held = await login.proveMobile(mobile, mobileCode, ctx)
      if (await hasMobile(db, mobile)) throw new Refusal(TAKEN)
      const was = await login.proveOwner(uid, proof, ctx)
      await db.transaction().execute(async (tx) => {
        await login.sessions.hold(uid, token, tx)
        if (!(await held.spend(tx))) throw new Refusal('新手机号的验证码已经用过，请重新获取')
        const set = await setMobile(tx, uid, mobile, was)
        if (set !== 'set') throw new Refusal(set === 'taken' ? TAKEN : MOVED)
        await login.sessions.endOthers(uid, token, tx, ctx.now)
        // Under the old one: its owner asks when it was not them.
        await logEvent(tx, 'mobileChanged', who, `新手机号 ${maskMobile(mobile)}`)
      })
      say('手机号已更换')
      return readUserinfo(db, uid)
    },
    devices: (_, { uid, token, now }) => login.sessions.list(uid, token, now),
    async endDevices({ id }, ctx) {
      const { uid, token, now } = ctx
      const { mobile } = await readUserinfo(db, uid)
      return db.transaction().execute(async (tx) => {
        await login.sessions.hold(uid, token, tx)
        await (id === undefined ? login.sessions.endOthers(uid, token, tx, now) : login.sessions.end(uid, id, tx, now))
        await logEvent(tx, 'devicesEnded', studentOf(mobile, ctx), id === undefined ? '其他所有设备' : '一台设备')
        return login.sessions.list(uid, token, now, tx)
      })
    },
    openMatters: (_, { uid }) => db.transaction().execute((tx) => openMatters(tx, uid)),
    async close(proof, ctx) {
      const who = studentOf((await readUserinfo(db, ctx.uid)).mobile, ctx)
      await mayTry('close', '注销账号', who)
      const was = await login.proveOwner(ctx.uid, proof, ctx)
      // Found before: with the student goes what says which files are theirs.
      const deletePictures = await storage.allOf(ctx.uid)
      await db.transaction().execute(async (tx) => {
        await closeAccount(tx, ctx.uid, was, () => login.sessions.endOthers(ctx.uid, ctx.token, tx, ctx.now))
        await logEvent(tx, 'closed', who)
      })
      await deletePictures()
      ctx.say('账号已注销')
      return null
    },
  }
}

/** Only what the student has uploaded under their own prefix: an address of elsewhere could follow whoever looks at it. */
async function ownPicture(
  db: Db,
  storage: Storage,
  { uid, now }: { uid: string; now: number },
  address: string,
): Promise<string> {
  if (address === '') return ''
  if (!(await allowed(db, { key: `portrait:${uid}`, ...PORTRAITS }, now)))
    throw new Refusal('更换头像过于频繁，请1小时后再试')
  const key = storage.keyOf(address)
  if (key === null || !isKeyOf(await prefixOf(db, uid), key)) throw new Refusal('请上传自己的图片作为头像')
  if (!(await storage.holds(key))) throw new Refusal('头像还没有上传成功，请重新上传')
  return storage.addressOf(key)
}
