import * as v from 'valibot'
import { MODES } from '#src/domain/study/modes.ts'
import { declareDraft } from './kind.ts'
import { Snapshot } from './practice.ts'

const Sitting = v.object({
  id: v.string(),
  /** Older ones are all of sets. */
  of: v.optional(v.picklist(['set', 'testing']), 'set'),
  /** A testing has its own number here, as `itemNo`. */
  setNo: v.string(),
  itemNo: v.string(),
  mode: v.picklist(MODES),
  startedAt: v.number(),
})
/** A sitting of a set or a testing that was begun on this device. */
export type Sitting = v.InferOutput<typeof Sitting>
/** The sitting of a paper that was begun last in a mode, by paper and mode: each mode is left and gone on with by itself. */
export const lastSitting = declareDraft({ prefix: 'paper', schema: Sitting, writtenBy: 'sitting', life: 'kept' })

/** Says in which mode a paper is sat, by its number. */
export const modeOfPaper = declareDraft({
  prefix: 'chosen',
  schema: v.picklist(MODES),
  writtenBy: 'sitting',
  life: 'kept',
})

/** Says how far the clock of a sitting had come when it was written last. */
export const Elapsed = v.object({ elapsedMs: v.number() })
export type Elapsed = v.InferOutput<typeof Elapsed>
export const sittingClock = declareDraft({ prefix: 'clock', schema: Elapsed, writtenBy: 'sitting', life: 'kept' })

/** Holds the answers of a sitting, by its id. */
export const sittingAnswers = declareDraft({ prefix: 'sitting', schema: Snapshot, writtenBy: 'sitting', life: 'kept' })
/** The same once it is handed in, apart: a tab that has it open still cannot write over what was handed in. */
export const handedAnswers = declareDraft({ prefix: 'handed', schema: Snapshot, writtenBy: 'sitting', life: 'kept' })
