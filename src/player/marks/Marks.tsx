import { clsx } from 'clsx'
import {
  IconArrowBackUp,
  IconFolder,
  IconMessageReport,
  IconNote,
  IconNotes,
  IconStar,
  IconStarFilled,
} from '@tabler/icons-react'
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { OpPayload, StudyState } from '#src/contract/study.ts'
import common from '#src/ui/common.module.css'
import { feedback, type ToastAction } from '#src/ui/feedback/feedback.ts'
import { optional } from '#src/ui/optional.ts'
import { useWriting } from '#src/ui/feedback/writing.tsx'
import { Missing } from './Missing.tsx'
import { collect, DEFAULT_FOLDER, putBack, readMarks, useMarks } from './writeMarks.ts'
import { offline } from '#src/offline/index.ts'
import type { NoteHandle } from '../pane/PaneNote.tsx'
import type { Item } from '../playerState.ts'
import { Act } from '../tools/Act.tsx'
import { useToolKeys } from '../tools/toolKeys.ts'
import classes from '../tools/Tools.module.css'
import { lastAnswer, undo } from '../tools/undo.ts'
import { keepQuestion, type PlayerHandle } from '../usePlayer.ts'

const UNKEPT = clsx(common.wrap, classes.unkept)

const FolderSheet = optional(() => import('./FolderSheet.tsx').then((m) => m.FolderSheet), Missing)
const NoteSheet = optional(() => import('./NoteSheet.tsx').then((m) => m.NoteSheet), Missing)
const ReportForm = optional(() => import('./ReportForm.tsx').then((m) => m.ReportForm), Missing)

/** 撤销, 收藏, 笔记 and 纠错 of the question on the screen: their keys, what they do, and the sheets that they open. */
export function useMarkActs(player: PlayerHandle, item: Item, paneNote: RefObject<NoteHandle | null>) {
  const state = useMarks(item)
  const [sheet, setSheet] = useState<'folders' | 'note' | 'report' | null>(null)
  const { unkept, attempt } = useAttempts()
  const last = lastAnswer(player)
  const collected = state?.collected !== undefined
  const openFolders = () => setSheet('folders')
  const openNote = () => (paneNote.current ? paneNote.current.open() : setSheet('note'))
  const tellStar = useStarNotice(item.part.no)
  const star = () =>
    attempt('收藏', async () => {
      // Read now: the screen may not know yet what the tap before has made of it.
      const known = await readMarks(item)
      await collect(known, known.collected ? null : DEFAULT_FOLDER)
      keepQuestion(player.state)
      if (known.collected) tellStar('已取消收藏', { label: '撤销', act: () => backAgain(known) })
      else tellStar('已收藏', { label: '选收藏夹', act: openFolders })
    })
  const backAgain = (known: StudyState) =>
    attempt('收藏', async () => {
      await putBack(known, [...new Set(known.collected?.map(({ folder }) => folder))])
      keepQuestion(player.state)
      feedback.toast('已放回收藏夹')
    })
  const takeBack = () => {
    if (!last) return
    attempt('撤销', async () => {
      if (!(await undo(player, last))) throw new Error('the device could not keep it')
      feedback.toast('已撤销，可以重新作答')
    })
  }
  useToolKeys((event) => {
    const acts: Record<string, () => void> = {
      s: event.shiftKey ? openFolders : star,
      n: openNote,
      z: takeBack,
      u: takeBack,
    }
    const act = acts[event.key.toLowerCase()]
    if (!act) return
    // A field that takes the focus by it would take the letter, too.
    event.preventDefault()
    act()
  })
  const close = () => setSheet(null)
  const report = async (payload: OpPayload<'report'>) => {
    await offline.add({ kind: 'report', payload })
    keepQuestion(player.state)
  }
  const sheets = (
    <>
      {unkept}
      {sheet === 'report' && (
        <Suspense>
          <ReportForm part={item.part} onSend={report} onClose={close} />
        </Suspense>
      )}
      {sheet && sheet !== 'report' && state && (
        <Suspense>
          {sheet === 'folders' ? (
            <FolderSheet state={state} onKept={() => keepQuestion(player.state)} onClose={close} />
          ) : (
            <NoteSheet state={state} onKept={() => keepQuestion(player.state)} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
  const mayTakeBack = player.draftKey !== null && player.state.mode === 'practice'
  return {
    collected,
    noted: state?.notes !== undefined,
    star,
    openFolders,
    openNote,
    openReport: () => setSheet('report'),
    /** Null: nothing here can be taken back. */
    takeBack: mayTakeBack ? { act: takeBack, has: last !== null } : null,
    sheets,
  }
}

/** They stand in 更多. */
export function MarkActs({ marks }: { marks: ReturnType<typeof useMarkActs> }) {
  const { collected, noted, takeBack } = marks
  return (
    <>
      <Act
        icon={collected ? <IconStarFilled className={common.warm} /> : <IconStar />}
        label={collected ? '取消收藏' : '收藏'}
        name={collected ? '已收藏，取消收藏' : undefined}
        keys="S"
        onClick={marks.star}
      />
      <Act icon={<IconFolder />} label="选收藏夹" keys="Shift+S" onClick={marks.openFolders} />
      <Act
        icon={noted ? <IconNotes className={common.warm} /> : <IconNote />}
        label="笔记"
        name={noted ? '笔记，本题有笔记' : undefined}
        keys="N"
        onClick={marks.openNote}
      />
      {takeBack && (
        <Act
          icon={<IconArrowBackUp />}
          label="撤销上一次作答"
          keys="Z"
          disabled={!takeBack.has}
          onClick={takeBack.act}
        />
      )}
      <Act icon={<IconMessageReport />} label="纠错" onClick={marks.openReport} />
    </>
  )
}

/**
 * Tells what became of the star, one notice at a time. It leaves with the question that it speaks of: the sheet that it opens is of the
 * question on the screen.
 */
function useStarNotice(questionNo: string): (text: string, action: ToastAction) => void {
  const told = useRef<{ of: string; close: () => void } | null>(null)
  useEffect(
    () => () => {
      if (told.current?.of === questionNo) told.current.close()
    },
    [questionNo],
  )
  return (text, { label, act }) => {
    told.current?.close()
    const close = feedback.offer(text, {
      label,
      act: () => {
        close()
        act()
      },
    })
    told.current = { of: questionNo, close }
  }
}

/** One write at a time: a second tap means what the first one has made of it. */
function useAttempts() {
  const busy = useRef(false)
  const { unkept, write } = useWriting(UNKEPT)
  const attempt = (name: string, work: () => Promise<void>): void => {
    if (busy.current) return
    busy.current = true
    void write(work, name).finally(() => (busy.current = false))
  }
  return { unkept, attempt }
}
