import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { No } from './scalar.ts'

export const point = {
  /** Every 知识点 by its number: a student's record spans directions, and holds numbers only. */
  getNames: endpoint({
    path: 'point/getNames',
    access: 'open',
    keep: 'device',
    input: v.object({}),
    output: v.record(No, v.string()),
  }),
}
