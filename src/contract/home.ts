import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { EpochMs } from './scalar.ts'

/** Empty text: no banner. `at`: when the operator set it, where that is known. */
export const getNotice = endpoint({
  path: 'home/getNotice',
  access: 'open',
  keep: 'boot',
  input: v.object({}),
  output: v.object({ text: v.string(), at: v.nullable(EpochMs) }),
})
