import * as v from 'valibot'
import { offline } from '#src/offline/index.ts'
import { MODES, type StudyMode } from '#src/player/modes.ts'

/** A paper is left and gone on with in each mode by itself: the sitting that was begun last. */
export const pointerKey = (itemNo: string, mode: StudyMode): string => `paper:${itemNo}:${mode}`
export const Pointer = v.object({
  id: v.string(),
  /** Older ones are all of sets. */
  of: v.optional(v.picklist(['set', 'testing']), 'set'),
  /** Of a testing its own number, as `itemNo`. */
  setNo: v.string(),
  itemNo: v.string(),
  mode: v.picklist(MODES),
  startedAt: v.number(),
})
/** A sitting that was begun on this device. */
export type Sitting = v.InferOutput<typeof Pointer>

/** Every sitting that was begun last of its paper and mode. */
export async function readPointers(): Promise<Sitting[]> {
  const pointers = await offline.drafts('paper:')
  return pointers.flatMap(({ value }) => {
    const parsed = v.safeParse(Pointer, value)
    return parsed.success ? [parsed.output] : []
  })
}
