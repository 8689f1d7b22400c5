import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { MyVip } from '#src/contract/vip.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Listed } from '#src/ui/list/Listed.tsx'
import { VipCard } from './parts/VipCard.tsx'
import { myVipQuery, vipListQuery } from './queries.ts'
import { isEnding, untilText } from './texts.ts'
import classes from './Vip.module.css'

const TICK_MS = 60_000

/** 我的会员: what one has until when, and what there is. */
export function MyVipPage({ onOpen }: { onOpen: (no: string) => void }) {
  const mine = useQuery(myVipQuery())
  const all = useQuery(vipListQuery())
  const now = useServerNow(TICK_MS)
  const had = mine.data ?? []
  const others = all.data?.packages.filter(({ no }) => had.every((each) => each.no !== no)) ?? []
  return (
    <>
      <h1 className={clsx(common.heading, classes.lead)}>我的会员</h1>
      <Listed
        name="mine"
        label="我的会员"
        from={mine}
        rows={had}
        keyOf={({ no }) => no}
        empty="还没有开通会员。错题、笔记、收藏和学习记录不开通也能一直用。"
      >
        {(each) => <Mine vip={each} now={now} onOpen={() => onOpen(each.no)} />}
      </Listed>
      {others.length > 0 && (
        <section aria-labelledby="vip-others">
          <h2 id="vip-others" className={clsx(common.heading, classes.heading)}>
            可以开通
          </h2>
          <ul className={clsx(common.stack, classes.others)}>
            {others.map((each) => (
              <li key={each.no}>
                <VipCard vip={each} onOpen={() => onOpen(each.no)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Mine({ vip, now, onOpen }: { vip: MyVip; now: number; onOpen: () => void }) {
  return (
    <div className={clsx(common.card, common.column, classes.mine)}>
      <strong className={common.subheading}>{vip.title}</strong>
      <span className={common.note}>{vip.summary}</span>
      <span
        className={clsx(common.strong, common.accent, common.figures, classes.until)}
        data-ending={isEnding(vip, now) || undefined}
      >
        {untilText(vip, now)}
      </span>
      {vip.sold && (
        <Button small look="light" onClick={onOpen} aria-label={`查看 ${vip.title}`}>
          {vip.open ? '查看与续期' : '再次开通'}
        </Button>
      )}
    </div>
  )
}
