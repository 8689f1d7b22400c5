import { clsx } from 'clsx'
import {
  type Ref,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { Missing } from '../marks/Missing.tsx'
import { useNoteDraft } from '../marks/useNoteDraft.ts'
import { useMarks } from '../marks/writeMarks.ts'
import type { Item } from '../playerState.ts'
import { focusOn } from '../useFocus.ts'
import { keepQuestion, type PlayerHandle } from '../usePlayer.ts'
import classes from './Pane.module.css'

const NoteEditor = optional(() => import('../marks/NoteSheet.tsx').then((m) => m.NoteEditor), Missing)

/** Opens the note that stands beside the question. */
export interface NoteHandle {
  open: () => void
}

interface PaneNoteProps {
  player: PlayerHandle
  item: Item
  /** It is being written. It stays so from one question to the next, each with a note of its own. */
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  handle: Ref<NoteHandle>
}

/** The note of the question on the screen, written in its place: the question stays in sight. */
export function PaneNote({ player, item, isOpen, onOpen, handle }: PaneNoteProps) {
  const state = useMarks(item)
  const section = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // Whoever only came to this question with an open note has the focus at the question.
  const [isAsked, setAsked] = useState(false)
  const open = () => {
    setAsked(true)
    onOpen(true)
    focusOn(section.current?.querySelector('textarea') ?? null)
  }
  const close = () => {
    setAsked(false)
    onOpen(false)
    focusOn(button.current)
  }
  useImperativeHandle(handle, () => ({ open }))
  useOpenNote(section, isOpen, close)
  return (
    <section ref={section} className={clsx(common.stack, common.sunken, classes.note)} aria-labelledby="pane-note">
      <div className={common.between}>
        <h2 id="pane-note" className={classes.title}>
          笔记
        </h2>
        <Button
          ref={button}
          small
          look="light"
          disabled={!state}
          aria-expanded={isOpen}
          aria-keyshortcuts="N"
          onClick={isOpen ? close : open}
        >
          {isOpen ? '收起' : state?.notes ? '修改' : '写笔记'}
        </Button>
      </div>
      {state && isOpen && (
        <Suspense>
          <NoteEditor state={state} focus={isAsked} onKept={() => keepQuestion(player.state)} onClose={close} />
        </Suspense>
      )}
      {state && !isOpen && <Written state={state} />}
    </section>
  )
}

/** While the note is open: Escape closes it, and its field comes into sight with the focus. Below a long analysis it would be out of it. */
function useOpenNote(section: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing) close()
  })
  useEffect(() => {
    const at = section.current
    if (!at || !isOpen) return
    const press = (event: KeyboardEvent) => onKey(event)
    const show = ({ target }: FocusEvent) => {
      if (target instanceof HTMLTextAreaElement) at.scrollIntoView({ block: 'nearest' })
    }
    at.addEventListener('keydown', press)
    at.addEventListener('focusin', show)
    return () => {
      at.removeEventListener('keydown', press)
      at.removeEventListener('focusin', show)
    }
  }, [section, isOpen])
}

/** Shows what is kept, and what was typed and is not kept yet: nobody who has closed the note is to think that it is gone. */
function Written({ state }: { state: StudyState }) {
  const { draft, isUnsaved } = useNoteDraft(state)
  return (
    <>
      {state.notes?.map(({ opId, text }) => (
        <p key={opId} className={classes.text}>
          {text}
        </p>
      ))}
      {draft && isUnsaved && (
        <p className={clsx(common.quiet, classes.text)}>
          <b className={common.warm}>还没保存：</b>
          {draft.text}
        </p>
      )}
    </>
  )
}
