import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { opName } from '#src/domain/record/opNames.ts'
import { type DeadOp, offline } from '#src/offline/index.ts'
import { session } from '#src/session/session.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { timeText } from '#src/ui/dates.ts'
import classes from './Ledger.module.css'
import { LessonName } from './LessonName.tsx'
import { findQuestion, type Place } from './places.ts'

/** Not taken by the server, for good: why, and what to do. Its effect is gone with it. */
export function Refused({ op, place, onLeave }: { op: DeadOp; place: Place; onLeave: () => void }) {
  const navigate = useNavigate()
  const { chapter, text } = place
  const redo = async () => {
    if (!chapter) return
    const questionNo = String(op.payload.questionNo)
    const found = await findQuestion(chapter.no, questionNo).catch(() => null)
    onLeave()
    await navigate({
      to: '/question/library_study/$no/$count/$title',
      // Not on this device: the chapter deals it again, because its answer does not count.
      params: { no: chapter.no, title: chapter.title, count: found ? 1 : session.get().chapterCount },
      search: found ?? {},
    })
  }
  const at = Number.isFinite(op.clientAt) ? op.clientAt : op.diedAt
  return (
    <li className={clsx(common.sunken, common.wrap, common.small, classes.refusal)}>
      <span>
        {[opName(op), text].filter(Boolean).join(' · ')}
        <LessonName payload={op.payload} />：{op.msg}
        <br />
        <small className={common.quiet}>
          {timeText(at)} · {whatToDo(op, chapter !== null)}
        </small>
      </span>
      <span className={common.wrap}>
        {chapter && (
          <Button small look="light" onClick={() => void redo()}>
            {op.kind === 'answer' ? '去重做' : '打开这道题'}
          </Button>
        )}
        <Button small look="quiet" onClick={() => void offline.dismiss(op.opId)}>
          知道了
        </Button>
      </span>
    </li>
  )
}

function whatToDo({ kind, code }: DeadOp, hasChapter: boolean): string {
  if (code === 'unknown_question') return kind === 'answer' ? '题目已下架，不用再做' : '题目已下架，不用再操作'
  if (code === 'unknown_lesson') return '课程已经调整，这个课时不在了，不用再操作；其他课时的进度照常保留'
  if (kind === 'retract') return '那次作答照常计入'
  if (kind === 'handIn') return '请打开这套卷，在成绩报告里再次交卷'
  if (hasChapter) return kind === 'answer' ? '请重做这道题' : '请打开这道题再操作一次'
  return kind === 'answer' ? '请在题库里重做这道题' : '请再操作一次'
}
