import { readFile, writeFile } from 'node:fs/promises'
import { checkSets, exportSet, faultsOf, writeSets } from '#server/content/setFile.ts'
import type { Db } from '#server/db/open.ts'

export interface Told {
  code: number
  lines: string[]
}

/** Checks set files against the database and, for `import`, publishes all of them or none. */
export async function takeSets(db: Db, command: string, files: readonly string[], asJson: boolean): Promise<Told> {
  return db.transaction().execute(async (tx) => {
    const read = files.map(async (file) => ({ file, json: JSON.parse(await readFile(file, 'utf8')) as unknown }))
    const checked = await checkSets(tx, await Promise.all(read))
    const faults = checked.flatMap(({ findings }) => faultsOf(findings))
    const written = command === 'import' && faults.length === 0 ? await writeSets(tx, checked) : null
    const code = faults.length > 0 ? 1 : 0
    const summary = checked.map(({ file, total, findings }, i) => ({
      file,
      total,
      findings,
      written: written?.[i] ?? null,
    }))
    if (asJson) return { code, lines: [JSON.stringify(summary)] }
    const lines = summary.flatMap(({ file, total, findings, written: done }) => [
      `${file}：题集，共 ${total} 题，错误 ${faultsOf(findings).length}，提醒 ${findings.length - faultsOf(findings).length}`,
      ...findings.map(({ level, at, reason }) => `  ${level === 'fault' ? '错误' : '提醒'} ${at}：${reason}`),
      ...(done ? [`${file}：新增 ${done.added} 套，更新 ${done.changed}，下架 ${done.retired}`] : []),
    ])
    return {
      code,
      lines: [...lines, ...(command === 'import' && code > 0 ? ['有错误，未导入任何题集。改正后重试。'] : [])],
    }
  })
}

/** A set as the file that would publish it again, into a file or told. */
export async function giveSet(db: Db, no: string, file: string | undefined): Promise<Told> {
  const set = await exportSet(db, no)
  if (!set) return { code: 1, lines: [`没有编号为 ${no} 的题集`] }
  const text = `${JSON.stringify(set, null, 2)}\n`
  if (!file) return { code: 0, lines: [text] }
  await writeFile(file, text)
  return { code: 0, lines: [`已写入 ${file}：${set.items.length} 套`] }
}
