import { clsx } from 'clsx'
import { type Ref, useLayoutEffect, useRef, useState } from 'react'
import common from '#src/ui/common.module.css'
import { SheetList } from '../AnswerSheet.tsx'
import type { Item } from '../playerState.ts'
import type { PlayerHandle } from '../usePlayer.ts'
import classes from './Pane.module.css'
import { type NoteHandle, PaneNote } from './PaneNote.tsx'

interface PaneProps {
  player: PlayerHandle
  item: Item
  /** The analysis comes here once the question is marked. */
  place: Ref<HTMLDivElement>
  note: Ref<NoteHandle>
}

/** Beside the question on wide screens: 答题卡, the analysis, the student's note. */
export function Pane({ player, item, place, note }: PaneProps) {
  const { state, dispatch } = player
  const [isNoting, setNoting] = useState(false)
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
      {state.mode !== 'exam' && (
        <PaneNote key={item.part.no} player={player} item={item} isOpen={isNoting} onOpen={setNoting} handle={note} />
      )}
    </aside>
  )
}
