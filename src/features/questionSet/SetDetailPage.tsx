import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { PaperHead, SetDetail } from '#src/contract/questionSet.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { MODES } from '#src/domain/study/modes.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { RichText } from '#src/ui/text/RichText.tsx'
import { Buy } from '#src/sale/Buy.tsx'
import { Badges } from '#src/ui/list/Badges.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { setPolicy } from './policy.ts'
import { setQuery } from './queries.ts'
import { ModePicker } from '#src/sitting/ModePicker.tsx'
import { PastSittings } from '#src/sitting/PastSittings.tsx'
import { chooseMode, rememberedMode } from '#src/sitting/engine/chosenMode.ts'
import { beginAt } from '#src/sitting/engine/open.ts'
import { type Begun, bestText, type Past, pastOf, useProgress } from '#src/sitting/useProgress.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import { KIND_NAMES } from './texts.ts'
import listing from '#src/ui/list/Listing.module.css'

interface SetDetailPageProps {
  no: string
  /** `past`: how a sitting went that was handed in. */
  onStart: (itemNo: string, title: string, past?: string) => void
  onLeave: () => void
}

/** A set: what it is, its papers, and how to do them. */
export function SetDetailPage({ no, onStart, onLeave }: SetDetailPageProps) {
  const { data: set, error, isPending, refetch } = useQuery(setQuery(no))
  const progress = useProgress()
  const [mode, setMode] = useState(rememberedMode)
  if (isPending) return <Skeleton />
  if (!set) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  const start = async ({ no: itemNo, title }: PaperHead, anew: boolean) => {
    await (anew ? beginAt(setPolicy, { no, itemNo }, mode) : chooseMode(itemNo, mode))
    onStart(itemNo, title)
  }
  return (
    <div className={listing.page}>
      <BackButton onClick={onLeave}>全部题集</BackButton>
      <Badges kind={KIND_NAMES[set.kind]} of={set} />
      <h1 className={listing.pageTitle}>{set.title}</h1>
      <div className={listing.intro}>
        <RichText html={set.intro} />
      </div>
      {!set.open && <Lock set={set} />}
      <ModePicker modes={MODES} mode={mode} onMode={setMode} />
      <ul className={common.stack}>
        {set.items.map((item) => (
          <li key={item.no} className={clsx(common.between, common.card)}>
            <PaperRow
              item={item}
              past={progress ? pastOf(progress, item.no) : []}
              begun={progress?.begun.find((each) => each.itemNo === item.no && each.mode === mode) ?? null}
              onStart={(anew) => void start(item, anew)}
              onPast={(id) => onStart(item.no, item.title, id)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface PaperRowProps {
  item: PaperHead
  /** The newest first. */
  past: readonly Past[]
  /** In the mode that is chosen. */
  begun: Begun | null
  /** `anew`: the one that was begun last is handed in. */
  onStart: (anew: boolean) => void
  onPast: (id: string) => void
}

function PaperRow({ item, past, begun, onStart, onPast }: PaperRowProps) {
  const shut = item.locked === item.count
  const name = startName(item, begun)
  return (
    <>
      <div className={common.column}>
        <h2 className={common.subheading}>{item.title}</h2>
        <p className={listing.facts}>
          <span>{item.count} 题</span>
          <span>满分 {marksText(item.full)} 分</span>
          <span>建议 {item.minutes} 分钟</span>
          <span>{bestText(past, true) || '还没有成绩'}</span>
          {begun && !begun.handedIn && begun.answered > 0 && (
            <span>
              已答 {begun.answered}/{begun.total} 题
            </span>
          )}
        </p>
        {past.length > 0 && <PastSittings title={item.title} past={past} onPast={onPast} />}
      </div>
      <Button disabled={shut} onClick={() => onStart(begun?.handedIn ?? false)} aria-label={`${name} ${item.title}`}>
        {name}
      </Button>
    </>
  )
}

function startName({ locked, count }: PaperHead, begun: Begun | null): string {
  if (locked === count) return '未解锁'
  if (begun?.handedIn) return '再做一遍'
  if (begun && begun.answered > 0) return '继续'
  return locked === 0 ? '开始' : `试做 ${count - locked} 题`
}

/** What a price keeps back, and what is free of it. */
const Lock = ({ set }: { set: SetDetail }) => (
  <Buy
    label="整套"
    product={{ kind: 'set', no: set.no, quantity: 1, variant: null }}
    sum={set.price}
    {...(set.vip && { without: 'VIP 可用' })}
    also={`现在可以免费试做前 ${set.trial} 题，作答照常保留。`}
  />
)
