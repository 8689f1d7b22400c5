import { setTimeout as pause } from 'node:timers/promises'
import { type Claim, claimFolder } from './claim.ts'
import { startEmbedded } from './embedded.ts'
import { EmbeddedError } from './embeddedError.ts'

/** How long the n-th attempt in a row waits; the last holds for all that follow. */
const BACKOFF_MS = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000]
/** A database that ran so long did not fail because of how it was started. */
const STEADY_MS = 60_000

export interface Supervised {
  socketFolder: string
  /** Ends the supervision, a restart that is under way included, and stops the database, whoever started it. */
  end: () => Promise<void>
}

/**
 * Starts the folder's database, claims it, and starts it again whenever it ends before `end` is called: killed by hand, for want
 * of memory, or by a full disk.
 * @param say told of each end, each restart and each attempt that failed, in Chinese
 * @throws EmbeddedError if the first start fails, or another server has the folder.
 */
export async function superviseEmbedded(dataDir: string, say: (line: string) => void): Promise<Supervised> {
  const ending = new AbortController()
  const { signal } = ending
  let claim: Claim | null = await startClaimed(dataDir, signal)
  const { socketFolder } = claim
  const watch = async () => {
    let failures = 0
    while (claim) {
      const since = performance.now()
      await claim.lost
      if (signal.aborted) return
      claim = null
      say('内置数据库意外停止，正在重新启动，期间的请求稍后会自动重试')
      if (performance.now() - since > STEADY_MS) failures = 0
      ;({ claim, failures } = await startAgain(dataDir, { signal, say, failures }))
      // The restart was over before it heard of the end.
      if (signal.aborted) return claim?.end()
    }
  }
  const watched = watch()
  return {
    socketFolder,
    end: async () => {
      ending.abort()
      await claim?.end()
      await watched
    },
  }
}

interface Attempts {
  signal: AbortSignal
  say: (line: string) => void
  /** How many attempts in a row did not last. */
  failures: number
}
/** Tries until the database runs. Without a claim: the supervision has ended meanwhile. */
async function startAgain(
  dataDir: string,
  { signal, say, failures }: Attempts,
): Promise<{ claim: Claim | null; failures: number }> {
  const began = performance.now()
  while (!signal.aborted) {
    try {
      await pause(backoff(failures++), undefined, { signal })
      const claim = await startClaimed(dataDir, signal)
      say(`内置数据库已恢复，用时 ${((performance.now() - began) / 1000).toFixed(1)} 秒`)
      return { claim, failures }
    } catch (error) {
      if (signal.aborted) break
      const reason = error instanceof Error ? error.message : String(error)
      say(`内置数据库没有启动成功：${reason}。${backoff(failures) / 1000} 秒后再试`)
    }
  }
  return { claim: null, failures }
}

const backoff = (failures: number): number => BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0

async function startClaimed(dataDir: string, signal: AbortSignal): Promise<Claim> {
  const embedded = await startEmbedded(dataDir, signal)
  try {
    signal.throwIfAborted()
    return await claimFolder(embedded, dataDir)
  } catch (error) {
    // Another server's claim is the one reason to leave the database running.
    if (!(error instanceof EmbeddedError)) await embedded.stop()
    throw error
  }
}
