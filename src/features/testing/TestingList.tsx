import { useQuery } from '@tanstack/react-query'
import type { TestingHead } from '#src/contract/testing.ts'
import { type Past, pastOf, type Progress, useProgress } from '#src/sitting/useProgress.ts'
import { scoreText } from '#src/sitting/texts.ts'
import common from '#src/ui/common.module.css'
import { Badges } from '#src/ui/list/Badges.tsx'
import { ITEM, Listed } from '#src/ui/list/Listed.tsx'
import { testingListQuery } from './queries.ts'
import { FREE, KIND_NAMES, timeOf } from './texts.ts'
import listing from '#src/ui/list/Listing.module.css'

interface TestingListProps {
  onOpen: (no: string) => void
}

/** 测评 of the direction, by themselves. */
export function TestingList({ onOpen }: TestingListProps) {
  const from = useQuery(testingListQuery())
  const progress = useProgress()
  return (
    <Listed name="testings" from={from} rows={from.data ?? []} keyOf={({ no }) => no}>
      {(testing) => (
        <TestingCard testing={testing} last={lastOf(progress, testing)} onOpen={() => onOpen(testing.no)} />
      )}
    </Listed>
  )
}

/** The same among other papers, where their absence says nothing. */
export function TestingItems({ onOpen }: TestingListProps) {
  const { data = [] } = useQuery(testingListQuery())
  const progress = useProgress()
  return data.map((testing) => (
    <li key={testing.no} {...ITEM}>
      <TestingCard testing={testing} last={lastOf(progress, testing)} onOpen={() => onOpen(testing.no)} />
    </li>
  ))
}

const lastOf = (progress: Progress | null, { no }: TestingHead): Past | null =>
  (progress && pastOf(progress, no)[0]) ?? null

interface TestingCardProps {
  testing: TestingHead
  last: Past | null
  onOpen: () => void
}

function TestingCard({ testing, last, onOpen }: TestingCardProps) {
  return (
    <button type="button" className={listing.card} onClick={onOpen}>
      <Badges kind={KIND_NAMES[testing.kind]} of={FREE} />
      <strong className={common.subheading}>{testing.title}</strong>
      <span className={listing.facts}>
        <span>{testing.count} 题</span>
        <span>{timeOf(testing.minutes)}</span>
        {last && <span>上次 {scoreText(last)}</span>}
      </span>
    </button>
  )
}
