import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Checked } from '#server/content/bank/checked.ts'
import { checkFile, writeChecked } from '#server/content/bank/import.ts'
import type { Db } from '#server/db/open.ts'

export interface BankOptions {
  /** Distinct numbers, so that several banks live in one database. */
  prefix?: string
  chapters?: number
  /** Single choices per chapter; the right option is B throughout. */
  perChapter?: number
}

/** A library in the project's own JSON: single choices whose right option is B, ready for the importer. */
export function bankJson({ prefix = 'L', chapters = 2, perChapter = 30 }: BankOptions = {}) {
  const chapterNos = Array.from({ length: chapters }, (_, i) => `${prefix}_c${i + 1}`)
  return {
    format: 'lijian/1',
    subject: { no: 'politics', name: '政治' },
    points: [{ no: `${prefix}_p1`, parent: null, name: '军史' }],
    library: { no: prefix, title: `${prefix} 章节题库`, directions: ['jg'], areas: [] },
    chapters: chapterNos.map((no, i) => ({ no, parent: null, title: `第${i + 1}章` })),
    questions: chapterNos.flatMap((chapter, c) =>
      Array.from({ length: perChapter }, (_, i) => ({
        no: `${prefix}_q${c * perChapter + i + 1}`,
        chapter,
        type: 'single',
        stem: `第${c + 1}章第${i + 1}题：${c * perChapter + i + 1} 加 1 等于多少？`,
        options: [
          String(c * perChapter + i),
          String(c * perChapter + i + 2),
          String(c * perChapter + i + 3),
          String(c * perChapter + i + 4),
        ],
        answer: 'B',
        analysis: '逐一相加即可。',
        points: [`${prefix}_p1`],
      })),
    ),
  }
}

/** A bank as a file that an operator has checked. */
export async function checkBank(bank: unknown, beside: Record<string, string> = {}): Promise<Checked> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-bank-'))
  for (const [name, text] of Object.entries({ ...beside, 'bank.json': JSON.stringify(bank) }))
    writeFileSync(path.join(folder, name), text)
  const checked = await checkFile(path.join(folder, 'bank.json'), null)
  const fault = checked.findings.find((finding) => finding.level === 'fault')
  if (fault) throw new Error(`${fault.at} ${fault.reason}`)
  return checked
}

/** Imports a bank the way an operator does: file, check, all or nothing. */
export async function importBank(
  db: Db,
  mediaDir: string,
  bank: unknown,
  { replace = true, ...writing }: Partial<Parameters<typeof writeChecked>[4]> & { replace?: boolean } = {},
): Promise<void> {
  const checked = await checkBank(bank)
  await writeChecked(db, [checked], mediaDir, replace, { at: Date.now(), by: 'operator', ...writing })
}
