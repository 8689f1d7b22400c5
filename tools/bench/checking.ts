import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { ROOT } from './build.ts'
import { spawnOurs } from './endings.ts'

const EVERY_MS = 50
/** `content check` ends with the first when it found nothing, and with the second when it found faults. */
const JUDGED = [0, 1]

export interface Took {
  seconds: number
  /** The most memory that the process had; NaN where only Linux could tell. */
  peakMb: number
}

/** Measures the operator's check of a file, its own start included. @throws where it ends without a judgement */
export async function checking(file: string): Promise<Took> {
  const started = performance.now()
  const options = { cwd: ROOT, stdio: 'ignore' as const }
  const child = spawnOurs(process.execPath, ['server/bin/content.ts', 'check', file], options, 'SIGKILL')
  let peakKb = 0
  const watch = setInterval(() => (peakKb = Math.max(peakKb, peakOf(child.pid ?? 0))), EVERY_MS)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watch)
  if (code === null || !JUDGED.includes(code)) throw new Error(`check ended with ${code}`)
  return { seconds: (performance.now() - started) / 1000, peakMb: peakKb > 0 ? peakKb / 1024 : Number.NaN }
}

/** Linux alone tells; 0: the process is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
