import type { Tx } from '#server/db/open.ts'

/**
 * What a domain still has open with a student, each a sentence that says what to do about it: 还有 1 笔订单没有完成，请先…. Asked
 * before an account is closed, under the lock of the student's row: what opens a matter takes `for key share` of that row first.
 */
type OpenMatters = (tx: Tx, uid: string) => Promise<string[]>

/** Every domain that can have any. */
const DOMAINS: readonly OpenMatters[] = []

export const openMatters = async (tx: Tx, uid: string): Promise<string[]> => {
  const matters: string[] = []
  for (const of of DOMAINS) matters.push(...(await of(tx, uid)))
  return matters
}
