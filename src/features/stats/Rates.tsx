import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useMemo, useState } from 'react'
import { homeOf, libraryListQuery } from '#src/api/libraries.ts'
import { pointNamesQuery } from '#src/api/points.ts'
import {
  accuracyOf,
  ENOUGH,
  masteryOf,
  type Practice,
  practiceBy,
  practiceByPoint,
  weakest,
} from '#src/domain/study/stats.ts'
import type { ChapterSums } from '#src/domain/study/sums.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { Meter } from './Meter.tsx'
import classes from './Stats.module.css'
import { percentText, timeText } from './texts.ts'

/** 正确率、掌握度、用时 by library, chapter and point, the weakest first. */
export function Rates({ rows }: { rows: readonly ChapterSums[] }) {
  const { data: libraries = [] } = useQuery(libraryListQuery())
  const found = useMemo(
    () => ({
      library: weakest(practiceBy(rows, 'libraryNo')),
      chapter: weakest(practiceBy(rows, 'chapterNo')),
    }),
    [rows],
  )
  return (
    <>
      <RateTable
        title="各题库"
        list={found.library}
        nameOf={(no) => homeOf(libraries, { libraryNo: no }).library?.title ?? '其他题库'}
      />
      <RateTable
        title="各章节"
        list={found.chapter}
        nameOf={(no) => homeOf(libraries, { chapterNo: no }).chapter?.title ?? '其他章节'}
      />
      <PointRates />
    </>
  )
}

/** A student of three years has ten times as many amounts of points as of everything else: they come after it. */
function PointRates() {
  const { data: points = {} } = useQuery(pointNamesQuery())
  const list = useRecord(readPoints).data
  if (!list) return null
  return <RateTable title="各知识点" list={list} nameOf={(no) => points[no] ?? '知识点（联网后显示名称）'} />
}

const readPoints = async (): Promise<[no: string, practice: Practice][]> =>
  weakest(practiceByPoint(await offline.allCounters('points').catch(() => [])))

/** So many at first. */
const FIRST = 6

interface RateTableProps {
  title: string
  list: readonly [no: string, practice: Practice][]
  nameOf: (no: string) => string
}

function RateTable({ title, list, nameOf }: RateTableProps) {
  const [all, setAll] = useState(false)
  return (
    <section>
      <h3 className={clsx(common.subheading, classes.title)}>{title}</h3>
      {list.length === 0 ? (
        <p className={common.note}>作答满 {ENOUGH} 次后显示。</p>
      ) : (
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
            {list.slice(0, all ? undefined : FIRST).map(([no, practice]) => (
              <Rate key={no} name={nameOf(no)} practice={practice} />
            ))}
          </tbody>
        </table>
      )}
      {!all && list.length > FIRST && (
        <Button look="quiet" small onClick={() => setAll(true)}>
          显示全部 {list.length} 项
        </Button>
      )}
    </section>
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
