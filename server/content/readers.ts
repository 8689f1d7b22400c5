import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { type Bank, type Draft, FileFault, type Finding, JsonBank, JsonQuestion } from './draft.ts'
import { drafts, hasStems, NO_STEM, type Row } from './tableRows.ts'

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
}
export interface Read {
  bank: Bank
  /** Faults of single questions that could not even become drafts. */
  findings: Finding[]
  /** What came in the file beside the questions, by its path in it. */
  packed?: ReadonlyMap<string, Uint8Array>
}

/**
 * Reads one file by its ending. A format's own library is loaded with the first file of it: together they would take longer to
 * start than a thousand questions to import.
 * @throws FileFault when it is not such a file at all.
 */
export async function readBank(file: string, options: LibraryOptions | null): Promise<Read> {
  const kind = path.extname(file).toLowerCase()
  if (kind === '.json') return readJson(file, await textOf(file))
  if (!options) throw new FileFault('表格、文字、GIFT、Moodle 与 QTI 文件需要 --library、--title、--subject')
  if (kind === '.gift' || kind === '.txt') {
    const source = await textOf(file)
    if (kind === '.txt') {
      const { isPaper, readPaper } = await import('./paperText.ts')
      if (isPaper(source)) return framed(readPaper(source, file), options)
    }
    return framed((await import('./gift.ts')).readGift(source, file), options)
  }
  if (kind === '.xml') {
    const source = await textOf(file)
    if (/<quiz[\s>]/.test(source)) {
      const { packed, ...questions } = (await import('./moodle.ts')).readMoodle(source, file)
      return { ...framed(questions, options), packed }
    }
    return framed((await import('./qti.ts')).readQti(source, file), options)
  }
  if (kind === '.zip') {
    const { readQtiPackage } = await import('./qtiPackage.ts')
    const { packed, ...questions } = readQtiPackage(await readFile(file), file)
    return { ...framed(questions, options), packed }
  }
  if (kind === '.csv')
    return framed({ drafts: drafts(await csvRows(await textOf(file)), options.headers), findings: [] }, options)
  if (kind === '.xlsx') return framed({ drafts: await workbookDrafts(file, options), findings: [] }, options)
  throw new FileFault(
    `不支持 ${kind || '没有扩展名的'} 文件，请使用 .json、.csv、.xlsx、.txt、.gift、.xml 或 .zip（QTI）`,
  )
}

const textOf = async (file: string): Promise<string> => decoded(await readFile(file))

/** BOM, then strict UTF-8, then GB18030, which holds GBK and GB2312. */
async function decoded(bytes: Uint8Array): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const { default: iconv } = await import('iconv-lite')
    return iconv.decode(Buffer.from(bytes), 'gb18030')
  }
}

function readJson(file: string, source: string): Read {
  let json: unknown
  try {
    json = JSON.parse(source)
  } catch (error) {
    throw new FileFault(`不是有效的 JSON：${error instanceof Error ? error.message : ''}`)
  }
  const frame = v.safeParse(JsonBank, json)
  if (!frame.success) throw new FileFault(frame.issues.map(reasonOf).join('；'))
  const { questions, subject, points, library, chapters } = frame.output
  const read: Read = { bank: { subject, points, library, chapters, drafts: [] }, findings: [] }
  for (const [i, each] of questions.entries()) {
    const at = `questions[${i}]`
    const question = v.safeParse(JsonQuestion, each)
    if (question.success)
      read.bank.drafts.push({ ...question.output, at, parts: question.output.parts?.map((part) => ({ ...part, at })) })
    else for (const issue of question.issues) read.findings.push({ file, at, level: 'fault', reason: reasonOf(issue) })
  }
  return read
}

/** The schema's own message, or the library's English one put into Chinese. */
function reasonOf(issue: v.BaseIssue<unknown>): string {
  const where = v.getDotPath(issue) ?? ''
  if (issue.received === 'undefined') return `缺少 ${where}`
  if (!issue.message.startsWith('Invalid ')) return `${where} ${issue.message}`.trim()
  return `${where} 应为 ${issue.expected ?? '别的内容'}，实为 ${issue.received.slice(0, 40)}`.trim()
}

const CsvRows = v.array(v.object({ record: v.array(v.string()), info: v.object({ lines: v.number() }) }))

async function csvRows(source: string): Promise<Row[]> {
  const { parse: parseCsv } = await import('csv-parse/sync')
  try {
    const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true, bom: true }
    const rows: unknown = parseCsv(source, options)
    return v.parse(CsvRows, rows).map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    throw new FileFault(`不是有效的 CSV：${error instanceof Error ? error.message : ''}`)
  }
}

/** Every sheet that has a 题干 column (after mapping); a workbook's other sheets are notes. */
async function workbookDrafts(file: string, options: LibraryOptions): Promise<Draft[]> {
  const { default: readWorkbook } = await import('read-excel-file/node')
  const sheets = await readWorkbook(file).catch((error: unknown) => {
    throw new FileFault(`不是有效的 XLSX：${error instanceof Error ? error.message : ''}`)
  })
  const tables = sheets.map(({ sheet, data }) => ({
    sheet,
    rows: data.map((cells, i) => ({ line: i + 1, cells: cells.map(cellText) })),
  }))
  const [first, ...others] = tables.filter(({ rows }) => hasStems(rows, options.headers))
  if (!first) throw new FileFault(NO_STEM)
  const many = others.length > 0
  return [first, ...others].flatMap(({ sheet, rows }) =>
    drafts(rows, options.headers).map((each) => (many ? { ...each, at: `${sheet} ${each.at}` } : each)),
  )
}

const cellText = (cell: unknown): string =>
  cell instanceof Date
    ? cell.toLocaleDateString('zh-CN')
    : ['string', 'number', 'boolean'].includes(typeof cell)
      ? `${cell as string | number | boolean}`
      : ''
/** Gives drafts without a library of their own one: chapters by their titles, points by their names. */
function framed({ drafts, findings }: { drafts: Draft[]; findings: Finding[] }, options: LibraryOptions): Read {
  const chapters = new Map<string, Bank['chapters'][number]>()
  const placed = drafts.map((each) => {
    const titles = (each.chapter ?? options.chapter).split(/\s*[/>＞]\s*/).filter(Boolean)
    let parent: string | null = null
    for (const [depth, title] of titles.entries()) {
      const no: string = derived(options.library, 'c', titles.slice(0, depth + 1).join('/'))
      if (!chapters.has(no)) chapters.set(no, { no, parent, title })
      parent = no
    }
    return { ...each, chapter: parent ?? undefined }
  })
  const names = new Set(drafts.flatMap((each) => [each, ...(each.parts ?? [])]).flatMap((each) => each.points ?? []))
  const points = [...names].map((name) => ({ no: derived(options.subject.no, 'p', name), parent: null, name }))
  const { library: no, title, directions, areas, setsOnly } = options
  const library = { no, title, directions, areas, setsOnly }
  return {
    bank: { subject: options.subject, points, library, chapters: [...chapters.values()], drafts: placed },
    findings,
  }
}

const derived = (owner: string, kind: string, name: string): string =>
  `${owner}_${kind}${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
