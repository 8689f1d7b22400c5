import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import type { LessonNote } from '#src/domain/course/lessonNotes.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { deleteNote, lessonOf } from './lessonNotes.ts'
import { NoteEditor } from './NoteEditor.tsx'
import classes from './Notes.module.css'

const NOTE = clsx(common.card, classes.note)

interface NoteRowProps {
  note: LessonNote
  /** What leads to its second. */
  children: ReactNode
  /** The row, or its editor, is gone: the focus is to go somewhere else. */
  onGone: () => void
}

/** A note with what can be done about it. */
export function NoteRow({ note, children, onGone }: NoteRowProps) {
  const [editing, setEditing] = useState(false)
  const time = clockText(note.second)
  const close = () => {
    setEditing(false)
    onGone()
  }
  const remove = async () => {
    if (await deleteNote(note)) onGone()
  }
  if (editing)
    return (
      <li className={NOTE}>
        <NoteEditor lesson={lessonOf(note)} note={draftOf(note)} onClose={close} />
      </li>
    )
  return (
    <li className={NOTE}>
      {children}
      <div className={clsx(common.wrap, classes.actions)}>
        <Button small look="quiet" aria-label={`编辑 ${time} 的笔记`} onClick={() => setEditing(true)}>
          编辑
        </Button>
        <Button small look="quiet" tone="danger" aria-label={`删除 ${time} 的笔记`} onClick={() => void remove()}>
          删除
        </Button>
      </div>
    </li>
  )
}

/** When a note was written, and the note. */
export const MomentWords = ({ second, text }: Pick<LessonNote, 'second' | 'text'>) => (
  <>
    <span className={clsx(common.accent, common.strong, common.figures)}>{clockText(second)}</span>
    <span className={classes.words}>{text}</span>
  </>
)

const draftOf = ({ noteNo, second, text }: LessonNote) => ({ noteNo, second, text })
