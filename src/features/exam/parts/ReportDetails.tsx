import { clsx } from 'clsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ExamKey } from '#src/contract/exam.ts'
import { isPlaceTold } from '#src/domain/paper/exam.ts'
import { satQuestions } from '#src/domain/paper/examReport.ts'
import type { Score } from '#src/domain/question/rules.ts'
import common from '#src/ui/common.module.css'
import { examReportQuery } from '../queries.ts'
import { toItemNo } from '#src/sitting/itemNo.ts'
import { readHanded } from '../sitting.ts'
import { Distribution } from './Distribution.tsx'
import { Sections, Types } from './Sections.tsx'
import { isCounting, Standing } from './Standing.tsx'
import { Times } from './Times.tsx'
import { Topics } from './Topics.tsx'
import classes from '../Report.module.css'

const COUNTING_MS = 3_000
/** Then it is left to the student to ask. */
const TRIES = 6

export interface ReportDetailsProps {
  examKey: ExamKey
  /** What the student gave to essays. */
  own: ReadonlyMap<string, Score>
  title: string
  applyCount: number
}

const NOTHING: ReadonlyMap<string, number> = new Map()

/** How long each question was on the screen, where it was sat here. */
function useLooked(sittingId: string): ReadonlyMap<string, number> {
  const [looked, setLooked] = useState(NOTHING)
  useEffect(() => {
    void readHanded(sittingId).then((handed) => {
      if (handed) setLooked(new Map(Object.entries(handed.parts).map(([no, { spentMs }]) => [no, spentMs])))
    })
  }, [sittingId])
  return looked
}

/** What a sitting says about what to study next, all of it from the key; the server adds how all others did. */
export function ReportDetails({ examKey, own, title, applyCount }: ReportDetailsProps) {
  const { attemptId: sittingId, no, earned } = examKey
  const told = useQuery({
    ...examReportQuery(sittingId),
    // Only while the page is seen, as refetchIntervalInBackground is off.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isCounting(data) && dataUpdateCount < TRIES ? COUNTING_MS : false,
  })
  const looked = useLooked(sittingId)
  const questions = satQuestions(examKey, own, looked)
  const report = told.data
  // Among few the averages would tell who else sat it, as their places would.
  const others = report && isPlaceTold(report) ? report : null
  return (
    <div className={clsx(common.stack, classes.details)}>
      <Standing told={told} exam={{ no, name: title, applyCount: String(applyCount) }} />
      <Topics questions={questions} />
      <Sections
        questions={questions}
        titles={examKey.sections.map((section) => section.title)}
        averages={others?.sections ?? []}
      />
      {others && <Distribution bands={others.bands} {...earned} />}
      <Types questions={questions} alone={!others} />
      <Times questions={questions} sitting={{ no, title, itemNo: toItemNo(sittingId) }} />
    </div>
  )
}
