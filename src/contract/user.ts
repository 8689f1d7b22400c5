import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { EpochMs, Mobile } from './scalar.ts'

export const Userinfo = v.object({
  uid: v.string(),
  /** A path or https address; '' for none. */
  portrait: v.string(),
  nickname: v.string(),
  mobile: Mobile,
})
export type Userinfo = v.InferOutput<typeof Userinfo>

export const getUserInfo = endpoint({
  path: 'user/getUserInfo',
  access: 'user',
  keep: 'boot',
  input: v.object({}),
  output: Userinfo,
})

/** These characters are not seen and change what stands around them: control characters, and those that turn the writing round. */
const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u
/** Signs without a width of their own, such as U+200B, make no name by themselves; between emoji they have their use. */
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u
export const Nickname = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, '请输入昵称'),
  v.maxLength(20, '昵称最多20个字'),
  v.check((text) => text === '' || SEEN.test(text), '请输入昵称'),
  v.check((text) => !UNSEEN.test(text), '昵称里有看不见的控制字符，请删去后重新输入'),
)
export const PASSWORD_MIN = 8
/** The server does not take one that is easy to guess, either (src/domain/app/passwords.ts). */
export const NewPassword = v.pipe(
  v.string(),
  v.minLength(PASSWORD_MIN, `密码至少${PASSWORD_MIN}位`),
  v.maxLength(128, '密码最多128位'),
)
const Code = v.pipe(v.string(), v.trim(), v.maxLength(128, '请输入验证码'))

/**
 * What shows that the student asks, and not somebody with their unlocked phone: the password, or the code that `login/sendCode`
 * sent to the account's mobile. '' is as good as not given.
 */
const ownerProof = {
  oldPassword: v.optional(v.pipe(v.string(), v.maxLength(128, '密码最多128位'))),
  code: v.optional(Code),
}
const OwnerProof = v.object(ownerProof)
export type OwnerProof = v.InferOutput<typeof OwnerProof>

/** What is typed by who closes an account. */
export const CLOSING_WORD = '注销'
export const ClosingWord = v.literal(CLOSING_WORD, `请输入“${CLOSING_WORD}”两个字`)

/** Where the student is logged in, this device first. */
const Devices = v.array(
  v.object({
    id: v.string(),
    /** Android 手机 · Chrome; '' when nobody can tell. */
    device: v.string(),
    createdAt: EpochMs,
    /** Of the first call on the day of the last one. */
    seenAt: EpochMs,
    current: v.boolean(),
  }),
)
export type Devices = v.InferOutput<typeof Devices>

export const user = {
  getUserInfo,
  /** Changes what is given and leaves the rest. A new password needs a proof of the owner, and ends every other session. */
  save: endpoint({
    path: 'user/save',
    access: 'user',
    keep: 'nowhere',
    input: v.object({
      nickname: v.optional(Nickname),
      /** Where an own picture was uploaded to; '' removes the portrait. */
      portrait: v.optional(v.pipe(v.string(), v.maxLength(2048, '头像地址有误'))),
      password: v.optional(NewPassword),
      ...ownerProof,
    }),
    output: Userinfo,
  }),
  /**
   * Takes a proof of the owner, and the code sent to the new mobile. Only who has given that code is told that another account has
   * the mobile. Ends every other session.
   */
  changeMobile: endpoint({
    path: 'user/changeMobile',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ mobile: Mobile, mobileCode: v.pipe(Code, v.minLength(1, '请输入验证码')), ...ownerProof }),
    output: Userinfo,
  }),
  devices: endpoint({ path: 'user/devices', access: 'user', keep: 'nowhere', input: v.object({}), output: Devices }),
  /** Ends the session of this id; without one, all others. Answers what is left. */
  endDevices: endpoint({
    path: 'user/endDevices',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ id: v.optional(v.pipe(v.string(), v.maxLength(64))) }),
    output: Devices,
  }),
  /** What has to be settled before the account can be closed, in Chinese; nothing, most of the time. */
  openMatters: endpoint({
    path: 'user/openMatters',
    access: 'user',
    keep: 'nowhere',
    input: v.object({}),
    output: v.array(v.string()),
  }),
  /** 注销账号: at once, and for ever. */
  close: endpoint({
    path: 'user/close',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ word: ClosingWord, ...ownerProof }),
    output: v.null(),
  }),
}
