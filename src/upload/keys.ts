import { call } from '#src/api/client.ts'
import { getCosImgSig, type UploadKeys } from '#src/contract/config.ts'
import { session } from '#src/session/session.ts'

/** Keys with less time left than this are asked for anew. */
const REFRESH_MS = 60_000

/** The keys of one student, asked for when they are needed and kept while they are good, by this device's own passing of time. */
function makeRing() {
  let had: { keys: UploadKeys; at: number; wall: number } | null = null
  let asking: Promise<UploadKeys> | null = null
  const goodFor = ({ keys: { tempKeys }, at, wall }: NonNullable<typeof had>): number =>
    (tempKeys.expiredTime - tempKeys.startTime) * 1000 - Math.max(performance.now() - at, Date.now() - wall)
  const ask = async (): Promise<UploadKeys> => {
    const [at, wall] = [performance.now(), Date.now()]
    const keys = await call(getCosImgSig, {})
    had = { keys, at, wall }
    return keys
  }
  return {
    /** Why the last keys did not come. */
    fault: null as unknown,
    take: async (): Promise<UploadKeys> => {
      if (had && goodFor(had) > REFRESH_MS) return had.keys
      asking ??= ask().finally(() => (asking = null))
      return asking
    },
  }
}
export type Ring = ReturnType<typeof makeRing>

let kept: { owner: string; ring: Ring } | null = null
/** Of the student who is logged in: nothing is ever sent with another's keys. */
export function ringOfStudent(): Ring {
  const owner = session.owner()
  if (kept?.owner !== owner) kept = { owner, ring: makeRing() }
  return kept.ring
}
/** They were refused: others may be good. */
export const dropKeys = (): void => void (kept = null)
