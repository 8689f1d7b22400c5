import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { getUserInfo, Userinfo } from './userinfo.ts'

export const Nickname = v.pipe(v.string(), v.trim(), v.minLength(1, '请输入昵称'), v.maxLength(20, '昵称最多20个字'))
export const NewPassword = v.pipe(v.string(), v.minLength(8, '密码至少8位'), v.maxLength(128, '密码最多128位'))

export const user = {
  getUserInfo,
  /**
   * Changes what is given and leaves the rest. A new password needs a proof that the student asks, and not somebody with their
   * unlocked phone: the old password, or the code that `login/sendCode` sent to the account's mobile.
   */
  save: endpoint({
    path: 'user/save',
    access: 'user',
    keep: 'nowhere',
    input: v.object({
      nickname: v.optional(Nickname),
      /** Where an own picture was uploaded to; '' removes the portrait. */
      portrait: v.optional(v.pipe(v.string(), v.maxLength(1024, '头像地址有误'))),
      password: v.optional(NewPassword),
      oldPassword: v.optional(v.pipe(v.string(), v.maxLength(128, '密码最多128位'))),
      code: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(128, '请输入验证码'))),
    }),
    output: Userinfo,
  }),
}
/** What shows who asks for a new password. '' is as good as not given. */
export type OwnerProof = Pick<v.InferOutput<typeof user.save.input>, 'oldPassword' | 'code'>
