import { readLibraryList } from '#server/content/bank/exportStore.ts'
import type { Db } from '#server/db/open.ts'
import type { CommandResult } from './commandLine.ts'

/** All libraries, a line each. */
export async function tellLibraries(db: Db, asJson: boolean): Promise<CommandResult> {
  const libraries = await readLibraryList(db)
  if (asJson) return { code: 0, lines: [JSON.stringify(libraries)] }
  if (libraries.length === 0) return { code: 0, lines: ['还没有题库'] }
  const lines = libraries.map(({ no, title, subject, questions, release, setsOnly }) =>
    [no, title, subject, `${questions} 题`, `第 ${release} 版`, ...(setsOnly ? ['只供题集使用'] : [])].join('  '),
  )
  return { code: 0, lines }
}
