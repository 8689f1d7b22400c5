import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Key } from './scalar.ts'

/** Key '0' is 全国; the client puts it first, the server's list does not hold it. */
export const Area = v.object({ key: Key, name: v.string() })
export type Area = v.InferOutput<typeof Area>
export const ExamDirection = v.object({ key: Key, name: v.string() })
export type ExamDirection = v.InferOutput<typeof ExamDirection>
const ExamCategory = v.object({ name: v.string(), child: v.array(ExamDirection) })
export type ExamCategory = v.InferOutput<typeof ExamCategory>

/**
 * Categories with the directions open in an area. Its own `area` overrides the automatic one. By its own name, because every
 * byte of the first file counts: it takes this one alone.
 */
export const getList = endpoint({
  path: 'structural/getList',
  access: 'open',
  keep: 'boot',
  input: v.object({ area: v.optional(Key) }),
  output: v.array(ExamCategory),
})
