import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { PartialCredit, Sections } from './questionSet.ts'
import { Count, Html, No, Rev } from './scalar.ts'

/** 入学测评, 单元测验. */
export const TestingKind = v.picklist(['entrance', 'unit'])
export type TestingKind = v.InferOutput<typeof TestingKind>

const named = { no: No, title: v.string() }
/** Where to start, named as it was when the testing was published. A lesson will be another `to`. */
const Start = v.variant('to', [
  /** Or a whole library. */
  v.object({ to: v.literal('chapter'), ...named }),
  v.object({ to: v.literal('set'), ...named }),
])
export type Start = v.InferOutput<typeof Start>
const Band = v.object({
  /** Percent of the full marks from which on it is meant, up to the next one; of the first 0. */
  from: v.pipe(Count, v.maxValue(100)),
  advice: v.string(),
  start: v.array(Start),
})
export type Band = v.InferOutput<typeof Band>
/** What a result means: of the whole, and of each section in the paper's order. Without bands nothing is said. */
const Guide = v.object({ whole: v.array(Band), sections: v.array(v.array(Band)) })
export type Guide = v.InferOutput<typeof Guide>

const head = {
  ...named,
  kind: TestingKind,
  /** The unit of the course that it ends; null: of none. */
  unit: v.nullable(v.object({ course: No, no: No })),
  /** Null: untimed. */
  minutes: v.nullable(Count),
  /** Questions, as students count them. */
  count: Count,
  /** Full marks in hundredths. */
  full: Count,
}
const TestingHead = v.object(head)
export type TestingHead = v.InferOutput<typeof TestingHead>

const ofPaper = { partial: PartialCredit, rev: Rev, guide: Guide }
const TestingDetail = v.object({
  ...head,
  ...ofPaper,
  intro: Html,
  /** Some of its questions can be partly right by `partial`. Answers that devices kept from before do not say. */
  hasMultiple: v.exactOptional(v.boolean()),
  sections: v.array(
    v.object({
      title: v.string(),
      /** What to do in it; '' when the title says it. */
      note: v.string(),
      count: Count,
      /** In hundredths. */
      full: Count,
    }),
  ),
})
export type TestingDetail = v.InferOutput<typeof TestingDetail>
const TestingPaper = v.object({ ...head, ...ofPaper, sections: Sections })
export type TestingPaper = v.InferOutput<typeof TestingPaper>

export const testing = {
  /** Every testing of the scope's direction and area. */
  list: endpoint({
    path: 'testing/list',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.array(TestingHead),
  }),
  detail: endpoint({
    path: 'testing/detail',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: TestingDetail,
  }),
  /** With its keys: a testing is practice, and is not ranked. */
  paper: endpoint({
    path: 'testing/paper',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: TestingPaper,
  }),
}
