import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import { pointNamesQuery } from '#src/api/points.ts'
import type { StudyState } from '#src/contract/study.ts'
import { accuracyOf, ENOUGH, practiceBy, weakest } from '#src/domain/study/stats.ts'
import type { ChapterSums } from '#src/domain/study/sums.ts'
import { countMissed } from '#src/domain/study/week.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Meter } from '../Meter.tsx'
import { NO_NAME, readPoints } from '../points.ts'
import { percentText } from '../texts.ts'
import classes from './Week.module.css'

const MOST = 5
/** A point that is known less well is not called strong. */
const STRONG = 0.8

interface MissedProps {
  states: readonly StudyState[]
  name: string
}

/** Shows where the week's mistakes lie. The record keeps only all answers of a point, so its week is told by what was missed. */
export function Missed({ states, name }: MissedProps) {
  const { data: names = {} } = useQuery(pointNamesQuery())
  const points = countMissed(states, (state) => state.points).slice(0, MOST)
  const most = points[0]?.[1] ?? 1
  return (
    <section className={common.panel} aria-labelledby="week-missed">
      <h2 id="week-missed" className={common.subheading}>
        {states.length > 0 ? `${name}做错 ${states.length} 题，错得最多的知识点` : `${name}没有留下错题`}
      </h2>
      {points.length > 0 && (
        <ol className={classes.list}>
          {points.map(([no, count]) => (
            <Line key={no} name={names[no] ?? NO_NAME} figure={`错 ${count} 题`} part={count / most} />
          ))}
        </ol>
      )}
      <p className={common.note}>按每题最近一次做错的日期算，一题可属几个知识点。</p>
      {states.length > 0 && (
        <div>
          <Link to="/user/my_error" {...buttonLook({ look: 'light', small: true })}>
            去看错题本
          </Link>
        </div>
      )}
    </section>
  )
}

/** 拿手的知识点, by all answers there ever were, which is what is kept of a point; none in which the week has mistakes. */
export function Strong({ states, name }: MissedProps) {
  const { data: names = {} } = useQuery(pointNamesQuery())
  const list = useRecord(readPoints).data
  if (!list) return null
  const strong = list
    .filter(
      ([no, practice]) => (accuracyOf(practice) ?? 0) >= STRONG && !states.some(({ points }) => points.includes(no)),
    )
    .reverse()
    .slice(0, MOST)
  return (
    <section className={common.panel} aria-labelledby="week-strong">
      <h2 id="week-strong" className={common.subheading}>
        {strong.length > 0 ? '最拿手的知识点' : '还没有拿手的知识点'}
      </h2>
      {strong.length > 0 && (
        <ol className={classes.list}>
          {strong.map(([no, practice]) => (
            <Line
              key={no}
              name={names[no] ?? NO_NAME}
              figure={percentText(accuracyOf(practice))}
              part={accuracyOf(practice) ?? 0}
            />
          ))}
        </ol>
      )}
      <p className={common.note}>
        按累计作答算：作答满 {ENOUGH} 次、正确率不低于 {percentText(STRONG)}，{name}没有做错。
      </p>
    </section>
  )
}

interface SubjectsProps {
  rows: readonly ChapterSums[]
  missed: readonly StudyState[]
  name: string
}

/** 各题库 as they stand, and what was missed of each. */
export function Subjects({ rows, missed, name }: SubjectsProps) {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const list = weakest(practiceBy(rows, 'libraryNo')).slice(0, MOST)
  const counts = new Map(countMissed(missed, ({ libraryNo }) => (libraryNo === null ? [] : [libraryNo])))
  if (list.length === 0) return null
  return (
    <section className={common.panel} aria-labelledby="week-subjects">
      <h2 id="week-subjects" className={common.subheading}>
        各题库，最薄弱的在前
      </h2>
      <ol className={classes.list}>
        {list.map(([libraryNo, practice]) => (
          <Line
            key={libraryNo}
            name={homeOf(libraries, { libraryNo }).library?.title ?? '其他题库'}
            note={`${name}做错 ${counts.get(libraryNo) ?? 0} 题`}
            figure={percentText(accuracyOf(practice))}
            part={accuracyOf(practice) ?? 0}
          />
        ))}
      </ol>
      <p className={common.note}>正确率为累计，作答满 {ENOUGH} 次后显示。</p>
    </section>
  )
}

interface LineProps {
  name: string
  note?: string
  figure: string
  /** 0 … 1 */
  part: number
}

const Line = ({ name, note, figure, part }: LineProps) => (
  <li className={classes.line}>
    <div className={common.between}>
      <span className={common.grow}>
        {name}
        {note && <small className={clsx(common.caption, classes.below)}>{note}</small>}
      </span>
      <b className={clsx(common.fixed, common.figures)}>{figure}</b>
    </div>
    <Meter part={part} />
  </li>
)
