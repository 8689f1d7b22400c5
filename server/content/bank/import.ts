import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Tx } from '#server/db/open.ts'
import { bring } from '#server/content/media/arriving.ts'
import { Checked } from './checked.ts'
import { claim, lockImports, type Publisher } from '#server/content/claimStore.ts'
import { Double, judgeDoubles, tellNearDoubles } from './doubles/doubles.ts'
import { type Bank, type Draft, faultless, FileFault, type Finding, type Intake } from '#server/content/draft.ts'
import { ForeignPictures } from '#server/content/media/foreignPictures.ts'
import { keepFormulae } from './formulaStore.ts'
import { weighPack } from './pack.ts'
import { pictureFinder } from '#server/content/media/picture.ts'
import { counted, noProgress, type Progress } from '#server/content/progress.ts'
import { type LibraryOptions, readBank } from '#server/content/formats/readers.ts'
import { making, type Release } from './releaseStore.ts'
import { answerFixed } from './reports.ts'
import { judgeScopes } from './scope.ts'
import { isFull } from './spool.ts'
import { foreignNos, type Written, writeLibrary } from './store.ts'
import { DraftFault, type Surroundings, understand } from './understand.ts'

/** Reads and judges a file without touching the database. @throws FileFault when there is no room on the disk to do so. */
export async function checkFile(
  file: string,
  options: LibraryOptions | null,
  progress: Progress = noProgress,
): Promise<Checked> {
  const checked = new Checked(file)
  const { spool } = checked
  const intake: Intake = {
    draft: (draft) => spool.addDraft(draft),
    report: (level, at, reason) => spool.addFinding({ level, at, reason }),
    picture: (name, bytes) => spool.addPacked(name, bytes),
  }
  try {
    const { bank, isPacked } = await readBank(file, options, intake, (done, all) => progress('读取', done, all))
    checked.bank = bank
    await judgeDrafts(checked, bank, isPacked, progress)
    if (checked.total === 0) intake.report('warning', '文件', '没有题目')
  } catch (error) {
    if (isFull(error)) throw new FileFault('临时文件夹没有空间了：检查要用文件大小的四倍，可用环境变量 TMPDIR 换一处')
    if (!(error instanceof FileFault) && !isMissing(error)) throw error
    intake.report('fault', '文件', isMissing(error) ? '文件不存在或无法读取' : error.message)
  }
  return checked
}

const isMissing = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && ['ENOENT', 'EISDIR', 'EACCES'].includes(String(error.code))

/** Drafts that are judged before anything else has its turn: a server's requests, a command's Ctrl+C. */
const TURN = 200

async function judgeDrafts({ file, spool }: Checked, bank: Bank, isPacked: boolean, progress: Progress): Promise<void> {
  const found = { set: spool.addPicture.bind(spool) }
  const foreign = new ForeignPictures(found)
  const around: Surroundings = {
    libraryNo: bank.library.no,
    points: new Map(bank.points.flatMap((point) => [point.no, point.name].map((key) => [key, point] as const))),
    pictures: pictureFinder(isPacked ? null : path.dirname(file), found, spool.packed.bind(spool)),
    formulae: { set: spool.addFormula.bind(spool) },
  }
  const placeOf = placing(bank)
  const all = spool.countDrafts()
  for (const { place, draft } of spool.drafts()) {
    const report = (level: Finding['level'], reason: string) => spool.addFinding({ level, at: draft.at, reason }, place)
    try {
      const { question, warnings } = understand(await foreign.localised(draft), around)
      const chapterNo = placeOf(draft)
      const double = judgeDoubles(spool, question, place, draft.no)
      for (const warning of new Set([...(double ? [double] : []), ...warnings])) report('warning', warning)
      spool.addQuestion(place, { chapterNo, question })
    } catch (error) {
      if (error instanceof Double) report('warning', error.message)
      else if (error instanceof DraftFault) report('fault', error.message)
      else throw error
    }
    progress('检查', place, all)
    if (place % TURN === 0) await nextTurn()
  }
  progress('查重', all, all)
  tellNearDoubles(spool)
}

