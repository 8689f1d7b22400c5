import { sql } from 'kysely'
import { logChange } from '#server/config/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { Refusal } from '#server/http/handlers.ts'
import type { Standing } from '#server/outside/pay.ts'
import { type Desk, take } from './payments.ts'
import { settleRefund } from './refunds.ts'
import * as store from './store.ts'
import { isUnreal } from './unreal.ts'

/** So long a provider is asked again and again before somebody must look at it. */
const PATIENCE_MS = 86_400_000

/**
 * What keeps a payment from its end until the operator acts: `differs`: another sum came; `unheard`: nobody says whether it was
 * paid; `unreturned`: what is to go back does not; `unreal`: it was paid at the sandbox, which is no provider here any more.
 */
export type TroubleKind = 'differs' | 'unheard' | 'unreturned' | 'unreal'
export interface Trouble {
  id: string
  kind: TroubleKind
  provider: store.Payment['provider']
  /** The provider is not configured any more. */
  gone: boolean
  /** Null: a top-up. */
  order: string | null
  /** Of the student; null: the account is closed. */
  mobile: string | null
  /** Fen: what was asked for, what came instead, what is to go back. */
  amount: number
  came: number | null
  owed: number
  /** The provider's number of it. */
  ref: string | null
  begunAt: number
}

function troubleOf(payment: store.Payment, now: number): TroubleKind | null {
  const { state, stranded_at, refund_state, refund_failed_at, owed_at, expires_at } = payment
  const gone = stranded_at !== null
  if (store.isOwed(payment)) {
    const long = owed_at !== null && now - owed_at >= PATIENCE_MS
    return gone || refund_failed_at !== null || long ? 'unreturned' : null
  }
  if (isUnreal(payment)) return 'unreal'
  if (state === 'differs' && refund_state === null) return 'differs'
  return state === 'open' && (gone || now - expires_at >= PATIENCE_MS) ? 'unheard' : null
}

/** The oldest first. */
export async function listTroubles(db: Db, now: number): Promise<Trouble[]> {
  const { rows } = await sql<store.Payment & { mobile: string | null }>`
    select p.*, s.mobile from payment p left join student s on s.uid = p.uid
      where p.state = 'open' or p.state = 'differs' or p.refund_state in ('due', 'pending') or (p.provider = 'sandbox' and p.stranded_at is not null)
      order by p.begun_at, p.id`.execute(db)
  return rows.flatMap((payment) => {
    const kind = troubleOf(payment, now)
    if (!kind) return []
    const { id, provider, order_id: order, mobile, amount, came, refund_amount: owed, ref, begun_at: begunAt } = payment
    const gone = payment.stranded_at !== null
    return [{ id, kind, provider, gone, order, mobile, amount, came, owed, ref, begunAt }]
  })
}

/**
 * Tells once of each payment that waits for a provider which is not configured; one that is configured again is asked again. What was
 * paid at the sandbox is no money where that is gone.
 */
export async function tellStranded(desk: Desk, now: number): Promise<boolean> {
  const names = [...desk.providers.keys()]
  const { rows } = await sql<{ id: string; provider: string; waits: boolean }>`
    update payment set stranded_at = case when provider = any(${names}) then null else ${now}::bigint end
      where (state = 'open' or refund_state in ('due', 'pending') or (provider = 'sandbox' and state in ('paid', 'differs')))
        and (provider = any(${names})) = (stranded_at is not null)
      returning id, provider, stranded_at is not null and (state = 'open' or refund_state in ('due', 'pending')) as waits`.execute(
    desk.db,
  )
  for (const { id, provider, waits } of rows)
    if (waits) desk.failed(new Error(`${provider} is not configured any more: npm run orders -- troubles`), id)
  return false
}

/** What the operator has found out at the provider's, or has done there: asked of nobody else, and kept in the log. */
export type Outcome =
  | { kind: 'paid'; ref: string; amount: number | null }
  | { kind: 'unpaid' }
  | { kind: 'returned' }
  /** It goes back through the provider. */
  | { kind: 'return' }

const ENDS: Record<TroubleKind, readonly Outcome['kind'][]> = {
  unheard: ['paid', 'unpaid'],
  differs: ['return', 'returned'],
  unreturned: ['returned'],
  unreal: [],
}
const WHAT: Record<TroubleKind, string> = {
  unheard: '没有查到结果，请用 resolve 支付单号 paid 或 unpaid',
  differs: '金额不符，请用 return 支付单号 原路退回；已在别处退回的，用 resolve 支付单号 returned',
  unreturned: '没有退回，在别处退回后，请用 resolve 支付单号 returned',
  unreal: '是沙箱付款，不是真钱，请用 void-sandbox 作废',
}

/** Ends what is in trouble, all of it or nothing. @throws Refusal that says why not */
export async function resolve(db: Db, id: string, outcome: Outcome, reason: string, now: number): Promise<void> {
  const found = await store.readPayment(db, id)
  if (!found) throw new Refusal(`没有支付单 ${id}`)
  await db.transaction().execute(async (tx) => {
    const payment = await store.lockPayment(tx, found)
    const trouble = troubleOf(payment, now)
    if (!trouble) throw new Refusal('这笔款项没有等待人工处理，可能已经处理过')
    if (!ENDS[trouble].includes(outcome.kind)) throw new Refusal(`这笔款项${WHAT[trouble]}`)
    await logChange(tx, 'payments', `${id} ${WORDS[outcome.kind]}：${reason}`, now)
    await act(tx, payment, outcome, now)
  })
}
const WORDS: Record<Outcome['kind'], string> = {
  paid: '人工确认已付',
  unpaid: '人工确认未付',
  returned: '人工确认已退回',
  return: '金额不符，原路退回',
}

async function act(tx: Tx, payment: store.Payment, outcome: Outcome, now: number): Promise<void> {
  const { id, amount, came } = payment
  if (outcome.kind === 'paid' || outcome.kind === 'unpaid') {
    const standing: Exclude<Standing, { state: 'open' }> =
      outcome.kind === 'paid'
        ? { state: 'paid', amount: outcome.amount ?? amount, ref: outcome.ref, at: now }
        : { state: 'closed' }
    await take(tx, payment, standing, now)
    return
  }
  if (!store.isOwed(payment)) await store.owe(tx, id, came ?? amount, now)
  if (outcome.kind === 'returned') await settleRefund(tx, payment, 'done', now)
}
