import * as v from 'valibot'
import { Area, getList } from './directions.ts'
import { endpoint } from './endpoint.ts'
import { No } from './scalar.ts'

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