/** The chapter of a draft. @throws DraftFault when no question can stand there. */
function placing({ chapters }: Bank): (draft: Draft) => string {
  const parents = new Set(chapters.map(({ parent }) => parent))
  const leaves = new Set(chapters.flatMap(({ no }) => (parents.has(no) ? [] : [no])))
  return ({ chapter }) => {
    if (chapter && leaves.has(chapter)) return chapter
    const title = chapters.find(({ no }) => no === chapter)?.title ?? chapter
    throw new DraftFault(chapter ? `章节“${title}”不存在或不是最末级` : '缺少章节')
  }
}

interface Writing {
  /** Epoch ms. */
  at: number
  by: Publisher
  /** Answers the open reports on every question that gets a new version; left out, they stay open. */
  reply?: string | undefined
  /** Said of the releases that it makes. */
  note?: string | undefined
  /** The operator has said yes to what asks for it. */
  consented?: boolean
  progress?: Progress
}

/** Writes what was checked, all of it or nothing. @throws FileFault when a number belongs to another library, ClaimedSince. */
export async function writeChecked(
  db: Db,
  checked: readonly Checked[],
  mediaDir: string,
  replace: boolean,
  { at, by, reply, note = '', consented = false, progress = noProgress }: Writing,
): Promise<Written[]> {
  refuseEmpty(checked, replace)
  const arriving = await bring(
    mediaDir,
    checked.map(({ spool }) => ({ files: spool.pictures(), lessons: [] })),
  )
  try {
    return await db.transaction().execute(async (tx) => {
      await lockImports(tx)
      const written: Written[] = []
      const releases = new Set<Release>()
      const made = making('import', at, note)
      for (const one of checked) {
        const bank = await soundBank(tx, one)
        const parts = counted(one.spool.parts(), one.importable, progress)
        const done = await writeLibrary(tx, bank, { parts, replace, at, making: made, consented })
        written.push(done.written)
        releases.add(done.release)
        await keepFormulae(tx, one.spool.formulae())
        await claim(tx, by, [bank.library.no], at)
      }
      await arriving.place()
      progress('更新题库', 1, 1)
      // Weighing asks how large the pictures are.
      for (const { bank } of checked) if (bank) await weighPack(tx, bank.library.no, mediaDir)
      // Last, because the reporters' own batches wait from here on.
      if (reply !== undefined) for (const release of releases) await answerFixed(tx, release, { reply, at })
      return written
    })
  } finally {
    await arriving.drop()
  }
}

/**
 * Refuses what would leave an empty library: a file without a question and, with `replace`, which retires what a file does not
 * hold, the second file of one library.
 * @throws FileFault
 */
export function refuseEmpty(checked: readonly Checked[], replace: boolean): void {
  const seen = new Set<string>()
  for (const { file, bank, importable } of checked) {
    if (!bank) throw new FileFault(`${file} 无法读取`)
    const { no } = bank.library
    if (importable === 0)
      throw new FileFault(
        replace
          ? `${file} 里没有可导入的题目，--replace 会把题库 ${no} 的题目全部下架；要下架请用 retire`
          : `${file} 里没有可导入的题目，题库 ${no} 不变：请改正文件后重试`,
      )
    if (replace && seen.has(no))
      throw new FileFault(`题库 ${no} 有两个文件，--replace 会让后一个下架前一个的题目：请合成一个文件`)
    seen.add(no)
  }
}

/** What of a bank only the database can tell. @throws FileFault */
export async function soundBank(tx: Tx, { file, bank, spool }: Checked): Promise<Bank> {
  if (!bank) throw new FileFault(`${file} 无法读取`)
  const findings: Finding[] = []
  const { directions, areas } = bank.library
  await judgeScopes(tx, [{ at: 'library', directions, areas }], (level, at, reason) =>
    findings.push({ file, level, at, reason }),
  )
  const refuse = (foreign: readonly string[]) => {
    if (foreign.length > 0) throw new FileFault(`${file}：编号已被其他题库使用：${foreign.slice(0, 5).join('、')}`)
  }
  refuse(await foreignNos(tx, bank, []))
  for (const nos of spool.numbers()) refuse(await foreignNos(tx, { ...bank, chapters: [], points: [] }, nos))
  return faultless({ file, findings }, bank)
}
