import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { PartialCredit } from './questionSet.ts'
import { Count, EpochMs, Html, No } from './scalar.ts'

/** 模考, 真题. */
export const ExamKind = v.picklist(['mock', 'past'])
export type ExamKind = v.InferOutput<typeof ExamKind>

/** When an exam can be entered: both ends in epoch ms. Null: at any time. */
const Window = v.object({ from: EpochMs, to: EpochMs })
export type Window = v.InferOutput<typeof Window>

const head = {
  no: No,
  title: v.string(),
  kind: ExamKind,
  window: v.nullable(Window),
  /** From the start of a sitting to its end. */
  minutes: Count,
  /** Questions, as students count them. */
  count: Count,
  /** Full marks in hundredths. */
  full: Count,
  /** Fen; 0 is free. */
  price: Count,
  /** Comes with a VIP package, too. */
  vip: v.boolean(),
  /** The server lets this student take it: it is free, or theirs. */
  open: v.boolean(),
  /** 报名人数. */
  applyCount: Count,
  /** This student is one of them. */
  applied: v.boolean(),
}
const ExamHead = v.object(head)
export type ExamHead = v.InferOutput<typeof ExamHead>

const ExamDetail = v.object({
  ...head,
  intro: Html,
  partial: PartialCredit,
  /** First sittings that arrive until then are ranked, epoch ms; null: until the exam is gone. */
  rankClosesAt: v.nullable(EpochMs),
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
export type ExamDetail = v.InferOutput<typeof ExamDetail>

export const exam = {
  /** Every exam of the scope's direction and area. */
  list: endpoint({
    path: 'exam/list',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.array(ExamHead),
  }),
  detail: endpoint({
    path: 'exam/detail',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: ExamDetail,
  }),
  /** 报名. Again does nothing. */
  apply: endpoint({
    path: 'exam/apply',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ no: No }),
    output: v.object({ applyCount: Count }),
  }),
}
