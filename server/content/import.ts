import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Db, Tx } from '#server/db/open.ts'
import type { Question } from '#src/contract/question.ts'
import { askedOptions } from '#src/domain/exam.ts'
import { isPictureSource } from '#src/domain/html.ts'
import { partsOf } from '#src/domain/study.ts'
import { ordinaryCharacters } from '#src/domain/text.ts'
import { bring } from './arriving.ts'
import { besides, hashedName } from './besides.ts'
import { type Bank, type Draft, faultless, FileFault, type Finding } from './draft.ts'
import { keepFormulae } from './formulaStore.ts'
import { PICTURE_TYPES } from './media.ts'
import { NearDoubles } from './nearDoubles.ts'
import { weighPack } from './pack.ts'
import { type LibraryOptions, type Read, readBank } from './readers.ts'
import { making } from './releaseStore.ts'
import { answerReports } from './reports.ts'
import { judgeScopes } from './scope.ts'
import { claim, foreignNos, lockImports, type Placed, type Publisher, type Written, writeLibrary } from './store.ts'
import { DraftFault, understand } from './understand.ts'

export interface Checked {
  file: string
  bank: Bank | null
  placed: Placed[]
  findings: Finding[]
  /** Questions in the file, good or not. */
  total: number
  pictures: Map<string, Buffer>
  /** What formulae were written in, by their MathML. */
  formulae: Map<string, string>
}

/** Reads and judges a file without touching the database. */
export async function checkFile(file: string, options: LibraryOptions | null): Promise<Checked> {
  const checked: Checked = {
    file,
    bank: null,
    placed: [],
    findings: [],
    total: 0,
    pictures: new Map(),
    formulae: new Map(),
  }
  try {
    const { bank, findings, packed } = await readBank(file, options)
    checked.bank = bank
    checked.findings.push(...findings)
    checked.total = bank.drafts.length + new Set(findings.filter((f) => f.level === 'fault').map((f) => f.at)).size
    judgeDrafts(checked, bank, packed)
  } catch (error) {
    if (!(error instanceof FileFault) && !isMissing(error)) throw error
    checked.findings.push({
      file,
      at: '文件',
      level: 'fault',
      reason: isMissing(error) ? '文件不存在或无法读取' : error.message,
    })
  }
  return checked
}

const isMissing = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && ['ENOENT', 'EISDIR', 'EACCES'].includes(String(error.code))

