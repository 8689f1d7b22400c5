import { useCallback, useEffect, useRef, useState } from 'react'
import { offline } from '#src/offline/index.ts'
import { drawing, type Stroke } from '#src/offline/drafts/player.ts'
import { visible } from './strokes.ts'

type Drawings = Readonly<Record<string, Stroke[]>>
type Change = (old: readonly Stroke[]) => Stroke[]

/** What was drawn over a question, kept with it on this device. */
export function useDrawings(no: string) {
  const [all, setAll] = useState<Drawings>({})
  const latest = useRef(all)
  const read = useRef(new Set<string>())
  const set = useCallback((strokes: Stroke[]) => setAll((latest.current = { ...latest.current, [no]: strokes })), [no])
  const load = useCallback(async () => {
    const kept = drawing.read(await offline.loadDraft(drawing.key(no)))
    if (read.current.has(no)) return
    read.current.add(no)
    const drawn = latest.current[no] ?? NONE
    const strokes = kept ? [...kept.strokes, ...drawn] : drawn
    set(strokes)
    if (drawn.length > 0) await save(no, strokes)
  }, [no, set])
  useEffect(() => void load().catch(() => {}), [load])
  const draw = useCallback(
    (change: Change) => {
      const strokes = change(latest.current[no] ?? NONE)
      set(strokes)
      // Saved before the disk has answered, it would take the place of what is kept there.
      const kept = read.current.has(no) ? save(no, strokes) : load()
      void kept.catch(() => {})
    },
    [no, set, load],
  )
  const strokes = all[no] ?? NONE
  return { strokes, drawn: visible(strokes).length > 0, draw }
}
const NONE: Stroke[] = []

function save(no: string, strokes: Stroke[]): Promise<void> {
  const key = drawing.key(no)
  return strokes.length > 0 ? offline.saveDraft({ key, value: { at: Date.now(), strokes } }) : offline.dropDraft(key)
}
