import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { type Bank, type Draft, FileFault, type Finding, type Intake } from '#server/content/draft.ts'
import { type Counted, linesOf, refuseLarge, startOf, textPieces, wholeText } from './fileText.ts'
import { pictureEnding } from '#server/http/media.ts'
import { headAmong, type Headers, MOST_ABOVE, type Row, withoutStem } from './tableHead.ts'
import { drafts } from './tableRows.ts'

/** What a table, a GIFT or a Moodle file cannot say of its library. */
export interface LibraryOptions {
  library: string
  title: string
  subject: { no: string; name: string }
  directions: string[]
  areas: string[]
  /** Left out: as it is, a new one for everybody. */
  setsOnly?: boolean | undefined
  /** The chapter of rows that name none. */
  chapter: string
  /** Foreign header → our header. */
  headers: Record<string, string>
  /** Reads what a workbook hides, too. */
  withHidden?: boolean | undefined
}
interface Read {
  bank: Bank
  /** Its pictures come in the file; then none beside it is looked for. */
  isPacked: boolean
}

/**
 * Reads one file by its ending into an intake. A format's own library is loaded with the first file of it: together they would
 * take longer to start than a thousand questions to import.
 * @param counted bytes that were read
 * @throws FileFault when it is not such a file at all.
 */
export async function readBank(
  file: string,
  options: LibraryOptions | null,
  intake: Intake,
  counted?: Counted,
): Promise<Read> {
  const kind = path.extname(file).toLowerCase()
  if (kind === '.json')
    return { bank: await (await import('./jsonBank.ts')).readJson(textPieces(file, counted), intake), isPacked: false }
  if (!options) throw new FileFault('表格、Word、PDF、文字、GIFT、Moodle 与 QTI 文件需要 --library、--title、--subject')
  const read = Object.hasOwn(READERS, kind) ? READERS[kind] : undefined
  if (!read)
    throw new FileFault(
      `不支持 ${kind || '没有扩展名的'} 文件，请使用 .json、.csv、.xlsx、.docx、.pdf、.txt、.gift、.xml 或 .zip（QTI）`,
    )
  const framing = framed(options, intake)
  const isPacked = await read(file, framing.intake, { options, counted })
  return { bank: framing.bank(), isPacked }
}

interface With {
  options: LibraryOptions
  counted: Counted | undefined
}
/** @returns whether its pictures come in the file */
type Reader = (file: string, intake: Intake, given: With) => Promise<boolean>

/** MB of a file that has to be read whole: about 20,000 questions as text. */
const MOST_WHOLE = { paper: 8, qti: 64 }

const READERS: Record<string, Reader> = {
  '.csv': readCsv,
  '.xlsx': readWorkbook,
  '.docx': async (file, intake, { options }) => {
    const { readDocument } = await import('./word/readDocument.ts')
    await readDocument(file, intake, options.headers, unusedColumn(intake))
    return true
  },
  '.pdf': async (file, intake, { options, counted }) => {
    const { readPdf } = await import('./pdf/readPdf.ts')
    await readPdf(file, intake, { headers: options.headers, unused: unusedColumn(intake), counted })
    return true
  },
  ...Object.fromEntries(['.doc', '.wps', '.rtf', '.odt', '.docm'].map((ending) => [ending, refuseOldWord])),
  '.gift': async (file, intake, { counted }) => {
    const { readGift } = await import('./gift.ts')
    await readGift(linesOf(textPieces(file, counted)), intake)
    return false
  },
  /** A paper, or GIFT by another name. */
  '.txt': async (file, intake, given) => {
    const { isPaper, readPaper } = await import('./paperText.ts')
    const { isGift } = await import('./gift.ts')
    const source = (await wholeText(file, MOST_WHOLE.paper)).replaceAll(/\r\n?/g, '\n')
    if (isGift(source)) return READERS['.gift']?.(file, intake, given) ?? false
    if (!isPaper(source))
      throw new FileFault(
        '认不出题目：试卷文字要有题号（如“1．”）和答案（如“答案：B”“（B）”），GIFT 的每题要有花括号里的答案（如“{=对 ~错}”）',
      )
    take(readPaper(source, file), intake)
    return false
  },
  '.xml': async (file, intake, { counted }) => {
    const isMoodle = /<quiz[\s>]/.test(await startOf(file))
    if (isMoodle) await (await import('./moodle.ts')).readMoodle(textPieces(file, counted), intake)
    else take((await import('./qti.ts')).readQti(await wholeText(file, MOST_WHOLE.qti), file), intake)
    return isMoodle
  },
  '.zip': async (file, intake) => {
    await refuseLarge(file, MOST_WHOLE.qti)
    const { readQtiPackage } = await import('./qtiPackage.ts')
    const { packed, ...questions } = readQtiPackage(await readFile(file), file)
    for (const [name, bytes] of packed) if (pictureEnding(name) !== null) intake.picture(name, bytes)
    take(questions, intake)
    return true
  },
}

