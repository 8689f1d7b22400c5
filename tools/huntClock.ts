import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { moveClock, movedNow } from './movedClock.ts'

/** What a run is told by `tools/hunt.ts`, in the variable HUNT. */
export interface Hunt {
  /** What is printed beside each file. */
  circumstance: string
  /** The midnight that each file passes, ms since 1970; null: the clock is left alone. */
  midnight: number | null
  /** Where in a file's time it passes: 0 at its beginning, 1 at its end. */
  share: number
  /** libfaketime reads here by how many seconds the clock of all processes is moved. */
  clock: string
  /** How long each file took when the clock was left alone: ms by the path of the file. */
  durations: string
}

const hunt: Hunt = JSON.parse(process.env.HUNT ?? 'null')

/** Moves the clock as each file begins, prints what failed in it, and notes how long it took. */
export default class HuntClock implements Reporter {
  private readonly began = new Map<string, number>()
  private readonly durations: Record<string, number> = JSON.parse(readFileSync(hunt.durations, 'utf8'))

  onTestModuleQueued(module: TestModule): void {
    this.began.set(module.id, performance.now())
    if (hunt.midnight === null) return
    const lead = (this.durations[module.id] ?? 0) * hunt.share
    // What this process sees is moved already.
    moveClock(hunt.clock, hunt.midnight - lead - (Date.now() - movedNow(hunt.clock)))
  }

  onTestModuleEnd(module: TestModule): void {
    const took = performance.now() - (this.began.get(module.id) ?? 0)
    if (hunt.midnight === null) this.durations[module.id] = took
    const failed = [...module.children.allTests('failed')].map((test) => `${test.fullName}: ${whyOf(test)}`)
    const faults = [...failed, ...module.errors().map(({ message }) => message.split('\n')[0] ?? '')]
    const told = `${module.relativeModuleId} · ${hunt.circumstance} · ${(took / 1000).toFixed(1)} s`
    console.log([`${faults.length > 0 ? '✗' : '✓'} ${told}`, ...faults.map((fault) => `    ${fault}`)].join('\n'))
  }

  onTestRunEnd(): void {
    writeFileSync(hunt.durations, JSON.stringify(this.durations))
  }
}

const whyOf = (test: TestCase): string => {
  const [error] = test.result().errors ?? []
  return `${error?.message.split('\n')[0] ?? ''} (line ${error?.stacks?.at(-1)?.line ?? '?'})`
}
