import type { TypedLessonNote } from '#src/offline/drafts/forms.ts'
import { clsx } from 'clsx'
import { IconPencilPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { notesOfLesson } from '#src/domain/course/lessonNotes.ts'
import { useThings } from '#src/offline/useThings.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { Setting } from '#src/ui/Setting.tsx'
import { newNote, notedLesson, unfinishedNote } from '../../notes/lessonNotes.ts'
import { NoteEditor } from '../../notes/NoteEditor.tsx'
import { MomentWords, NoteRow } from '../../notes/NoteRow.tsx'
import classes from '../../notes/Notes.module.css'
import page from '../Lesson.module.css'
import type { PlacedLesson } from '../lessons.ts'
import { watchPrefs } from '../prefs.ts'

interface LessonNotesProps {
  element: HTMLMediaElement | null
  lesson: PlacedLesson
  onSeek: (to: number) => void
}

/** 笔记: what the student has written at moments of this lesson, by time. */
export function LessonNotes({ element, lesson, onSeek }: LessonNotesProps) {
  const things = useThings('lessonNote')
  const notes = things ? notesOfLesson(things, lesson.no) : []
  const { writing, begin, end, pauses, onPauses } = useWriting(element, lesson.no)
  const box = useRef<HTMLElement>(null)
  const focusBack = () => box.current?.querySelector('button')?.focus({ preventScroll: true })
  const close = () => {
    end()
    focusBack()
  }
  // Of a lesson that is locked now, what was written stays to be read.
  if (!lesson.open && notes.length === 0) return null
  return (
    <section ref={box} aria-label="笔记">
      <div className={clsx(common.between, classes.head)}>
        <h2 className={page.heading}>笔记{notes.length > 0 && ` ${notes.length}`}</h2>
        {lesson.open && (
          <Button small look="light" aria-expanded={writing !== null} onClick={writing ? undefined : begin}>
            <IconPencilPlus size={18} aria-hidden="true" />
            记笔记
          </Button>
        )}
      </div>
      {writing && (
        <NoteEditor key={writing.noteNo} lesson={notedLesson(lesson)} note={writing} onClose={close}>
          <div className={classes.pauses}>
            <Setting inline label="写时暂停" checked={pauses} onChange={onPauses} />
          </div>
        </NoteEditor>
      )}
      {notes.length === 0 && !writing && (
        <p className={common.note}>听到要点随手记，时间自动带上；以后点一下时间就回到这里。</p>
      )}
      {notes.length > 0 && (
        <ol className={clsx(common.stack, classes.notes)}>
          {notes.map((note) => (
            <NoteRow key={note.noteNo} note={note} onGone={focusBack}>
              <button type="button" className={classes.moment} onClick={() => onSeek(note.second)}>
                <MomentWords second={note.second} text={note.text} />
              </button>
            </NoteRow>
          ))}
        </ol>
      )}
    </section>
  )
}

/** A note that is being written. It takes the second at which it began; the lesson pauses for it, if the student likes it so. */
function useWriting(element: HTMLMediaElement | null, lessonNo: string) {
  const [writing, setWriting] = useState<TypedLessonNote | null>(null)
  const [pauses, setPauses] = useState(watchPrefs.notePauses)
  /** It played before, and goes on afterwards. */
  const goesOn = useRef(false)
  useEffect(() => {
    let left = false
    void unfinishedNote(lessonNo).then((draft) => {
      if (!left && draft) setWriting((old) => old ?? draft)
    })
    return () => {
      left = true
    }
  }, [lessonNo])
  const pause = () => {
    if (!element || element.paused || element.ended) return
    goesOn.current = true
    element.pause()
  }
  const goOn = () => {
    if (goesOn.current) void element?.play().catch(() => {})
    goesOn.current = false
  }
  const begin = () => {
    setWriting(newNote(element))
    if (pauses) pause()
  }
  const end = () => {
    setWriting(null)
    goOn()
  }
  const onPauses = () => {
    watchPrefs.setNotePauses(!pauses)
    setPauses(!pauses)
    if (pauses) goOn()
    else pause()
  }
  return { writing, begin, end, pauses, onPauses }
}