function refuseOldWord(file: string): never {
  throw new FileFault(`不支持 ${path.extname(file)} 文件：请用 Word 或 WPS 打开，“另存为”.docx 后再导入`)
}

function take({ drafts, findings }: { drafts: Draft[]; findings: Finding[] }, intake: Intake): void {
  for (const { level, at, reason } of findings) intake.report(level, at, reason)
  for (const each of drafts) intake.draft(each)
}

const CsvRow = v.object({ record: v.array(v.string()), info: v.object({ lines: v.number() }) })
/** Characters of a row; more is a quote that was never closed. */
const LONGEST_ROW = 1_000_000

async function readCsv(file: string, intake: Intake, { options, counted }: With): Promise<boolean> {
  const { CsvError, parse } = await import('csv-parse')
  const parser = parse({
    delimiter: delimiterOf(await startOf(file), options.headers),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    bom: true,
    max_record_size: LONGEST_ROW,
  })
  const read = pipeline(textPieces(file, counted), parser)
  try {
    for await (const each of drafts(rowsOf(parser), options.headers, unusedColumn(intake))) intake.draft(each)
    await read
    return false
  } catch (error) {
    // The same fault comes from both ends.
    await read.catch(() => {})
    if (!(error instanceof CsvError)) throw error
    const { code, lines, message } = error
    throw new FileFault(
      code === 'CSV_MAX_RECORD_SIZE'
        ? `不是有效的 CSV：到第${String(lines)}行为止有引号没有配对，或者一行太长`
        : code === 'CSV_QUOTE_NOT_CLOSED'
          ? `不是有效的 CSV：第${String(lines)}行起有引号没有配对`
          : `不是有效的 CSV：${message}`,
    )
  }
}

const unusedColumn = (intake: Intake) => (name: string) =>
  intake.report(
    'warning',
    '文件',
    `列“${name.slice(0, 20)}”没有读入：没有这样的列，或者重复；可用 --map ${name.slice(0, 20)}=列名 对应`,
  )

const DELIMITERS = [',', '\t', ';']
/**
 * Spreadsheets of some countries write semicolons, copied cells are parted by tabs. The head tells which, and a title may stand
 * above it; what stands below may hold more of any other sign.
 */
function delimiterOf(start: string, headers: Headers): string {
  const lines = start.split(/\r\n?|\n/, MOST_ABOVE)
  const cellsOf = (line: string, sign: string) => line.split(sign).map((cell) => cell.replaceAll('"', ''))
  const counts = DELIMITERS.map((sign) => {
    const rows = lines.map((line, i) => ({ line: i + 1, cells: cellsOf(line, sign) }))
    return { sign, n: headAmong(rows, headers)?.cells.length ?? 0, first: rows[0]?.cells.length ?? 0 }
  })
  return counts.reduce((most, each) =>
    each.n > most.n || (each.n === most.n && each.first > most.first) ? each : most,
  ).sign
}

