import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from './library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-papers-'))
let files = 0

/** Checks a text as an operator has it in a file. Returns its questions, and what is told of them besides a missing analysis. */
export async function readPaper(content: string) {
  const file = path.join(folder, `${++files}.txt`)
  writeFileSync(file, content)
  const { placed, findings } = await checkFile(file, foreignLibrary('W'))
  return {
    questions: placed.map(({ question }) => question),
    findings: findings
      .filter(({ reason }) => reason !== '没有解析')
      .map(({ level, at, reason }) => `${level} ${at} ${reason}`),
  }
}
