import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** As many mishaps may pass at a second try; more of them are a fault of the suite or of the product, not of the day. */
const FLAKY_MAX = 2
const SLOWEST = 20

/** How long a file took, in milliseconds: its tests, and everything that is loaded before them. */
function durationOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration, environmentSetupDuration, prepareDuration } = module.diagnostic()
  return duration + collectDuration + setupDuration + environmentSetupDuration + prepareDuration
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`

/** Why the first try failed, and where. */
function firstFault(test: TestCase): string {
  const [error] = test.result().errors ?? []
  const frame = error?.stacks?.[0]
  return `${error?.message.split('\n')[0] ?? ''}${frame ? ` (${frame.file}:${frame.line})` : ''}`
}

/** Ends a run with what one wants to know of it: the slowest files, and the tests that passed only at their second try. */
export default class TestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ name: module.relativeModuleId, ms: durationOf(module) }))
    const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
    console.log(`\nThe ${slowest.length} slowest files:`)
    for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)

    const flaky = modules.flatMap((module) =>
      [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky),
    )
    for (const test of flaky) console.log(`flaky: ${nameOf(test)}\n       ${firstFault(test)}`)
    if (flaky.length > FLAKY_MAX) {
      console.error(`${flaky.length} tests passed only at their second try; at most ${FLAKY_MAX} may.`)
      process.exitCode = 1
    }
  }
}
