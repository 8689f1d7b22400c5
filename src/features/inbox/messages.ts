import { useQuery } from '@tanstack/react-query'
import { query } from '#src/api/query.ts'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import { exam } from '#src/contract/exam.ts'
import type { Thing } from '#src/contract/study.ts'
import { resultsAt } from '#src/domain/paper/exam.ts'
import { offline } from '#src/offline/index.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { useThings } from '#src/offline/useThings.ts'

/** Something that happened while the student was away. */
export type Message = {
  key: string
  /** By the server's clock, epoch ms. */
  at: number
  unread: boolean
} & (
  | { of: 'notice'; questionNo: string; notice: Thing<'notice'> }
  | { of: 'report'; report: Thing<'report'> }
  | { of: 'exam'; sittingId: string; title: string }
  | { of: 'order'; orderId: string; order: Thing<'order'> }
)
export type MessageOf<K extends Message['of']> = Extract<Message, { of: K }>

const TICK_MS = 30_000
/** An exam that ended before that is in the list, and is no message for a device that hears of it only now. */
const MESSAGE_MS = 30 * 86_400_000

/** The newest first; null until the device has been read. */
export function useMessages(): Message[] | null {
  const notices = useThings('notice')
  const reports = useThings('report')
  const sittings = useThings('exam')
  const orders = useThings('order')
  const settings = useThings('setting')
  const now = useServerNow(TICK_MS)
  const { data: exams } = useQuery({ ...query(exam.list, {}), enabled: sittings !== null && sittings.size > 0 })
  if (!notices || !reports || !sittings || !orders || !settings) return null
  const seen = momentOf(settings, 'noticesSeen')
  const repliesSeen = repliesSeenIn(settings)
  const all: Message[] = []
  for (const [questionNo, notice] of notices)
    all.push({ of: 'notice', key: `notice:${questionNo}`, ...readUpTo(notice.at, seen), questionNo, notice })
  for (const [id, report] of reports)
    if (report.answeredAt !== undefined)
      all.push({ of: 'report', key: `report:${id}`, ...readUpTo(report.answeredAt, repliesSeen), report })
  for (const [id, order] of orders)
    all.push({ of: 'order', key: `order:${id}`, ...readUpTo(order.at, seen), orderId: id, order })
  for (const { no, title, window, rankClosesAt } of exams ?? []) {
    const outAt = resultsAt({ window, rankClosesAt })
    const sittingId = window && outAt !== null && outAt <= now ? satIn(sittings, no, outAt) : null
    if (outAt !== null && sittingId !== null)
      all.push({
        of: 'exam',
        key: `exam:${no}`,
        ...readUpTo(outAt, Math.max(seen, now - MESSAGE_MS)),
        sittingId,
        title,
      })
  }
  return all.sort((a, b) => b.at - a.at)
}

const readUpTo = (at: number, seen: number) => ({ at, unread: at > seen })
type Settings = ReadonlyMap<string, Thing<'setting'>>
const momentOf = (settings: Settings, name: string): number => Number(settings.get(name)?.value) || 0

const repliesSeenIn = (settings: Settings): number =>
  Math.max(momentOf(settings, 'noticesSeen'), momentOf(settings, 'repliesSeen'))

/** The sitting whose marks came out with those of all, the one that is ranked before all others; null: there is none. */
function satIn(sittings: ReadonlyMap<string, ExamSittingRecord>, no: string, outAt: number): string | null {
  const sat = [...sittings].filter(
    ([, { exam: of, handedAt, by }]) => of === no && handedAt !== null && (handedAt < outAt || by === 'server'),
  )
  const [first] = sat.find(([, { mode }]) => mode === 'exam') ?? sat[0] ?? []
  return first ?? null
}

/** Reports whose replies were not read yet. */
export function useUnreadReplies(): Thing<'report'>[] {
  const reports = useThings('report')
  const settings = useThings('setting')
  if (!reports || !settings) return []
  const seen = repliesSeenIn(settings)
  return [...reports.values()].filter(({ answeredAt = 0 }) => answeredAt > seen)
}

/** Up to the newest that was shown: what comes later is new again. */
export async function markSeen(name: 'noticesSeen' | 'repliesSeen', shown: readonly number[]): Promise<void> {
  const value = Math.max(0, ...shown)
  if (value > 0) await offline.add({ kind: 'setting', payload: { name, value } })
}
