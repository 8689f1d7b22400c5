import { clsx } from 'clsx'
import { type Ref, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { SheetList } from '../AnswerSheet.tsx'
import { useMarks } from '../marks/writeMarks.ts'
import type { Item } from '../playerState.ts'
import { keepQuestion, type PlayerHandle } from '../usePlayer.ts'
import classes from './Pane.module.css'

const NoteSheet = optional(() => import('../marks/NoteSheet.tsx').then((m) => m.NoteSheet))

interface PaneProps {
  player: PlayerHandle
  item: Item
  /** The analysis comes here once the question is marked. */
  place: Ref<HTMLDivElement>
}

/** Beside the question on wide screens: 答题卡, the analysis, the student's note. */
export function Pane({ player, item, place }: PaneProps) {
  const { state, dispatch } = player
  const sheet = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // The question on the screen stays in sight in a long paper.
    sheet.current?.querySelector(`[aria-label^='第${state.at + 1}题']`)?.scrollIntoView({ block: 'nearest' })
  }, [state.at])
  return (
    <aside className={clsx(common.stack, classes.pane)} aria-label="答题卡、解析和笔记">
      <section
        ref={sheet}
        className={classes.sheet}
        data-alone={state.mode === 'exam' || undefined}
        aria-label="答题卡"
      >
        <SheetList state={state} onPick={(at) => dispatch({ type: 'go', at })} />
      </section>
      <div ref={place} className={classes.place} />
      {state.mode !== 'exam' && <Note key={item.part.no} player={player} item={item} />}
    </aside>
  )
}

/** The note of the question on the screen, and the way to write it. */
function Note({ player, item }: Omit<PaneProps, 'place'>) {
  const state = useMarks(item)
  const [open, setOpen] = useState(false)
  const notes = state?.notes ?? []
  return (
    <section className={clsx(common.stack, common.sunken, classes.note)} aria-labelledby="pane-note">
      <div className={common.between}>
        <h2 id="pane-note" className={classes.title}>
          笔记
        </h2>
        <Button small look="light" disabled={!state} aria-keyshortcuts="N" onClick={() => setOpen(true)}>
          {notes.length > 0 ? '修改' : '写笔记'}
        </Button>
      </div>
      {notes.map(({ opId, text }) => (
        <p key={opId} className={classes.text}>
          {text}
        </p>
      ))}
      {open && state && (
        <Suspense>
          <NoteSheet state={state} onKept={() => keepQuestion(player.state)} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}
