import { IconCheck, IconHourglass } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { VipDetail, VipDuration } from '#src/contract/vip.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { planSettings } from '#src/domain/study/plan.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { useThings } from '#src/offline/useThings.ts'
import { Bar } from '#src/sale/checkout/Bar.tsx'
import { Buy } from '#src/sale/Buy.tsx'
import { PriceNote } from '#src/sale/checkout/PriceNote.tsx'
import { type Prices, usePrices } from '#src/sale/checkout/usePrices.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import common from '#src/ui/common.module.css'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { Compare } from './parts/Compare.tsx'
import { Durations } from './parts/Durations.tsx'
import { vipListQuery, vipQuery } from './queries.ts'
import { isEnding, unlockText, untilText } from './texts.ts'
import classes from './Vip.module.css'

const TICK_MS = 60_000

interface VipDetailPageProps {
  no: string
  /** Another package. */
  onOpen: (no: string) => void
  onLeave: () => void
}

/** A VIP package: what it opens, for how long at which price, and how it compares. */
export function VipDetailPage({ no, onOpen, onLeave }: VipDetailPageProps) {
  const { data: vip, error, isPending, refetch } = useQuery(vipQuery(no))
  const { data: all } = useQuery(vipListQuery())
  const prices = usePrices(vip?.durations.map((duration) => duration.no) ?? [])
  const now = useServerNow(TICK_MS)
  if (isPending) return <Skeleton />
  if (!vip) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  const packages = all?.packages ?? []
  return (
    <div className={listing.page}>
      <BackButton onClick={onLeave}>首页</BackButton>
      {packages.length > 1 && (
        <Chips
          label="会员功能包"
          options={packages.map((each) => ({ value: each.no, label: each.title }))}
          chosen={no}
          onPick={onOpen}
        />
      )}
      <h1 className={clsx(listing.pageTitle, classes.title)}>{vip.title}</h1>
      <p className={clsx(common.quiet, classes.lead)}>{vip.summary}</p>
      {vip.open && (
        <p
          className={clsx(common.strong, common.accent, common.figures, classes.until, classes.lead)}
          data-ending={isEnding(vip, now) || undefined}
        >
          已开通，{untilText(vip, now)}
        </p>
      )}
      {prices.old && <PriceNote of="价格" />}
      <div className={classes.halves}>
        <Unlocks vip={vip} />
        <Choice no={no} durations={vip.durations.flatMap((each) => durationNow(each, prices))} now={now} />
      </div>
      {packages.some((each) => each.no === no) && <Compare free={all?.free ?? []} packages={packages} chosen={no} />}
    </div>
  )
}

/** As it is sold now, where that is known; nothing when it is not sold any more. */
function durationNow(duration: VipDuration, { now }: Prices): VipDuration[] {
  if (now === null) return [duration]
  const price = now.get(duration.no)
  return price ? [{ ...duration, price: price.price }] : []
}

function Unlocks({ vip: { unlocks, intro } }: { vip: VipDetail }) {
  return (
    <section aria-labelledby="vip-unlocks">
      <h2 id="vip-unlocks" className={clsx(common.heading, classes.heading)}>
        开通后可以用
      </h2>
      <ul className={clsx(common.stack, classes.unlocks)}>
        {unlocks.map((unlock) => (
          <li key={unlockText(unlock)} className={clsx(common.row, classes.unlock, unlock.count === 0 && common.quiet)}>
            {unlock.count === 0 ? (
              <IconHourglass className={clsx(common.fixed, classes.mark)} size={20} aria-hidden="true" />
            ) : (
              <IconCheck className={clsx(common.fixed, common.accent, classes.mark)} size={20} aria-hidden="true" />
            )}
            {unlockText(unlock)}
          </li>
        ))}
      </ul>
      <div className={listing.intro}>
        <RichText html={intro} />
      </div>
    </section>
  )
}

const NO_EXAM_DAY = { label: '先设置考试日期', why: '按考试日期开通，请先在“我的资料”里设置考试日期。' }

function Choice({ no, durations, now }: { no: string; durations: readonly VipDuration[]; now: number }) {
  const [picked, setPicked] = useState<string | null>(null)
  const settings = useThings('setting')
  const { examDay } = planSettings(settings ?? new Map())
  const chosen = durations.find((each) => each.no === picked) ?? durations[0]
  if (!chosen) return <p className={listing.lock}>这个功能包已下架，不再出售；已经开通的到期前照常使用。</p>
  return (
    <section aria-label="开通">
      <Durations durations={durations} today={dayOf(now)} examDay={examDay} chosen={chosen.no} onPick={setPicked} />
      <Buy
        Frame={Bar}
        product={{ kind: 'vip', no, quantity: 1, variant: chosen.no }}
        sum={chosen.price}
        without="一次付清，到期不自动续费"
        shut={chosen.days === null && examDay === null ? NO_EXAM_DAY : null}
      />
    </section>
  )
}
