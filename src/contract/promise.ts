import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { EpochMs, Html } from './scalar.ts'

/** 平台承诺 */
const SitePromise = v.object({
  title: v.string(),
  html: Html,
  /** Since when the operator has it so, epoch ms; null: it is the product's own. */
  at: v.nullable(EpochMs),
})
export type SitePromise = v.InferOutput<typeof SitePromise>

export const getPromise = endpoint({
  path: 'config/getPromise',
  access: 'open',
  keep: 'worker',
  input: v.object({}),
  output: SitePromise,
})
