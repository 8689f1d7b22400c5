import { readSecret } from '#server/course/store.ts'
import { drawCode, hashCode } from '#server/coupon/codes.ts'
import { addCodes, type NewCode, writeCoupon } from '#server/coupon/store.ts'
import { HALF_OFF } from './orders.ts'
import type { TestServer } from './server.ts'

/** Makes a code as an operator does, and tells it. */
export async function makeCode(
  { db, clock }: TestServer,
  of: Partial<NewCode>,
  code: string = drawCode(),
): Promise<string> {
  const hash = hashCode(await readSecret(db), code)
  const made = { coupon: null, duration: null, days: null, uses: 1, ...of, hash }
  await db.transaction().execute((tx) => addCodes(tx, [made], clock.now))
  return code
}
export const makeCoupon = ({ db }: TestServer, no: string, over: { until?: number; withdrawn?: boolean } = {}) =>
  db.transaction().execute((tx) =>
    writeCoupon(tx, {
      no,
      title: HALF_OFF.title,
      off: { kind: 'fen', value: 1000, most: null },
      threshold: 0,
      kinds: [],
      from: 0,
      until: HALF_OFF.until_at,
      withdrawn: false,
      ...over,
    }),
  )
