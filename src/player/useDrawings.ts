import { useCallback, useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { offline } from '#src/offline/index.ts'
import { padKey } from './kept.ts'
import { Stroke, visible } from './strokes.ts'

/** `at`: Epoch ms of the last stroke; the oldest drawings leave when there are many. */
const Drawing = v.object({ at: v.number(), strokes: v.array(Stroke) })

/** What was drawn over a question, kept with it on this device. */
export function useDrawings(no: string) {
  const [all, setAll] = useState<Readonly<Record<string, Stroke[]>>>({})
  const latest = useRef(all)
  useEffect(() => {
    const show = (kept: unknown) => {
      const found = v.safeParse(Drawing, kept)
      // What was drawn before the disk had answered stands.
      if (found.success) setAll((latest.current = { [no]: found.output.strokes, ...latest.current }))
    }
    offline.loadDraft(padKey(no)).then(show, () => {})
  }, [no])
  const draw = useCallback(
    (strokes: Stroke[]) => {
      latest.current = { ...latest.current, [no]: strokes }
      setAll(latest.current)
      const key = padKey(no)
      const kept =
        strokes.length > 0 ? offline.saveDraft({ key, value: { at: Date.now(), strokes } }) : offline.dropDraft(key)
      void kept.catch(() => {})
    },
    [no],
  )
  const strokes = all[no] ?? NONE
  return { strokes, drawn: visible(strokes).length > 0, draw }
}
const NONE: Stroke[] = []
