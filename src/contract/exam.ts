import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Earned } from './sitting.ts'
import { AskedQuestion } from './question.ts'
import { PartialCredit, Sections } from './questionSet.ts'
import { Response } from './response.ts'
import { Count, EpochMs, Html, No, OpId, Rev } from './scalar.ts'

/** 模考, 真题. */
export const ExamKind = v.picklist(['mock', 'past'])
export type ExamKind = v.InferOutput<typeof ExamKind>

/** When an exam can be entered: both ends in epoch ms. Null: at any time. */
export const Window = v.object({ from: EpochMs, to: EpochMs })
export type Window = v.InferOutput<typeof Window>

export const ExamHead = v.object({
  no: No,
  title: v.string(),
  kind: ExamKind,
  window: v.nullable(Window),
  /** First sittings that arrive until then are ranked, epoch ms, and of an exam with a window results come then; null: no end. */
  rankClosesAt: v.nullable(EpochMs),
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
  /** It is theirs by VIP alone. */
  byVip: v.boolean(),
  /** 报名人数. */
  applyCount: Count,
  /** This student is one of them. */
  applied: v.boolean(),
})
export type ExamHead = v.InferOutput<typeof ExamHead>

const ExamDetail = v.object({
  ...ExamHead.entries,
  intro: Html,
  /** Of its paper now. */
  rev: Rev,
  partial: PartialCredit,
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
export type ExamDetail = v.InferOutput<typeof ExamDetail>

/** A paper as it is asked: Sections without anything that tells an answer; a hash of a question would, to who tries keys. */
export const AskedSections = v.array(
  v.object({
    title: v.string(),
    note: v.string(),
    entries: v.array(v.object({ question: AskedQuestion, chapterNo: No, libraryNo: No, scores: v.array(Count) })),
  }),
)
const ExamPaper = v.object({
  no: No,
  rev: Rev,
  title: v.string(),
  kind: ExamKind,
  window: v.nullable(Window),
  rankClosesAt: v.nullable(EpochMs),
  minutes: Count,
  count: Count,
  full: Count,
  partial: PartialCredit,
  sections: AskedSections,
})
export type ExamPaper = v.InferOutput<typeof ExamPaper>

/** A paper that nobody can read before its key is given: AES-256-GCM over the JSON of an ExamPaper, base64. */
const SealedPaper = v.object({ no: No, rev: Rev, iv: v.string(), box: v.string() })
export type SealedPaper = v.InferOutput<typeof SealedPaper>

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

/** Why a sitting is not ranked. again: not the student's first; after: the paper was first opened when the exam was over; edited: its hash is not that of its choices. */
export const Unranked = v.picklist(['practice', 'again', 'after', 'clock', 'over', 'edited', 'closed'])
export type Unranked = v.InferOutput<typeof Unranked>

/** How many bands the full marks are cut into for the distribution of scores. */
export const BANDS = 20
/** One sitting among the ranked ones, as far as those have been counted. All marks in hundredths. */
const ExamReport = v.object({
  attemptId: OpId,
  no: No,
  /** 截至: when it was counted. */
  asOf: EpochMs,
  /** Ranked sittings. */
  ranked: Count,
  /** Of their scores; null: nobody is ranked yet. */
  average: v.nullable(Count),
  best: v.nullable(Count),
  /** Ties have the same; null: not ranked, or not counted yet. */
  rank: v.nullable(Count),
  /** The score that it is ranked with, where that is not its own: more answers arrived when the ranking could take none any more. */
  rankedScore: v.exactOptional(Count),
  /** Null: it is ranked, or will be as soon as it is counted. */
  unranked: v.nullable(Unranked),
  /** Of the other ranked sittings those with less, per mille, rounded down; null: there are none. */
  beaten: v.nullable(Count),
  /** Average of each section of this sitting's paper; null: nobody with this paper is ranked yet. */
  sections: v.array(v.nullable(Count)),
  /** Ranked sittings by score, from nothing to full marks, which belong to the last band. */
  bands: v.array(Count),
})
export type ExamReport = v.InferOutput<typeof ExamReport>

/** So many of the first places are told. */
export const RANK_TOP = 100
const ExamRank = v.object({
  no: No,
  asOf: EpochMs,
  ranked: Count,
  average: v.nullable(Count),
  top: v.array(
    v.object({
      rank: Count,
      /** Masked; of those who hide theirs 匿名考生. */
      name: v.string(),
      score: Count,
      elapsedMs: Count,
      /** It arrived after its end: until then it was on the device alone. */
      late: v.boolean(),
      me: v.boolean(),
    }),
  ),
  /** Null: not ranked. */
  mine: v.nullable(
    v.object({ attemptId: OpId, rank: Count, score: Count, elapsedMs: Count, beaten: v.nullable(Count) }),
  ),
})
export type ExamRank = v.InferOutput<typeof ExamRank>

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
  /** The same before its start, to be opened with the key. Kept by who asks (features/exam/sealed.ts). */
  sealed: endpoint({
    path: 'exam/sealed',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ no: No }),
    output: SealedPaper,
  }),
  /** From the start on: what opens the sealed paper, base64. */
  open: endpoint({
    path: 'exam/open',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ no: No, rev: Rev }),
    output: v.object({ key: v.string() }),
  }),
  /** After the hand-in and, of an exam with a window, the end of it and of its ranking: nobody who is ranked can have known it. */
  key: endpoint({
    path: 'exam/key',
    access: 'user',
    keep: 'worker',
    input: v.object({ attemptId: OpId }),
    output: ExamKey,
  }),
  /** Average, place and share beaten of a sitting: released as its key is. */
  report: endpoint({
    path: 'exam/report',
    access: 'user',
    keep: 'worker',
    input: v.object({ attemptId: OpId }),
    output: ExamReport,
  }),
  /** First sittings by machine-marked score; released as keys are. */
  rank: endpoint({
    path: 'exam/rank',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: ExamRank,
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
