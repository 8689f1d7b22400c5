import { useCallback, useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { offline } from '#src/offline/index.ts'
import { padKey } from './kept.ts'
import { Stroke, visible } from './strokes.ts'

const Drawings = v.record(v.string(), v.array(Stroke))
type Drawings = v.InferOutput<typeof Drawings>

/** What was drawn over each question of the batch, kept with it on this device. */
export function useDrawings(draftKey: string | null, no: string) {
  const [all, setAll] = useState<Drawings>({})
  const latest = useRef(all)
  useEffect(() => {
    if (draftKey === null) return
    const show = (kept: unknown) => {
      const found = v.safeParse(Drawings, kept)
      // What was drawn before the disk had answered stands.
      if (found.success) setAll((latest.current = { ...found.output, ...latest.current }))
    }
    offline.loadDraft(padKey(draftKey)).then(show, () => {})
  }, [draftKey])
  const draw = useCallback(
    (strokes: Stroke[]) => {
      latest.current = { ...latest.current, [no]: strokes }
      setAll(latest.current)
      if (draftKey !== null) void offline.saveDraft({ key: padKey(draftKey), value: latest.current }).catch(() => {})
    },
    [draftKey, no],
  )
  const strokes = all[no] ?? NONE
  return { strokes, drawn: visible(strokes).length > 0, draw }
}
const NONE: Stroke[] = []
