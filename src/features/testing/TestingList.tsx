import { useQuery } from '@tanstack/react-query'
import type { TestingHead } from '#src/contract/testing.ts'
import { type Past, pastOf, useProgress } from '#src/sitting/useProgress.ts'
import { scoreText } from '#src/sitting/texts.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { testingListQuery } from './queries.ts'
import { KIND_NAMES, timeOf } from './texts.ts'
import listing from '#src/ui/Listing.module.css'

interface TestingListProps {
  onOpen: (no: string) => void
}

/** 测评 of the direction, by themselves. */
export function TestingList({ onOpen }: TestingListProps) {
  const { data, error, isPending, refetch } = useQuery(testingListQuery())
  if (isPending) return <Skeleton />
  if (!data) return <ErrorCard error={error} onRetry={() => void refetch()} />
  if (data.length === 0) return <p className={listing.empty}>暂无更多...</p>
  return (
    <ul className={listing.list}>
      <TestingItems onOpen={onOpen} />
    </ul>
  )
}

/** The same among other papers, where their absence says nothing. */
export function TestingItems({ onOpen }: TestingListProps) {
  const { data = [] } = useQuery(testingListQuery())
  const progress = useProgress()
  return data.map((testing) => (
    <li key={testing.no}>
      <TestingCard
        testing={testing}
        last={(progress && pastOf(progress, testing.no)[0]) ?? null}
        onOpen={() => onOpen(testing.no)}
      />
    </li>
  ))
}

interface TestingCardProps {
  testing: TestingHead
  last: Past | null
  onOpen: () => void
}

function TestingCard({ testing, last, onOpen }: TestingCardProps) {
  return (
    <button type="button" className={listing.card} onClick={onOpen}>
      <span className={listing.badges}>
        <span>{KIND_NAMES[testing.kind]}</span>
        <span>免费</span>
      </span>
      <strong>{testing.title}</strong>
      <span className={listing.facts}>
        <span>{testing.count} 题</span>
        <span>{timeOf(testing.minutes)}</span>
        {last && <span>上次 {scoreText(last)}</span>}
      </span>
    </button>
  )
}
