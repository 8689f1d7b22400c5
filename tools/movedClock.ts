import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'

const LIBRARY = '/usr/lib/*/faketime/libfaketimeMT.so.1'

function findFaketime(): string {
  const [found] = globSync(LIBRARY)
  if (found) return found
  if (process.getuid?.() === 0) spawnSync('apt-get', ['install', '-y', '-q', 'faketime'], { stdio: 'inherit' })
  const [installed] = globSync(LIBRARY)
  if (!installed) throw new Error('libfaketime is missing: apt-get install faketime')
  return installed
}

/** What a process is started with, so that it reads from `file` by how many seconds its time of day is moved. */
export const movedBy = (file: string): NodeJS.ProcessEnv => ({
  LD_PRELOAD: findFaketime(),
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: '1',
  // Times of files are compared by processes between which the clock has jumped.
  NO_FAKE_STAT: '1',
  // Timers and what is measured go on evenly while the time of day jumps.
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
})

/** Moves the clock of all processes that read `file`, at once. */
export const moveClock = (file: string, ms: number): void =>
  writeFileSync(file, `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(3)}`)

/** By how many ms it is moved. */
export const movedNow = (file: string): number => Number(readFileSync(file, 'utf8')) * 1000
