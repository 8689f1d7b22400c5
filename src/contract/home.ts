import * as v from 'valibot'
import { endpoint } from './endpoint.ts'

export const home = {
  /** Empty text: no banner. */
  getNotice: endpoint({
    path: 'home/getNotice',
    access: 'open',
    keep: 'boot',
    input: v.object({}),
    output: v.object({ text: v.string() }),
  }),
}
