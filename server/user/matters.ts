import type { Tx } from '#server/db/open.ts'
import { openTrade } from '#server/order/store.ts'
import { openBalance } from '#server/wallet/store.ts'

/** What a domain still has open with a student, each a sentence that says what to do about it. */
type OpenMatters = (tx: Tx, uid: string) => Promise<string[]>

/** Every domain that can have any. Asked under the lock of the student's wallet, which whoever moves money takes first. */
const DOMAINS: readonly OpenMatters[] = [openTrade, openBalance]

export async function openMatters(tx: Tx, uid: string): Promise<string[]> {
  const matters: string[] = []
  for (const of of DOMAINS) matters.push(...(await of(tx, uid)))
  return matters
}
