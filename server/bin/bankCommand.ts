import type { Checked } from '#server/content/bank/checked.ts'
import { AcrossFiles } from '#server/content/bank/doubles/acrossFiles.ts'
import { checkFile, writeChecked } from '#server/content/bank/import.ts'
import type { LibraryOptions } from '#server/content/formats/readers.ts'
import type { Db } from '#server/db/open.ts'
import { progress } from './commandLine.ts'
import { findingLines, type Outcome, outcomeLines, partition, reportJson } from './importReport.ts'

export interface BankCommand {
  files: readonly string[]
  /** They say of a library what its file cannot. */
  options: LibraryOptions | null
  replace: boolean
  skipFaulty: boolean
  asJson: boolean
  onDatabase: <T>(work: (db: Db, mediaDir: string) => Promise<T>) => Promise<T>
  /** Ends the command when it is a fault of a file. */
  unreadable: (error: unknown) => never
}
interface Checking {
  /** Questions are held against those of the database. */
  held: boolean
  /** A page for teachers is written there. */
  html: string | undefined
}
interface Importing {
  draft: boolean
  note: string
  reply: string | undefined
  consented: boolean
}
type OutcomeOf = (one: Checked, i: number) => Outcome

/** Checks banks of questions and tells what was found; does not come back. */
export async function checkBanks(command: BankCommand, { held, html }: Checking): Promise<never> {
  const { replace, asJson, onDatabase } = command
  const { checked, across } = await readAll(command, !held)
  if (held) {
    await onDatabase((db) => across.holdAgainst(db, leaving(checked, replace), progress.tell))
    tellAll(command, checked)
  }
  const losses = replace ? await onDatabase(async (db) => (await lessonStops()).wouldLose(db, checked)) : []
  if (html !== undefined) {
    const { writeReviewPage } = await import('#server/content/bank/reviewPage.ts')
    await writeReviewPage(html, checked)
    if (!asJson) console.log(`已写入 ${html}，用浏览器打开核对`)
  }
  return conclude(command, checked, isFaulty(checked) ? 1 : 0, (_, i) => ({ wouldLose: losses[i] }))
}

const lessonStops = () => import('#server/content/bank/lessonStops.ts')

/** Checks banks of questions and writes them, all or none; does not come back. */
export async function importBanks(command: BankCommand, importing: Importing): Promise<never> {
  const { replace, skipFaulty, asJson, onDatabase } = command
  const { checked, across } = await readAll(command, false)
  const { taken, skipped } = partition(checked, replace)
  const refused =
    isFaulty(checked) && !skipFaulty
      ? '有错误，未导入任何题目。改正后重试，或用 --skip-faulty 跳过有错的题目。'
      : taken.length === 0
        ? '没有可导入的题目，未导入任何内容，原有题库不变。请改正文件后重试。'
        : null
  if (refused !== null) {
    tellAll(command, checked)
    if (!asJson) console.error(refused)
    return conclude(command, checked, 1, () => ({}))
  }
  const outcomes = await onDatabase(async (db, mediaDir) => {
    await across.holdAgainst(db, leaving(taken, replace), progress.tell)
    tellAll(command, checked)
    return write(db, mediaDir, taken, { ...importing, replace })
  })
  if (skipped.length > 0) console.error(`跳过 ${skipped.length} 个没有可导入题目的文件：${skipped.join('、')}`)
  return conclude(command, checked, 0, (one) => outcomes[taken.indexOf(one)] ?? {})
}

async function write(
  db: Db,
  mediaDir: string,
  taken: readonly Checked[],
  { draft, replace, ...importing }: Importing & { replace: boolean },
): Promise<Outcome[]> {
  const doing = { ...importing, at: Date.now(), progress: progress.tell }
  if (!draft) {
    const written = await writeChecked(db, taken, mediaDir, replace, { ...doing, by: 'operator' })
    return written.map((each) => ({ written: each }))
  }
  const { keepDrafts } = await import('#server/content/bank/draftRelease.ts')
  const totals = await keepDrafts(db, taken, { ...doing, mediaDir, replace })
  return totals.map((each) => ({ draft: each }))
}

/** @param tells whether what is found of a file is told at once */
async function readAll(command: BankCommand, tells: boolean): Promise<{ checked: Checked[]; across: AcrossFiles }> {
  const across = new AcrossFiles()
  const checked: Checked[] = []
  for (const file of command.files) {
    const one = await checkFile(file, command.options, progress.tell).catch((error: unknown) => {
      if (!tells) tellAll(command, checked)
      return command.unreadable(error)
    })
    across.add(one)
    if (tells) tell(command, one, checked.length)
    checked.push(one)
  }
  return { checked, across }
}

const isFaulty = (checked: readonly Checked[]): boolean => checked.some(({ faults }) => faults > 0)

/** Libraries of which nothing stays but what the files hold. */
const leaving = (checked: readonly Checked[], replace: boolean): string[] =>
  replace ? checked.flatMap(({ bank }) => bank?.library.no ?? []) : []

function tellAll(command: BankCommand, checked: readonly Checked[]): void {
  for (const [i, one] of checked.entries()) tell(command, one, i)
}

function tell({ files, asJson }: BankCommand, one: Checked, i: number): void {
  progress.clear()
  if (!asJson) for (const line of findingLines(one, `[${i + 1}/${files.length}]`)) console.log(line)
}

function conclude({ asJson }: BankCommand, checked: readonly Checked[], code: number, outcomeOf: OutcomeOf): never {
  progress.clear()
  const outcomes = checked.map(outcomeOf)
  if (asJson) for (const piece of reportJson(checked, outcomes)) process.stdout.write(piece)
  else
    for (const [i, { file, bank }] of checked.entries())
      for (const line of outcomeLines(file, bank?.library.no ?? '', outcomes[i] ?? {})) console.log(line)
  process.exit(code)
}
