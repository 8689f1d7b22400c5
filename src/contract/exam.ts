import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Earned } from './attempt.ts'
import { AskedQuestion } from './question.ts'
import { PartialCredit, Sections } from './questionSet.ts'
import { Response } from './response.ts'
import { Count, EpochMs, Html, No, OpId, Rev } from './scalar.ts'

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

/** A paper as it is asked: Sections without anything that tells an answer. */
export const AskedSections = v.array(
  v.object({
    title: v.string(),
    note: v.string(),
    entries: v.array(
      v.object({ question: AskedQuestion, rev: Rev, chapterNo: No, libraryNo: No, scores: v.array(Count) }),
    ),
  }),
)
const ExamPaper = v.object({
  no: No,
  rev: Rev,
  title: v.string(),
  kind: ExamKind,
  window: v.nullable(Window),
  minutes: Count,
  count: Count,
  full: Count,
  partial: PartialCredit,
  sections: AskedSections,
})
export type ExamPaper = v.InferOutput<typeof ExamPaper>

/** The key of a sitting that is handed in, and what it has earned by it. */
const ExamKey = v.object({
  attemptId: OpId,
  no: No,
  rev: Rev,
  partial: PartialCredit,
  sections: Sections,
  earned: Earned,
  /** What was given in time, in the order of the paper. */
  given: v.array(v.object({ questionNo: No, response: Response, spentMs: Count })),
})
export type ExamKey = v.InferOutput<typeof ExamKey>

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
  /** Of an exam that this student has applied for, from its start on. */
  paper: endpoint({
    path: 'exam/paper',
    access: 'user',
    keep: 'worker',
    input: v.object({ no: No }),
    output: ExamPaper,
  }),
  /** After the hand-in and, of an exam with a window, its end. */
  key: endpoint({
    path: 'exam/key',
    access: 'user',
    keep: 'worker',
    input: v.object({ attemptId: OpId }),
    output: ExamKey,
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
