import { clsx } from 'clsx'
import { useState } from 'react'
import type { LessonQuestion } from '#src/contract/course.ts'
import { typeName } from '#src/domain/question/typeName.ts'
import { Part } from '#src/player/question/Part.tsx'
import { itemsOf, partState, type PlayerState, start } from '#src/player/playerState.ts'
import { Spoken } from '#src/player/question/Spoken.tsx'
import { useFocus } from '#src/player/useFocus.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import listing from '#src/ui/list/Listing.module.css'
import unseen from '#src/ui/text/Unseen.module.css'
import type { Outcome } from '../lesson/questions/asking.ts'
import classes from './QuestionSheet.module.css'

export interface QuestionSheetProps {
  asked: LessonQuestion
  /** 1:35 */
  time: string
  /** 观看, 收听 */
  goOn: string
  stops: boolean
  onStops: () => void
  /** @param goOn the student wants the lesson to go on */
  onDone: (outcome: Outcome, goOn: boolean) => void
}

/** One question over a lesson that stands still. It is answered as anywhere else, and may be left unanswered. */
export function QuestionSheet({ asked, time, goOn, stops, onStops, onDone }: QuestionSheetProps) {
  const player = usePlayer(useBegun(asked), null, 'lesson')
  const { state, dispatch, choose, confirm, unsaved } = player
  const { onward } = useFocus(state)
  const item = state.items[0]
  if (!item) return null
  const { part } = item
  const own = partState(state, part)
  const leave = (on: boolean) => onDone(own.right === null ? 'skipped' : own.right ? 'right' : 'wrong', on)
  return (
    <Dialog title={`课中提问 ${time}`} sheet width={640} onClose={() => leave(false)}>
      <p className={clsx(listing.badges, classes.type)}>
        <span className={listing.badge}>{typeName(part)}</span>
      </p>
      <div className={classes.asked}>
        <Part
          part={part}
          analysis={part.analysis}
          state={own}
          mode={state.mode}
          label=""
          unsaved={unsaved.get(part.no) ?? null}
          dispatch={dispatch}
          choose={choose}
          confirm={confirm}
        />
      </div>
      <p role="status" className={unseen.unseen}>
        <Spoken part={part} state={own} />
      </p>
      <div className={clsx(common.quiet, classes.never)}>
        <Checkbox checked={!stops} onChange={onStops}>
          以后不再停下来提问
        </Checkbox>
      </div>
      <div className={classes.foot}>
        <Button ref={onward} {...(own.right === null && { look: 'light' as const })} onClick={() => leave(true)}>
          {own.right === null ? `跳过，继续${goOn}` : `继续${goOn}`}
        </Button>
      </div>
    </Dialog>
  )
}

/** The question as the player begins with it. */
function useBegun({ question, chapterNo, libraryNo }: LessonQuestion): PlayerState {
  const [begun] = useState(() => start(itemsOf(question, { chapterNo, libraryNo, block: 0 })))
  return begun
}
