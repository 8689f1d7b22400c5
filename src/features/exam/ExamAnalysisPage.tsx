import { clsx } from 'clsx'
import { examReview } from '#src/offline/drafts/exam.ts'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ExamKey } from '#src/contract/exam.ts'
import { Player } from '#src/player/Player.tsx'
import { type Item, lookOf, partState, type PlayerState } from '#src/player/playerState.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import common from '#src/ui/common.module.css'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { examKeyQuery, useExamHead } from './queries.ts'
import { openReview } from './review.ts'
import { itemsOfPaper } from '#src/sitting/engine/sitting.ts'
import { Chips } from '#src/ui/list/Chips.tsx'
import classes from './Exams.module.css'

const FILTERS = {
  全部: () => true,
  错题: (state, item) => ['wrong', 'partial'].includes(lookOf(state, item)),
  存疑: (state, { part }) => partState(state, part).flagged ?? false,
} satisfies Record<string, (state: PlayerState, item: Item) => boolean>
type Filter = keyof typeof FILTERS
const NAMES = Object.keys(FILTERS) as Filter[]

interface ExamAnalysisPageProps {
  sittingId: string
  /** Shown until the exam's own is known. */
  title: string
  /** The question to begin at. */
  currentId?: string | undefined
  onLeave: () => void
}

/** 解析: each question with my answer, the right one and why; all of them, what is not wholly right, or what was in doubt. */
export function ExamAnalysisPage({ sittingId, title, currentId, onLeave }: ExamAnalysisPageProps) {
  const { data: key, error, isPending, refetch } = useQuery(examKeyQuery(sittingId))
  const [filter, setFilter] = useState<Filter>('全部')
  if (!key && !isPending) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  if (!key) return <Skeleton />
  const pick = (
    <div className={classes.measure}>
      <Chips
        label="看哪些题"
        options={NAMES.map((name) => ({ value: name, label: name }))}
        chosen={filter}
        onPick={setFilter}
      />
    </div>
  )
  return <Filtered key={filter} {...{ examKey: key, filter, currentId, title, pick, onLeave }} />
}

interface FilteredProps extends Omit<ExamAnalysisPageProps, 'sittingId'> {
  examKey: ExamKey
  filter: Filter
  pick: ReactNode
}

/** One filter at a time; each goes on with what was marked under the one before. */
function Filtered({ examKey, filter, currentId, ...view }: FilteredProps) {
  const title = useExamHead(examKey.no)?.title ?? view.title
  const [state, setState] = useState<PlayerState | null>(null)
  useEffect(() => {
    let current = true
    void openReview(examKey).then((opened) => current && setState(opened))
    return () => {
      current = false
    }
  }, [examKey])
  if (!state) return <Skeleton />
  const items = state.items.filter((item) => FILTERS[filter](state, item))
  if (items.length === 0)
    return (
      <section className={clsx(common.column, classes.page, classes.report)}>
        {view.pick}
        <p>{filter === '错题' ? '没有错题。' : '没有标过存疑的题。'}</p>
      </section>
    )
  const at = Math.max(
    0,
    items.findIndex(({ part, material }) => part.no === currentId || material?.no === currentId),
  )
  return <Review {...view} title={title} examKey={examKey} initial={{ ...state, items, at }} />
}

interface ReviewProps extends Omit<FilteredProps, 'filter' | 'currentId'> {
  initial: PlayerState
}

function Review({ examKey, initial, title, pick, onLeave }: ReviewProps) {
  const player = usePlayer(initial, examReview.key(examKey.attemptId), 'exam')
  const all = itemsOfPaper(examKey)
  const { items, at } = player.state
  const n = all.findIndex(({ part }) => part.no === items[at]?.part.no) + 1
  const above = (
    <>
      {pick}
      {items.length < all.length && <p className={clsx(common.note, classes.measure)}>试卷第 {n} 题</p>}
    </>
  )
  const close = (
    <IconButton aria-label="退出解析" onClick={onLeave}>
      <IconX size={22} />
    </IconButton>
  )
  return (
    <Player
      player={player}
      title={title}
      onEnd={onLeave}
      close={close}
      mayRecite={false}
      above={above}
      endLabel="返回报告"
    />
  )
}
