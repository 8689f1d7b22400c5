import { clsx } from 'clsx'
import { Link } from '@tanstack/react-router'
import type { Outcome, SatQuestion } from '#src/domain/paper/examReport.ts'
import common from '#src/ui/common.module.css'
import { OUTCOME_TEXTS, tookText } from '../texts.ts'
import classes from '../Report.module.css'

interface TimesProps {
  questions: readonly SatQuestion[]
  /** Of its analysis. */
  sitting: { no: string; title: string; itemNo: string }
}

/** 每题用时: a bar a question, in the order of the paper; each leads to its analysis. */
export function Times({ questions, sitting }: TimesProps) {
  const longest = Math.max(...questions.map(({ spentMs }) => spentMs), 1)
  const seen = questions.filter(({ spentMs }) => spentMs > 0)
  const spent = seen.reduce((sum, { spentMs }) => sum + spentMs, 0)
  const slowest = questions.find(({ spentMs }) => spentMs === longest)
  const outcomes = new Set(questions.map(({ outcome }) => outcome))
  if (seen.length === 0) return null
  return (
    <section className={clsx(common.panel, classes.wide)} aria-labelledby="times">
      <h2 id="times" className={common.subheading}>
        每题用时
      </h2>
      <p className={common.note}>
        看过 {seen.length} 题，平均每题 {tookText(spent / seen.length)}
        {slowest && `，最久的是第 ${slowest.n} 题：${tookText(longest)}`}。点题号查看解析。
      </p>
      <ol className={classes.times}>
        {questions.map(({ n, part, outcome, spentMs }) => (
          <li key={part.no}>
            <Link
              className={classes.time}
              to="/exam/exam_analysis/$no/$title/$itemNo/{-$currentId}"
              params={{ ...sitting, currentId: part.no }}
              aria-label={`第 ${n} 题，${OUTCOME_TEXTS[outcome][1]}，用时 ${tookText(spentMs)}`}
              data-outcome={outcome}
            >
              <i className={classes.column} style={{ height: `${(spentMs / longest) * 100}%` }} />
              <b className={classes.sign}>{OUTCOME_TEXTS[outcome][0]}</b>
              <span className={common.quiet}>{n}</span>
            </Link>
          </li>
        ))}
      </ol>
      <p className={clsx(common.wrap, common.note, classes.legend)}>
        {(Object.keys(OUTCOME_TEXTS) as Outcome[])
          .filter((outcome) => outcomes.has(outcome))
          .map((outcome) => (
            <span key={outcome} data-outcome={outcome}>
              <b className={classes.sign} aria-hidden="true">
                {OUTCOME_TEXTS[outcome][0]}
              </b>{' '}
              {OUTCOME_TEXTS[outcome][1]}
            </span>
          ))}
      </p>
    </section>
  )
}
