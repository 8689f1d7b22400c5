import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Key, No } from './scalar.ts'

/** Key '0' is 全国; the client puts it first, the server's list does not hold it. */
export const Area = v.object({ key: Key, name: v.string() })
export type Area = v.InferOutput<typeof Area>
export const ExamDirection = v.object({ key: Key, name: v.string() })
export type ExamDirection = v.InferOutput<typeof ExamDirection>
/** `about` says in one line what it is for. What a device kept of an earlier list has none. */
const OfferedDirection = v.object({ ...ExamDirection.entries, about: v.optional(v.string(), '') })
export type OfferedDirection = v.InferOutput<typeof OfferedDirection>
const ExamCategory = v.object({ name: v.string(), child: v.array(OfferedDirection) })
export type ExamCategory = v.InferOutput<typeof ExamCategory>

/** Categories with the directions open in an area. Its own `area` overrides the automatic one. */
export const getList = endpoint({
  path: 'structural/getList',
  access: 'open',
  keep: 'boot',
  input: v.object({ area: v.optional(Key) }),
  output: v.array(ExamCategory),
})

const Subject = v.object({ no: No, name: v.string() })
const Point = v.object({
  no: No,
  /** null at the top level; the tree is at most three levels deep. */
  parent: v.nullable(No),
  name: v.string(),
})

export const structural = {
  getList,
  subjectList: endpoint({
    path: 'structural/subjectList',
    access: 'open',
    keep: 'device',
    input: v.object({}),
    output: v.array(Subject),
  }),
  getPoint: endpoint({
    path: 'structural/getPoint',
    access: 'open',
    keep: 'device',
    input: v.object({ subject: No }),
    output: v.array(Point),
  }),
  areaList: endpoint({
    path: 'structural/areaList',
    access: 'open',
    keep: 'boot',
    input: v.object({}),
    output: v.array(Area),
  }),
}
