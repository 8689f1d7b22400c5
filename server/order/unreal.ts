import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'
import { readBalance } from '#server/wallet/store.ts'
import type { Payment } from './store.ts'

/** A payment is unreal when it was paid at the sandbox and the sandbox is no provider here any more. */
const unreal = sql<boolean>`provider = 'sandbox' and stranded_at is not null and state = 'paid' and returned < amount`
export const isUnreal = ({ provider, stranded_at, state, returned, amount }: Payment): boolean =>
  provider === 'sandbox' && stranded_at !== null && state === 'paid' && returned < amount

/** Tells whether some of what this student has paid is no money: the wallet pays nothing until the operator has voided it. */
export async function hasUnreal(db: Db | Tx, uid: string): Promise<boolean> {
  const row = await db
    .selectFrom('payment')
    .select('id')
    .where('uid', '=', uid)
    .where(unreal)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
/**
 * Reads payments that were begun at the sandbox, which is no provider here any more, and have not come to their end.
 * @param uid absent: of all students
 */
export function readAtSandbox(db: Db | Tx, uid?: string): Promise<Payment[]> {
  const all = db.selectFrom('payment').selectAll().where(sql<boolean>`provider = 'sandbox' and stranded_at is not null
      and (state = 'open' or (state in ('paid', 'differs') and returned < coalesce(came, amount)))`)
  return (uid === undefined ? all : all.where('uid', '=', uid)).orderBy('begun_at').orderBy('id').execute()
}
/** Says how many fen came by a payment and have not gone back. */
export const leftOf = ({ state, came, amount, returned }: Payment): number =>
  state === 'paid' || state === 'differs' ? (came ?? amount) - returned : 0

/** Reads how much of the wallet can be spent, fen. */
export const readSpendable = async (db: Db | Tx, uid: string): Promise<number> =>
  (await hasUnreal(db, uid)) ? 0 : readBalance(db, uid)
