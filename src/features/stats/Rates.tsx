import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useMemo, useState } from 'react'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import { pointNamesQuery } from '#src/api/points.ts'
import { accuracyOf, ENOUGH, masteryOf, type Practice, practiceBy, weakest } from '#src/domain/study/stats.ts'
import type { ChapterSums } from '#src/domain/study/sums.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import { Meter } from './Meter.tsx'
import { NO_NAME, readPoints } from './points.ts'
import classes from './Stats.module.css'
import { percentText, timeText } from './texts.ts'

const BY = [
  { value: 'library', label: '题库' },
  { value: 'chapter', label: '章节' },
  { value: 'point', label: '知识点' },
] as const
type By = (typeof BY)[number]['value']

/** 正确率、掌握度、用时, the weakest first: one table, of what the student chooses. */
export function Rates({ rows }: { rows: readonly ChapterSums[] }) {
  const [by, setBy] = useState<By>('library')
  return (
    <section className={classes.wide}>
      <h3 className={clsx(common.subheading, classes.title)}>掌握情况</h3>
      <Chips label="分类" options={BY} chosen={by} onPick={setBy} />
      {by === 'point' ? <PointRates /> : <HomeRates key={by} rows={rows} by={by} />}
    </section>
  )
}

function HomeRates({ rows, by }: { rows: readonly ChapterSums[]; by: Exclude<By, 'point'> }) {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const key = by === 'library' ? 'libraryNo' : 'chapterNo'
  const list = useMemo(() => weakest(practiceBy(rows, key)), [rows, key])
  const nameOf = (no: string) => {
    const { library, chapter } = homeOf(libraries, { [key]: no })
    return by === 'library' ? (library?.title ?? OTHERS) : (chapter?.title ?? '其他章节')
  }
  return <RateTable list={list} nameOf={nameOf} />
}

function PointRates() {
  const { data: points = {} } = useQuery(pointNamesQuery())
  const list = useRecord(readPoints).data
  return list && <RateTable list={list} nameOf={(no) => points[no] ?? NO_NAME} />
}

/** Questions of papers and exams that no library of the direction has. */
const OTHERS = '其他题库'
/** So many at first, and so many more at a tap: a student of three years has a thousand points. */
const FIRST = 6
const MORE = 30

interface RateTableProps {
  list: readonly [no: string, practice: Practice][]
  nameOf: (no: string) => string
}

function RateTable({ list, nameOf }: RateTableProps) {
  const [shown, setShown] = useState(FIRST)
  if (list.length === 0) return <p className={common.note}>作答满 {ENOUGH} 次后显示。</p>
  return (
    <>
      <table className={clsx(common.small, common.figures, classes.rates)}>
        <caption className={clsx(common.caption, classes.caption)}>最薄弱的在前；作答满 {ENOUGH} 次后显示</caption>
        <thead>
          <tr>
            {['名称', '正确率', '掌握', '用时'].map((name) => (
              <th key={name} scope="col" className={clsx(common.quiet, classes.plain, classes.cell, classes.column)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.slice(0, shown).map(([no, practice]) => (
            <Rate key={no} name={nameOf(no)} practice={practice} />
          ))}
        </tbody>
      </table>
      <p className={common.note}>
        正确率按全部作答算；掌握是做过的题里最近一次答对的比例，题库页的正确率也是这样算的。“{OTHERS}
        ”是试卷、考试里不在题库的题。
      </p>
      <div className={common.wrap}>
        {shown < list.length && (
          <Button look="quiet" small onClick={() => setShown(shown + MORE)}>
            再显示 {Math.min(MORE, list.length - shown)} 项（共 {list.length} 项）
          </Button>
        )}
        {shown > FIRST && (
          <Button look="quiet" small onClick={() => setShown(FIRST)}>
            收起
          </Button>
        )}
      </div>
    </>
  )
}

function Rate({ name, practice }: { name: string; practice: Practice }) {
  const rate = accuracyOf(practice) ?? 0
  return (
    <tr className={classes.row}>
      <th scope="row" className={clsx(classes.plain, classes.cell)}>
        {name}
        <small className={clsx(common.quiet, classes.below)}>{practice.answered} 次作答</small>
      </th>
      <td className={clsx(classes.cell, classes.rate)}>
        {percentText(rate)}
        <Meter part={rate} />
      </td>
      <td className={clsx(classes.cell, classes.rate)}>{percentText(masteryOf(practice))}</td>
      <td className={clsx(classes.cell, classes.time)}>{timeText(practice.spentMs)}</td>
    </tr>
  )
}
