import * as v from 'valibot'
import { REPORT_REASONS } from '#src/contract/sync.ts'
import { declareDraft } from './kind.ts'

/** wipe: 清空, which can be undone like any other. */
export const Stroke = v.object({
  kind: v.picklist(['pen', 'eraser', 'wipe']),
  /** x, y and width, again and again: whole CSS px, x from the middle of the screen, y from the top of the page. */
  points: v.array(v.number()),
})
export type Stroke = v.InferOutput<typeof Stroke>

/**
 * Holds the drawings over a question, by its number, whatever batch it stands in. `at`: epoch ms of the last stroke; the oldest
 * drawings leave when there are many (record/unusedFiles.ts).
 */
export const drawing = declareDraft({
  prefix: 'pad',
  schema: v.object({ at: v.number(), strokes: v.array(Stroke) }),
  writtenBy: 'player',
  life: 'kept',
})

const TypedNote = v.object({
  text: v.string(),
  /** Kept notes that it takes the place of: the student has read them. */
  taken: v.array(v.string()),
})
export type TypedNote = v.InferOutput<typeof TypedNote>
/** A note as it is being written, by the question's number. */
export const typedNote = declareDraft({ prefix: 'note', schema: TypedNote, writtenBy: 'player', life: 'task' })

const TypedReport = v.object({ reason: v.picklist(REPORT_REASONS), text: v.string() })
export type TypedReport = v.InferOutput<typeof TypedReport>
/** 纠错 as it is being written, by the question's number. */
export const typedReport = declareDraft({ prefix: 'report', schema: TypedReport, writtenBy: 'player', life: 'task' })
