import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { countPhases } from '#src/domain/study/errorBook.ts'
import { useMessages } from '#src/features/inbox/messages.ts'
import { couponsQuery, ordersQuery } from '#src/sale/queries.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { useThings } from '#src/offline/useThings.ts'
import { ruleIn } from '#src/player/marks/bookActs.ts'
import { useSeen } from '#src/sale/seen.tsx'
import { useSession } from '#src/session/useSession.ts'

const TICK_MS = 30_000
/** A coupon that ends within these is about to end. */
const SOON_MS = 3 * 86_400_000

/** Each count belongs to one of these; null: this device does not know it (yet). */
export interface Counts {
  /** These ask the student for something. */
  due: number | null
  unpaid: number | null
  ending: number | null
  unread: number | null
  /** These say how much there is. */
  errors: number | null
  collected: number | null
  noted: number | null
  coupons: number | null
}

/** All from this device, where it has the answer; what the server says of money is asked for anew and kept. */
export function useCounts(figures: Figures | null): Counts {
  const now = useServerNow(TICK_MS)
  const enabled = useSession().token !== ''
  const orders = useSeen(useInfiniteQuery({ ...ordersQuery(['pending']), staleTime: 0, enabled })).data
  const coupons = useSeen(useQuery({ ...couponsQuery(), enabled })).data?.coupons.filter(
    ({ state, until }) => state === 'usable' && until > now,
  )
  const messages = useMessages()
  const settings = useThings('setting')
  const sum = (name: string) => figures && figures.rows.reduce((all, { sums }) => all + (sums[name] ?? 0), 0)
  return {
    // 今日任务 says the same: what the day's plan holds, not all that is overdue.
    due: figures && (figures.plan[0]?.planned ?? 0),
    // One that was left unpaid for too long is no longer waiting, whatever was seen of it.
    unpaid: orders?.pages.flatMap((page) => page.orders).filter(({ expiresAt }) => expiresAt > now).length ?? null,
    ending: coupons?.filter(({ until }) => until - now <= SOON_MS).length ?? null,
    unread: messages?.filter(({ unread }) => unread).length ?? null,
    errors: figures && settings && countPhases(figures.rows, ruleIn(settings)).open,
    collected: sum('collected'),
    noted: sum('noted'),
    coupons: coupons?.length ?? null,
  }
}
