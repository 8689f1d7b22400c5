import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

/** Empty text: no banner. */
export const getNotice = endpoint({
  path: 'home/getNotice',
  access: 'open',
  keep: 'boot',
  input: v.object({}),
  output: v.object({ text: v.string() }),
})
