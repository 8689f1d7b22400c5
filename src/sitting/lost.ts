import { type DeadOp, offline } from '#src/offline/index.ts'

/**
 * Answers that no longer reach the server by themselves. A server that did not name them says only that some are missing: those
 * are what this device set aside before it was delivered; any others it names when it refuses again.
 */
export async function lostBy({ missing }: DeadOp): Promise<ReadonlySet<string | undefined>> {
  const [waiting, dead] = await Promise.all([offline.waiting(), offline.dead()])
  const named = missing ?? dead.filter(({ acked }) => acked !== 1).map(({ opId }) => opId)
  const coming = new Set(waiting.map(({ opId }) => opId))
  return new Set(named.filter((opId) => !coming.has(opId)))
}
