import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { query } from '#src/api/query.ts'
import { exam } from '#src/contract/exam.ts'
import type { WeekRecord } from '#src/offline/record/week.ts'
import { toItemNo } from '#src/sitting/itemNo.ts'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import classes from './Week.module.css'

/** Exams that were handed in, each with the way to its report. */
export function Exams({ record: { exams, papers }, name }: { record: WeekRecord; name: string }) {
  const heads = useQueries({ queries: exams.map(({ exam: no }) => query(exam.detail, { no })) })
  if (exams.length === 0 && papers === 0) return null
  return (
    <section className={common.panel} aria-labelledby="week-exams">
      <h2 id="week-exams" className={common.subheading}>
        {exams.length > 0 ? `${name}参加了 ${exams.length} 场模拟考试` : `${name}交了 ${papers} 份题集、测评答卷`}
      </h2>
      {exams.length > 0 && (
        <ul className={classes.list}>
          {exams.map(({ id, mode, handedAt }, i) => (
            <li key={id} className={classes.line}>
              <Link
                to="/exam/exam_report/$itemNo"
                params={{ itemNo: toItemNo(id) }}
                className={clsx(common.between, common.link, classes.exam)}
              >
                <span className={common.grow}>
                  {heads[i]?.data?.title ?? '模拟考试'}
                  <small className={clsx(common.caption, classes.below)}>
                    {mode === 'exam' ? '真实考试' : '练习'} · {timeText(handedAt)}交卷
                  </small>
                </span>
                <span className={clsx(common.accent, common.fixed)}>看报告</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {exams.length > 0 && papers > 0 && <p className={common.note}>还交了 {papers} 份题集、测评答卷。</p>}
    </section>
  )
}
