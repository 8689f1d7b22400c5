import * as v from 'valibot'
import { Count, EpochMs, No } from './scalar.ts'

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
