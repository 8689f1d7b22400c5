import { clsx } from 'clsx'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { useId, useRef, useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { NOTE_MAX } from '#src/contract/sync.ts'
import type { TypedNote } from '#src/offline/drafts/player.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import field from '#src/ui/Field.module.css'
import { timeText } from '#src/ui/dates.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { idsOf, writeNote } from './writeMarks.ts'
import classes from './Marks.module.css'
import { focusOn } from '../useFocus.ts'
import { useNoteDraft } from './useNoteDraft.ts'

export interface NoteSheetProps {
  state: StudyState
  /** The question has a note now. */
  onKept?: () => void
  onClose: () => void
}

/** 笔记: one text a question. What another device wrote meanwhile stands beside it until the student takes it in. */
export function NoteSheet(props: NoteSheetProps) {
  return (
    <Dialog title="笔记" sheet onClose={props.onClose}>
      <NoteEditor {...props} focus />
    </Dialog>
  )
}

/** The same without a sheet around it. `focus`: the student is to type at once. */
export function NoteEditor(props: NoteSheetProps & { focus: boolean }) {
  const { draft, change, forget } = useNoteDraft(props.state)
  return draft && <Editor {...props} draft={draft} onChange={change} onForget={forget} />
}

interface EditorProps extends NoteSheetProps {
  focus: boolean
  draft: TypedNote
  onChange: (draft: TypedNote) => void
  onForget: () => void
}

function Editor({ state, focus, draft, onChange, onForget, onKept, onClose }: EditorProps) {
  const { text, taken } = draft
  const { notes = [] } = state
  const others = notes.filter(({ opId }) => !taken.includes(opId))
  const { busy, failed, write } = useWriting(() => {
    onForget()
    onClose()
  })
  const count = useId()
  const over = text.length - NOTE_MAX
  const save = () =>
    write(async () => {
      await writeNote(state, text.trim(), taken)
      onKept?.()
      feedback.toast('笔记已保存')
    })
  const remove = async () => {
    if (await wantsGone(notes.length))
      write(async () => {
        await writeNote(state, '', [...taken, ...idsOf(others)])
        feedback.toast('笔记已删除')
      })
  }
  return (
    <div className={common.stack}>
      <label className={field.field}>
        <span className={common.strong}>我的笔记</span>
        <textarea
          className={clsx(field.input, field.area)}
          ref={focus ? focusOn : undefined}
          rows={5}
          value={text}
          aria-describedby={count}
          aria-invalid={over > 0}
          onChange={(event) => onChange({ text: event.currentTarget.value, taken })}
        />
      </label>
      <p id={count} className={clsx(common.note, common.figures, classes.count)} data-over={over > 0 || undefined}>
        {text.length}/{NOTE_MAX}
        {over > 0 && `，超出 ${over} 字，删减后才能保存`}
      </p>
      <Others notes={others} draft={draft} onChange={onChange} />
      {failed && (
        <p role="alert" className={clsx(common.sunken, common.wrong, classes.box, classes.unkept)}>
          未保存：{unkeptWords(failed.failed, '文字还在这里')}。
        </p>
      )}
      <div className={common.wrap}>
        <Button busy={busy} disabled={over > 0 || text.trim() === ''} onClick={save}>
          保存
        </Button>
        {notes.length > 0 && (
          <Button look="quiet" tone="danger" disabled={busy} onClick={() => void remove()}>
            删除笔记
          </Button>
        )}
      </div>
    </div>
  )
}

const wantsGone = async (count: number): Promise<boolean> =>
  (await feedback.ask({
    title: '删除这道题的笔记？',
    message: count > 1 ? `这道题的 ${count} 段笔记都会删除。` : '删除后不能恢复。',
    actions: [
      { key: 'stay', label: '不删除' },
      { key: 'delete', label: '删除', tone: 'danger' },
    ],
  })) === 'delete'

interface OthersProps {
  notes: NonNullable<StudyState['notes']>
  draft: TypedNote
  onChange: (draft: TypedNote) => void
}

/** Texts that were written without knowing of this one: both stay until the student says otherwise. */
function Others({ notes, draft: { text, taken }, onChange }: OthersProps) {
  return notes.map(({ opId, at, text: other }) => (
    <section key={opId} className={clsx(common.stack, common.sunken, classes.box)} aria-label="另一台设备写的笔记">
      <p className={common.note}>
        另一台设备也写了这道题的笔记（{timeText(at)}），并入后保存就合成一段；现在两段都留着。
      </p>
      <blockquote className={classes.quote}>{other}</blockquote>
      <div className={common.wrap}>
        <Button
          small
          look="light"
          onClick={() => onChange({ text: text === '' ? other : `${text}\n\n${other}`, taken: [...taken, opId] })}
        >
          并入
        </Button>
        <Button small look="quiet" tone="plain" onClick={() => onChange({ text, taken: [...taken, opId] })}>
          不要这段
        </Button>
      </div>
    </section>
  ))
}

/** One write at a time; `onDone` once it is on disk. */
function useWriting(onDone: () => void) {
  const [stage, setStage] = useState<'idle' | 'busy' | { failed: unknown }>('idle')
  const busy = useRef(false)
  const write = (work: () => Promise<void>): void => {
    if (busy.current) return
    busy.current = true
    setStage('busy')
    work()
      .then(onDone, (failed: unknown) => setStage({ failed }))
      .finally(() => (busy.current = false))
  }
  return { busy: stage === 'busy', failed: typeof stage === 'object' ? stage : null, write }
}
