import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Question } from './question.ts'
import { Count, Html, No, Rev } from './scalar.ts'

/** 真题, 模拟, 专项. */
export const SetKind = v.picklist(['past', 'mock', 'special'])
export type SetKind = v.InferOutput<typeof SetKind>
/** What a partly right multiple choice earns in a paper. */
export const PartialCredit = v.picklist(['none', 'half', 'per-option'])

const head = {
  no: No,
  title: v.string(),
  kind: SetKind,
  /** Fen; 0 is free. */
  price: Count,
  /** Comes with a VIP package, too. */
  vip: v.boolean(),
  /** Questions of the whole set that anybody may try (materials whole). */
  trial: Count,
  /** The server lets this student see all of it: it is free, or theirs. */
  open: v.boolean(),
  /** It is theirs by VIP alone. */
  byVip: v.boolean(),
  /** Questions of all papers, as students count them (domain/study/study.ts, partsOf). */
  count: Count,
}
const SetHead = v.object({
  ...head,
  /** Its papers' numbers, for progress and for 几套. */
  papers: v.array(No),
})
export type SetHead = v.InferOutput<typeof SetHead>

const paperHead = {
  no: No,
  title: v.string(),
  /** All its questions, the locked ones too. */
  count: Count,
  /** Full marks in hundredths. */
  full: Count,
  /** Suggested time. */
  minutes: Count,
  partial: PartialCredit,
  /** Questions of it that this student may not see. */
  locked: Count,
}
const PaperHead = v.object(paperHead)
export type PaperHead = v.InferOutput<typeof PaperHead>

/** One question of a paper as it was published: what the library changes later does not change it. */
const Entry = v.object({
  question: Question,
  /** Content hash of the published question. */
  rev: Rev,
  /** Where the question stands in its library, for counting progress. */
  chapterNo: No,
  libraryNo: No,
  /** Full marks in hundredths, one for each part (partsOf). */
  scores: v.array(Count),
})
export type PaperEntry = v.InferOutput<typeof Entry>
const Section = v.object({
  title: v.string(),
  /** What to do in it; '' when the title says it. */
  note: v.string(),
  entries: v.array(Entry),
})
export type PaperSection = v.InferOutput<typeof Section>
/** The sections of a paper: stored and served as text, checked when it is published. */
export const Sections = v.array(Section)

const SetDetail = v.object({ ...head, intro: Html, items: v.array(PaperHead) })
export type SetDetail = v.InferOutput<typeof SetDetail>
const Paper = v.object({ ...paperHead, setNo: No, rev: Rev, sections: Sections })
export type Paper = v.InferOutput<typeof Paper>

export const questionSet = {
  /** Every set of the scope's direction and area. */
  list: endpoint({
    path: 'questionSet/list',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.array(SetHead),
  }),
  detail: endpoint({
    path: 'questionSet/detail',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No }),
    output: SetDetail,
  }),
  /** One paper; of a set that is not open the first `trial` questions only. */
  paper: endpoint({
    path: 'questionSet/paper',
    access: 'open',
    keep: 'worker',
    input: v.object({ no: No, itemNo: No }),
    output: Paper,
  }),
}
