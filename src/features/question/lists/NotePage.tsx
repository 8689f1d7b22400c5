import { clsx } from 'clsx'
import { type ReactNode, useState } from 'react'
import type { StudyState } from '#src/contract/study.ts'
import { NoteSheet } from '#src/player/marks/NoteSheet.tsx'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { dateText } from '#src/ui/dates.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { SearchField } from '#src/ui/SearchField.tsx'
import { useMarked, usePlaces } from './marked.ts'
import { downloadNotes } from './noteFile.ts'
import { MarkedList, Nothing } from './MarkedList.tsx'
import classes from './Marked.module.css'

interface NotePageProps {
  /** Leads to the notes of the other kind. */
  kinds: ReactNode
  /** Studies what has notes, beginning at a question if one was tapped. */
  onStudy: (itemNo?: string) => void
}

/** 我的笔记: the newest first, to be read, changed, deleted, searched and taken along. */
export function NotePage({ kinds, onStudy }: NotePageProps) {
  const [words, setWords] = useState('')
  const marked = useMarked('noted', words)
  const placeOf = usePlaces()
  const [editing, setEditing] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const edited = marked?.states.find(({ questionNo }) => questionNo === editing)
  const none = !marked?.states.length
  const download = () => {
    setBusy(true)
    downloadNotes(placeOf)
      .catch(() => feedback.toast('没有导出：暂时读不到学习记录，请重试'))
      .finally(() => setBusy(false))
  }
  return (
    <section className={clsx(common.stack, classes.page)} aria-labelledby="my-note">
      <div className={common.wrap}>
        <h1 id="my-note" className={clsx(common.heading, classes.heading)}>
          我的笔记
        </h1>
        <Button look="light" disabled={none} busy={busy} onClick={download}>
          导出
        </Button>
        <Button disabled={none} onClick={() => onStudy()}>
          练习
        </Button>
      </div>
      {kinds}
      <SearchField type="search" aria-label="搜索笔记或题目" placeholder="搜索笔记或题目" onWords={setWords} />
      {marked && none && (
        <Nothing
          marked={marked}
          words={words}
          of="note"
          what="还没有笔记"
          how="做题时点题目上方的“笔记”，写下的都会收到这里。"
        />
      )}
      {marked && (
        <MarkedList
          marked={marked}
          label="我的笔记"
          placeOf={placeOf}
          onOpen={({ questionNo }) => onStudy(questionNo)}
          renderBody={(state) => <Notes state={state} />}
          renderActions={({ questionNo }) => (
            <Button small look="quiet" onClick={() => setEditing(questionNo)}>
              编辑或删除
            </Button>
          )}
        />
      )}
      {edited && <NoteSheet state={edited} onClose={() => setEditing(null)} />}
    </section>
  )
}

function Notes({ state: { notes = [] } }: { state: StudyState }) {
  return (
    <>
      {notes.map(({ opId, text, at }) => (
        <blockquote key={opId} className={clsx(common.sunken, classes.note)}>
          {text}
          <small className={clsx(common.caption, classes.day)}>{dateText(at)}</small>
        </blockquote>
      ))}
      {notes.length > 1 && (
        <p className={clsx(common.small, common.warm, classes.both)}>
          两台设备各写了一段，都保留着；编辑时可以并成一段。
        </p>
      )}
    </>
  )
}
