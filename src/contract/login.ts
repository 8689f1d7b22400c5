import * as v from 'valibot'
import { Agreed } from './consent.ts'
import { endpoint } from './endpoint.ts'
import { Mobile } from './scalar.ts'

const required = (message: string) =>
  v.pipe(v.string(message), v.trim(), v.nonEmpty(message), v.maxLength(128, message))
/** Token, and the uid that never changes while a mobile may. */
const Login = v.object({ token: v.string(), uid: v.string() })

export const PasswordForm = v.object({
  mobile: required('请输入账号'),
  password: v.pipe(v.string('请输入密码'), v.nonEmpty('请输入密码'), v.maxLength(128, '请输入密码')),
})
export const CodeForm = v.object({ mobile: Mobile, code: required('请输入验证码') })
/** It was ticked beside the form. Earlier versions of the app have nothing to tick, and their students are asked later. */
const agreed = v.optional(Agreed)
const SendCodeForm = v.object({
  mobile: Mobile,
  img_code: required('请输入图形验证码'),
  /** Which picture it was (`pictureIdOf`); earlier versions of the app do not say it. */
  picture: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
})
/** Of a picture's source: its id. */
export const pictureIdOf = (source: string): string => source.split('#')[1] ?? ''

export const login = {
  loginByPassword: endpoint({
    path: 'login/loginByPassword',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ ...PasswordForm.entries, agreed }),
    output: Login,
  }),
  /** The image's source: a data URL, and behind `#` the picture's id. Each picture can be tried once, for five minutes. */
  getImgVerifyCode: endpoint({
    path: 'login/getImgVerifyCode',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ mobile: Mobile }),
    output: v.string(),
  }),
  sendCode: endpoint({
    path: 'login/sendCode',
    access: 'open',
    keep: 'nowhere',
    input: SendCodeForm,
    output: v.null(),
  }),
  /** An unknown mobile becomes an account. */
  mobileCodeLogin: endpoint({
    path: 'login/mobileCodeLogin',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ ...CodeForm.entries, agreed }),
    output: Login,
  }),
  /** Ends this token on the server. A logout without network ends it on the device alone. */
  logout: endpoint({ path: 'login/logout', access: 'user', keep: 'nowhere', input: v.object({}), output: v.null() }),
}