/** Our own export and others write this apostrophe before a cell that a spreadsheet would run as a formula. */
const ESCAPED = /^'(?=[=+\-@\t\r＝＋－＠])/

async function* rowsOf(parser: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const row of parser) {
    const { record, info } = v.parse(CsvRow, row)
    yield { line: info.lines, cells: record.map((cell) => cell.replace(ESCAPED, '')) }
  }
}

/** Every sheet that has a 题干 column (after mapping); a workbook's other sheets are notes. */
async function readWorkbook(file: string, intake: Intake, { options }: With): Promise<boolean> {
  const { readWorkbook: read } = await import('./workbook/workbook.ts')
  const { sheets, hidden, picture } = await read(file, options.withHidden === true)
  for (const name of hidden) intake.report('warning', '文件', `工作表“${name}”是隐藏的，没有导入；要导入请加 --hidden`)
  const tables = sheets.filter(({ rows }) => headAmong(rows, options.headers))
  if (tables.length === 0) {
    const all = options.withHidden ? [] : (await read(file, true)).sheets
    const concealed = all.filter(({ rows }) => headAmong(rows, options.headers)).map(({ sheet }) => sheet)
    throw concealed.length > 0 ? concealedAlone(concealed) : withoutStem(sheets[0]?.rows[0])
  }
  const sources = new Set<string>()
  for (const { sheet, rows, notes } of tables) {
    const placed = (at: string) => (tables.length > 1 ? `${sheet} ${at}` : at)
    for (const { at, reason } of notes) intake.report('warning', placed(at), reason)
    for (const row of rows) for (const { source } of row.pictures ?? []) sources.add(source)
    try {
      for await (const each of drafts(rows, options.headers, unusedColumn(intake)))
        intake.draft({ ...each, at: placed(each.at) })
    } catch (error) {
      // A sheet that is no good keeps nobody from importing the others.
      if (!(error instanceof FileFault) || tables.length === 1) throw error
      intake.report('fault', `工作表“${sheet}”`, error.message)
    }
  }
  for (const source of sources) {
    const bytes = picture(source)
    if (bytes && pictureEnding(source) !== null) intake.picture(source, bytes)
  }
  return false
}

/** Makes the fault of a workbook that hides all of its questions, or the head of them. */
const concealedAlone = (sheets: readonly string[]): FileFault =>
  new FileFault(
    `看得见的工作表里没有题目，题目在隐藏的工作表、行或列里（“${sheets.slice(0, 5).join('”“')}”）：要导入请加 --hidden，或在表格软件里取消隐藏后保存`,
  )

/** Gives drafts without a library of their own one, as they come: chapters by their titles, points by their names. */
function framed(options: LibraryOptions, intake: Intake): { intake: Intake; bank: () => Bank } {
  const chapters = new Map<string, Bank['chapters'][number]>()
  const names = new Set<string>()
  const chapterOf = (draft: Draft): string | undefined => {
    const titles = (draft.chapter ?? options.chapter).split(/\s*[/>＞]\s*/).filter(Boolean)
    let parent: string | null = null
    for (const [depth, title] of titles.entries()) {
      const no: string = derived(options.library, 'c', titles.slice(0, depth + 1).join('/'))
      if (!chapters.has(no)) chapters.set(no, { no, parent, title })
      parent = no
    }
    return parent ?? undefined
  }
  const draft = (each: Draft) => {
    for (const { points = [] } of [each, ...(each.parts ?? [])]) for (const name of points) names.add(name)
    intake.draft({ ...each, chapter: chapterOf(each) })
  }
  const bank = (): Bank => {
    const points = [...names].map((name) => ({ no: derived(options.subject.no, 'p', name), parent: null, name }))
    const { library: no, title, directions, areas, setsOnly, subject } = options
    const library = { no, title, directions, areas, setsOnly }
    return { subject, points, library, chapters: [...chapters.values()] }
  }
  return { intake: { ...intake, draft }, bank }
}

const derived = (owner: string, kind: string, name: string): string =>
  `${owner}_${kind}${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
