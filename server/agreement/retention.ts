import { sweepActs } from '#server/config/store.ts'
import type { Db } from '#server/db/open.ts'
import { sweepLimits } from '#server/http/limits.ts'
import { sweepJobs } from '#server/jobs/store.ts'
import { sweepLogin } from '#server/login/store.ts'
import { sweepSeen } from '#server/news/store.ts'
import { forgetReceivers } from '#server/order/store.ts'
import { sweepEvents } from '#server/security/store.ts'

/** Deletes whatever has been kept for as long as 隐私政策 says (dataMap.ts). */
export async function sweepPersonal(db: Db, now: number): Promise<void> {
  const sweeps = [sweepLogin, sweepLimits, sweepSeen, sweepEvents, sweepJobs, forgetReceivers, sweepActs]
  await Promise.all(sweeps.map((sweep) => sweep(db, now)))
}
