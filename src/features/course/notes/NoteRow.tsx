import { type ReactNode, useState } from 'react'
import type { LessonNote } from '#src/domain/course/lessonNotes.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import { Button } from '#src/ui/Button.tsx'
import { deleteNote, lessonOf } from './lessonNotes.ts'
import { NoteEditor } from './NoteEditor.tsx'
import classes from './Notes.module.css'

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
      <li>
        <NoteEditor lesson={lessonOf(note)} note={draftOf(note)} onClose={close} />
      </li>
    )
  return (
    <li>
      {children}
      <div className={classes.actions}>
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

const draftOf = ({ noteNo, second, text }: LessonNote) => ({ noteNo, second, text })
