import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest, as the report of a run names them (tools/testReport.ts). Vitest knows no durations on a fresh clone and goes
 * by the size of files, so that a short file with a long test would begin last and keep one core busy alone.
 */
export const SLOW: ReadonlySet<string> = new Set([
  'tests/content/fuzz.test.ts',
  'tests/content/makeMedia.test.ts',
  'tests/e2e/lessonsAway.test.ts',
  'tests/e2e/offlineRoutes.test.ts',
  'tests/e2e/pdfBombs.test.ts',
  'tests/e2e/questionSet.test.ts',
  'tests/offline/model.test.ts',
  'tests/server/contentCommand.test.ts',
  'tests/server/demoUpgrade.test.ts',
  'tests/server/process.test.ts',
  'tests/server/releases.test.ts',
  'tests/server/site.test.ts',
])

interface Sortable {
  moduleId: string
  project: { config: { sequence: { groupOrder: number } } }
}

/** Puts slow files before all others of their group, and keeps the order otherwise. */
export function slowFirst<T extends Sortable>(files: readonly T[], root: string): T[] {
  const isSlow = ({ moduleId }: T): boolean => SLOW.has(moduleId.slice(root.length + 1))
  const orderOf = ({ project }: T): number => project.config.sequence.groupOrder
  return files.toSorted((a, b) => orderOf(a) - orderOf(b) || Number(isSlow(b)) - Number(isSlow(a)))
}

/** Starts slow files first, among those that vitest starts together. */
export default class SlowFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return slowFirst(await super.sort(specifications), this.ctx.config.root)
  }
}
