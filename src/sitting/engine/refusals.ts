import { type DeadOp, offline } from '#src/offline/index.ts'
import type { Marking } from './policy.ts'

/** Hand-ins of this sitting that the server did not take, from this device. */
export const refusalsOf = async (
  { handInKind }: Pick<Marking<never, never>, 'handInKind'>,
  id: string,
): Promise<DeadOp[]> =>
  (await offline.dead()).filter(({ kind, payload }) => kind === handInKind && payload.attemptId === id)

/**
 * Answers that these hand-ins named and that no longer reach the server by themselves. A server that did not name them says only that
 * some are missing: those are what this device set aside before it was delivered; any others it names when it refuses again.
 */
export async function lostBy(refused: readonly DeadOp[]): Promise<ReadonlySet<string | undefined>> {
  const early = refused.filter(({ code }) => code === 'early')
  if (early.length === 0) return new Set()
  const [waiting, dead] = await Promise.all([offline.waiting(), offline.dead()])
  const setAside = dead.filter(({ acked }) => acked !== 1).map(({ opId }) => opId)
  const coming = new Set(waiting.map(({ opId }) => opId))
  return new Set(early.flatMap(({ missing }) => missing ?? setAside).filter((opId) => !coming.has(opId)))
}
