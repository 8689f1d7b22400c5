import { unkeptWords } from '#src/domain/app/failureWords.ts'
import type { TypedLessonNote } from '#src/offline/drafts/forms.ts'
import { clsx } from 'clsx'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { NOTE_MAX } from '#src/contract/sync.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import field from '#src/ui/Field.module.css'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { dropUnfinished, keepNote, type NotedLesson, saveUnfinished } from './lessonNotes.ts'
import classes from './Notes.module.css'

interface NoteEditorProps {
  lesson: NotedLesson
  /** As it was when the writing began. */
  note: TypedLessonNote
  onClose: () => void
  /** What else there is to decide. */
  children?: ReactNode
}

/** To go on behind what is written. */
function focusOn(element: HTMLTextAreaElement | null): void {
  element?.focus({ preventScroll: true })
  element?.setSelectionRange(element.value.length, element.value.length)
}

/** 记笔记: a text for one second of a lesson. Ctrl+Enter keeps it; Escape leaves it while nothing was typed. */
export function NoteEditor({ lesson, note, onClose, children }: NoteEditorProps) {
  const { text, change, forget } = useTyped(lesson.lessonNo, note)
  const [stage, setStage] = useState<'idle' | 'busy' | { failed: unknown }>('idle')
  const count = useId()
  const over = text.length - NOTE_MAX
  const keeps = over <= 0 && text.trim() !== ''
  const leave = () => {
    forget()
    onClose()
  }
  const save = () => {
    if (!keeps || stage === 'busy') return
    setStage('busy')
    keepNote(lesson, { ...note, text: text.trim() }).then(
      () => {
        leave()
        feedback.toast('笔记已保存')
      },
      (failed: unknown) => setStage({ failed }),
    )
  }
  const giveUp = () => {
    leave()
    void dropUnfinished(lesson.lessonNo)
  }
  const onKey = (event: KeyboardEvent) => {
    // An Enter or Escape of the input method is its own.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
    if (event.key === 'Escape' && text === note.text) giveUp()
  }
  return (
    <div className={clsx(common.card, classes.editor)}>
      <label className={field.field}>
        <span className={common.strong}>{clockText(note.second)} 的笔记</span>
        <textarea
          className={clsx(field.input, field.area)}
          ref={focusOn}
          rows={4}
          value={text}
          aria-describedby={count}
          aria-invalid={over > 0}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </label>
      <p id={count} className={clsx(common.note, common.figures, classes.count)} data-over={over > 0 || undefined}>
        {text.length}/{NOTE_MAX}
        {over > 0 && `，超出 ${over} 字，删减后才能保存`}
      </p>
      {typeof stage === 'object' && (
        <p role="alert" className={clsx(common.wrong, classes.unkept)}>
          未保存：{unkeptWords(stage.failed, '文字还在这里')}。
        </p>
      )}
      <div className={clsx(common.wrap, classes.actions)}>
        {children}
        <Button small look="quiet" tone="plain" onClick={giveUp}>
          取消
        </Button>
        <Button small busy={stage === 'busy'} disabled={!keeps} onClick={save}>
          保存
        </Button>
      </div>
    </div>
  )
}

const TYPING_MS = 300

/** What is typed, kept through a crash. */
function useTyped(lessonNo: string, note: TypedLessonNote) {
  const [text, setText] = useState(note.text)
  const pending = useRef<TypedLessonNote | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const save = () => {
      clearTimeout(timer.current)
      if (pending.current) void saveUnfinished(lessonNo, pending.current)
      pending.current = null
    }
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [lessonNo])
  const change = (next: string): void => {
    pending.current = { ...note, text: next }
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (pending.current) void saveUnfinished(lessonNo, pending.current)
    }, TYPING_MS)
  }
  /** It is kept as a note now, or given up. */
  const forget = (): void => {
    clearTimeout(timer.current)
    pending.current = null
  }
  return { text, change, forget }
}
