import { readdirSync, readFileSync } from 'node:fs'

/**
 * The memory of the largest page of this machine's browsers, MB. Linux alone tells.
 * @param what VmHWM: the most that it had at a time; VmRSS: what it has now
 */
export const memoryOfPages = (what: 'VmHWM' | 'VmRSS'): number =>
  Math.max(
    ...readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .map((pid) => {
        try {
          if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) return 0
          const status = readFileSync(`/proc/${pid}/status`, 'utf8')
          return Number(new RegExp(String.raw`^${what}:\s*(\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
        } catch {
          return 0
        }
      }),
  )