function judgeDrafts(checked: Checked, bank: Bank, packed: Read['packed']): void {
  const around = {
    libraryNo: bank.library.no,
    points: new Map(bank.points.flatMap((point) => [point.no, point.name].map((key) => [key, point] as const))),
    pictures: pictureFinder(path.dirname(checked.file), checked.pictures, packed),
    formulae: checked.formulae,
  }
  const placeOf = placing(bank)
  const seen = new Seen()
  // The bank is kept until it is written: without its drafts, which have become questions by then.
  for (const draft of bank.drafts.splice(0)) {
    const report = (level: Finding['level'], reason: string) =>
      checked.findings.push({ file: checked.file, at: draft.at, level, reason })
    try {
      const { question, warnings } = understand(draft, around)
      const chapterNo = placeOf(draft)
      for (const warning of new Set([...seen.add(question, draft), ...warnings])) report('warning', warning)
      checked.placed.push({ chapterNo, question })
    } catch (error) {
      if (error instanceof Double) report('warning', error.message)
      else if (error instanceof DraftFault) report('fault', error.message)
      else throw error
    }
  }
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

/** What a file has brought so far, to know what comes again. */
class Seen {
  /** Places by number, answers by number, places by content. */
  private readonly nos = new Map<string, string>()
  private readonly answers = new Map<string, string>()
  private readonly contents = new Map<string, string>()
  private readonly near = new NearDoubles()

  /** @returns what is to be told. @throws DraftFault, Double */
  add(question: Question, { no: given, at }: Draft): string[] {
    for (const no of numbersOf(question)) {
      const first = this.nos.get(no)
      if (first && !given) {
        if (answersOf(question) !== this.answers.get(no)) throw new DraftFault(`与${first}题目相同而答案不同`)
        throw new Double(`与${first}重复，只导入一次`)
      }
      if (first) throw new DraftFault(`与${first}重复（编号 ${no}）`)
      this.nos.set(no, at)
    }
    this.answers.set(question.no, answersOf(question))
    const content = contentOf(question)
    const same = this.contents.get(content)
    const like = this.near.find(question, at)
    if (same) return [`与${same}内容相同`]
    this.contents.set(content, at)
    return like ? [`与${like}只差几个字或标点，请核对是否重复`] : []
  }
}

/** The same for questions that look alike, whatever their numbers. Every sign and picture counts: one may be all that differs. */
export function contentOf(question: Question): string {
  const shown = [question, ...partsOf(question)].map((each) => [each.stem, 'options' in each ? askedOptions(each) : []])
  return hash('sha256', ordinaryCharacters(JSON.stringify(shown)).replace(/\s+/g, ''), 'base64')
}

export const numbersOf = (question: Question): string[] =>
  question.type === 'composite' ? [question.no, ...question.parts.map((part) => part.no)] : [question.no]

const answersOf = (question: Question): string =>
  question.type === 'composite'
    ? question.parts.map(answersOf).join('|')
    : JSON.stringify('key' in question ? question.key : 'blanks' in question ? question.blanks : '')

/** The same question again in one file, told by its content. */
class Double extends Error {}

/**
 * Pictures beside the file, remembered by the hash of their bytes.
 * @param packed files that came in one with the text: then none beside it is looked for
 */
export function pictureFinder(folder: string, found: Map<string, Buffer>, packed?: Read['packed']) {
  const add = (bytes: Buffer, ending: string): string => {
    const name = hashedName(bytes, ending)
    found.set(name, bytes)
    return `/media/${name}`
  }
  return (source: string): string | null => {
    if (isPictureSource(source)) return source
    const ending = path.extname(source).slice(1).toLowerCase().replace('jpeg', 'jpg')
    if (!Object.hasOwn(PICTURE_TYPES, ending)) return null
    if (packed) {
      const bytes = packed.get(path.posix.normalize(source))
      return bytes ? add(Buffer.from(bytes), ending) : null
    }
    const at = besides(folder, source)
    if (at === null) return null
    try {
      return add(readFileSync(at), ending)
    } catch {
      return null
    }
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
}

/** Writes what was checked, all of it or nothing. @throws FileFault when a number belongs to another library, ClaimedSince. */
export async function writeChecked(
  db: Db,
  checked: readonly Checked[],
  mediaDir: string,
  replace: boolean,
  { at, by, reply, note = '' }: Writing,
): Promise<Written[]> {
  const arriving = await bring(
    mediaDir,
    checked.map(({ pictures }) => ({ files: pictures, lessons: [] })),
  )
  try {
    return await db.transaction().execute(async (tx) => {
      await lockImports(tx)
      const written: Written[] = []
      const corrected: string[] = []
      const made = making('import', at, note)
      for (const one of checked) {
        const bank = await soundBank(tx, one)
        const done = await writeLibrary(tx, bank, { placed: one.placed, replace, at, making: made })
        written.push(done.written)
        corrected.push(...done.renewed)
        await keepFormulae(tx, one.formulae)
        await claim(tx, by, [bank.library.no], at)
      }
      await arriving.place()
      // Weighing asks how large the pictures are.
      for (const { bank } of checked) if (bank) await weighPack(tx, bank.library.no, mediaDir)
      // Last, because the reporters' own batches wait from here on.
      if (reply !== undefined) await answerReports(tx, corrected, { status: 'fixed', reply, at })
      return written
    })
  } finally {
    await arriving.drop()
  }
}

/** What of a bank only the database can tell. @throws FileFault */
export async function soundBank(tx: Tx, { file, bank, placed }: Checked): Promise<Bank> {
  if (!bank) throw new FileFault(`${file} 无法读取`)
  const findings: Finding[] = []
  const { directions, areas } = bank.library
  await judgeScopes(tx, [{ at: 'library', directions, areas }], (level, at, reason) =>
    findings.push({ file, level, at, reason }),
  )
  const foreign = await foreignNos(
    tx,
    bank,
    placed.flatMap(({ question }) => numbersOf(question)),
  )
  if (foreign.length > 0) throw new FileFault(`${file}：编号已被其他题库使用：${foreign.slice(0, 5).join('、')}`)
  return faultless({ file, findings }, bank)
}
