import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Mobile } from './scalar.ts'

export const Userinfo = v.object({
  uid: v.string(),
  /** A path or https address; '' for none. */
  portrait: v.string(),
  nickname: v.string(),
  mobile: Mobile,
})
export type Userinfo = v.InferOutput<typeof Userinfo>

/** By its own name, because every byte of the first file counts: it takes this one alone. */
export const getUserInfo = endpoint({
  path: 'user/getUserInfo',
  access: 'user',
  keep: 'boot',
  input: v.object({}),
  output: Userinfo,
})
