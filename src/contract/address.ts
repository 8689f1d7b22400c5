import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Mobile, OpId } from './scalar.ts'

export const MAX_ADDRESSES = 20
const NAME_MAX = 20
const DETAIL_MAX = 100

/** GB/T 2260, the six digits of a province, city or district. */
const Adcode = v.pipe(v.string(), v.regex(/^\d{6}$/, '请选择省市区'))
const Place = v.object({ code: Adcode, name: v.string() })

/** One line for a label: what is typed or pasted in more is one space, and so is what a printer cannot take. */
const line = (missing: string, most: number, tooLong: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ')),
    v.trim(),
    v.minLength(1, missing),
    v.maxLength(most, tooLong),
  )

/** 收货地址 as it was saved. Names of places are the server's. */
export const Address = v.object({
  id: OpId,
  name: v.string(),
  mobile: v.string(),
  province: Place,
  city: Place,
  /** Null: the city has none, such as 东莞. */
  district: v.nullable(Place),
  detail: v.string(),
  isDefault: v.boolean(),
})
export type Address = v.InferOutput<typeof Address>
/** The default one first, then the newest. */
const Addresses = v.array(Address)

/** What the form asks for; `district` left out: the city has none. */
export const AddressForm = v.object({
  name: line('请输入收件人', NAME_MAX, `收件人最多${NAME_MAX}个字`),
  mobile: v.pipe(v.string('请输入合法的手机号'), v.trim(), Mobile),
  province: Adcode,
  city: Adcode,
  district: v.optional(Adcode),
  detail: line('请输入详细地址', DETAIL_MAX, `详细地址最多${DETAIL_MAX}个字`),
  /** False takes nothing away: the default stays one until another takes its place. */
  isDefault: v.optional(v.boolean(), false),
})
export type AddressForm = v.InferInput<typeof AddressForm>

/** The rest of the group `user` (user.ts). Each answers with all addresses as they are then. */
export const address = {
  myAddress: endpoint({
    path: 'user/myAddress',
    access: 'user',
    keep: 'device',
    input: v.object({}),
    output: Addresses,
  }),
  /** Changes the address `id`, or adds one under the id that the page made for it: sent again, it is added once. */
  saveAddress: endpoint({
    path: 'user/saveAddress',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ id: v.optional(OpId), newId: v.optional(OpId), ...AddressForm.entries }),
    output: Addresses,
  }),
  delAddress: endpoint({
    path: 'user/delAddress',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ id: OpId }),
    output: Addresses,
  }),
}
