import { open, readFile } from 'node:fs/promises'
import { FileFault } from '#server/content/draft.ts'
import { refuseBomb } from '../office/bomb.ts'
import { attribute, childrenOf, localName, type Parts, partsOf } from '../office/parts.ts'
import { refuseLarge } from '../fileText.ts'
import type { Line } from '../paperAnswers.ts'
import type { Headers, Row } from '../tableHead.ts'
import type { Element } from '../xml.ts'
import { Fields } from './fields.ts'
import { type Answers, answersPlaced } from './answerTables.ts'
import { linesOf } from './lines.ts'
import { type ListItem, listsWithin } from './listsWithin.ts'
import { type Label, Numbering } from './numbering.ts'
import { Placeholders, TooMuchHeld } from './placeholders.ts'
import { type Document, Runs } from './runs.ts'
import { stylesIn } from './styles.ts'
import { tableOf } from './tables.ts'
import { FOR_MARKS, tableUse } from './tableUses.ts'

export interface Word {
  lines: Line[]
  /** Tables that are banks. */
  banks: { at: string; rows: Row[] }[]
  held: Placeholders
  notes: { at: string; reason: string }[]
  /** It names a line by its paragraph in the file, and by how it begins. */
  placeOf: (line: number) => string
}

/** A file of so many MB holds pictures above all. */
const MOST_PACKED = 64
/** The text of 20,000 questions; a page of a file takes a few kilobytes of XML. */
const MOST_LINES = 400_000

/**
 * Reads a document of Word as the lines that a person sees.
 * @param take gets pictures by the names that the lines have for them
 * @throws FileFault
 */
export async function readWord(
  file: string,
  headers: Headers,
  take: (name: string, bytes: Uint8Array) => void,
): Promise<Word> {
  await refuseLarge(file, MOST_PACKED)
  await refuseOther(file)
  await refuseBomb(file, {
    invalid,
    tooLarge: (most) => `文件解开后超过 ${most}：请分成几个文件`,
  })
  try {
    return new Reading(partsOf(await readFile(file)), headers, take).word()
  } catch (error) {
    if (error instanceof TooMuchHeld) throw new FileFault('文件里的公式、图片太多：请分成几个文件', { cause: error })
    throw error instanceof FileFault ? error : invalid(error)
  }
}

const invalid = (cause: unknown): FileFault =>
  new FileFault('不是有效的 .docx：打不开，或文件不完整；请用 Word 或 WPS 打开，“另存为”.docx 后再导入', { cause })

/** Files of another kind that were named so. */
async function refuseOther(file: string): Promise<void> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, 0)
    const start = buffer.subarray(0, bytesRead)
    if (start.subarray(0, 2).toString('latin1') === 'PK') return
    if (start.subarray(0, 4).toString('hex') === 'd0cf11e0') {
      const isLocked = (await readFile(file)).includes(Buffer.from('EncryptedPackage', 'utf16le'))
      throw new FileFault(
        isLocked
          ? '文件有打开密码：请在 Word 里“文件 → 信息 → 保护文档”去掉密码，保存后再导入'
          : '这是旧版 Word（.doc）文件：请用 Word 或 WPS 打开，“另存为”.docx 后再导入',
      )
    }
    throw invalid(undefined)
  } finally {
    await handle.close()
  }
}

/** Parts by what they are to the document: every program names them as it likes. */
function named(parts: Parts): { main: string; of: (kind: string) => string | undefined } {
  let main = 'word/document.xml'
  parts.each('_rels/.rels', ['Relationship'], ({ attributes: { Type = '', Target = '' } }) => {
    if (Type.endsWith('/officeDocument')) main = Target.replace(/^\//, '')
  })
  const kinds = new Map<string, string>()
  const targets = parts.relations(main)
  parts.each(main.replace(/([^/]*)$/, '_rels/$1.rels'), ['Relationship'], ({ attributes: { Type = '', Id = '' } }) => {
    const target = targets.get(Id)
    if (target !== undefined) kinds.set(Type.slice(Type.lastIndexOf('/') + 1), target)
  })
  return { main, of: (kind) => kinds.get(kind) }
}

const BLOCKS = [
  'p',
  'tbl',
  'AlternateContent',
  'oMathPara',
  'oMath',
  'altChunk',
  'subDoc',
  'ins',
  'moveTo',
  'del',
  'moveFrom',
]

class Reading {
  private readonly document: Document
  private readonly numbering: Numbering
  private readonly held = new Placeholders()
  private readonly lines: Line[] = []
  private readonly blocks: number[] = []
  private readonly banks: Word['banks'] = []
  private readonly notes: Word['notes'] = []
  private readonly items: ListItem[] = []
  private readonly answers: Answers[] = []
  private label: Label | null = null
  private block = 0
  private tables = 0
  private readonly parts: Parts
  private readonly headers: Headers
  private readonly main: string

  constructor(parts: Parts, headers: Headers, take: (name: string, bytes: Uint8Array) => void) {
    const { main, of } = named(parts)
    this.parts = parts
    this.headers = headers
    this.main = main
    this.numbering = new Numbering(parts, of('numbering'))
    this.document = {
      styles: stylesIn(parts, of('styles')),
      pictures: { parts, targets: parts.relations(main), take },
      held: this.held,
      fields: new Fields(),
      isTracked: false,
      isInTable: false,
    }
  }

  word(): Word {
    if (!this.parts.bytes(this.main)) throw invalid(undefined)
    this.parts.each(this.main, BLOCKS, (element) => this.take(element))
    if (this.joined.length > 0) this.take({ name: 'w:p', attributes: {}, children: [] })
    for (const within of listsWithin(this.lines, this.items)) within.isWithin = true
    const { lines, left } = answersPlaced(this.lines, this.answers)
    this.notes.push(...left.map(({ line, reason }) => ({ at: this.placeOf(line), reason })))
    if (this.document.isTracked)
      this.notes.push({ at: '文件', reason: '文件里有修订，按接受全部修订后的样子导入（删除的不导入，插入的导入）' })
    return { lines, banks: this.banks, held: this.held, notes: this.notes, placeOf: (n) => this.placeOf(n) }
  }

  private placeOf(n: number): string {
    const text = this.held.words(this.lines[n - 1]?.text ?? '').trim()
    return `第${this.blocks[n - 1] ?? this.block}段${text === '' ? '' : `“${text.slice(0, 12)}”`}`
  }

  private take(element: Element): void {
    this.block++
    this.held.line = this.lines.length + 1
    if (localName(element) === 'tbl') this.table(element)
    else this.push(this.paragraph(element), this.label)
  }

  private push(lines: readonly string[], label: Label | null = null): void {
    for (const [i, text] of lines.entries()) {
      // 1.2 is part of something: no question has such a number.
      const isWithin = i === 0 && /\d[.．]\d/.test(label?.text ?? '')
      this.lines.push({ text, n: this.lines.length + 1, ...(isWithin && { isWithin }) })
      this.blocks.push(this.block)
      if (i === 0 && label?.isFigure)
        this.items.push({ line: this.lines.length - 1, num: label.num, level: label.level })
    }
    if (this.lines.length > MOST_LINES) throw new FileFault('文件太长：请分成几个文件')
  }

  /** A paragraph that was joined with the next one by a tracked change is read with that one. */
  private joined: Element[] = []
  private paragraph(element: Element): string[] {
    const properties = childrenOf(element, 'pPr')[0]
    const mark = properties && childrenOf(properties, 'rPr')[0]
    const content = localName(element) === 'p' ? childrenOf(element) : [element]
    this.label = null
    if (mark && (childrenOf(mark, 'del').length > 0 || childrenOf(mark, 'moveFrom').length > 0)) {
      this.document.isTracked = true
      this.joined.push(...content)
      return []
    }
    const whole = [...this.joined, ...content]
    this.joined = []
    const { look, list, style } = this.document.styles.paragraph(properties)
    const seen = whole.filter((each) => !/Pr$|^bookmark|^proofErr$/.test(localName(each)))
    const label = this.isGone(seen, look.isHidden === true || this.document.styles.run(mark, look).isHidden === true)
      ? null
      : this.numbering.next(list, style)
    const runs = new Runs(this.document, look, label === null && seen.length === 1)
    runs.read(whole)
    const broken = this.document.fields.endParagraph()
    const problems = [
      ...(broken === null ? [] : [broken]),
      ...(label?.text === null ? ['自动编号的格式读不出：请选中编号，改成普通的“1.”“A.”'] : []),
    ]
    const asides = problems.map((reason) => ({
      text: this.held.add({ kind: 'problem', reason }),
      look: {},
      isAside: true,
    }))
    this.label = label
    return linesOf(label?.text ?? '', [...runs.pieces, ...asides], this.held)
  }

  /** A paragraph that is hidden with its end is not counted. */
  private isGone(content: readonly Element[], isHidden: boolean): boolean {
    return isHidden && content.every((each) => localName(each) !== 'r' || isHiddenRun(each))
  }

  private table(element: Element): void {
    this.tables++
    this.document.isInTable = true
    const table = tableOf(element, (each) => this.paragraph(each))
    this.document.isInTable = false
    this.document.isTracked ||= table.isTracked
    const at = this.block
    if (table.hasHidden) this.notes.push({ at: `第${at}段`, reason: '表格里有隐藏的行，没有导入' })
    const use = tableUse(table, this.held, this.headers)
    if (use.is === 'bank') this.banks.push({ at: `表格${this.tables}`, rows: use.rows })
    else if (use.is === 'answers') this.answers.push({ line: this.lines.length, pairs: use.pairs })
    else if (use.is === 'marks') this.notes.push({ at: `第${this.block}段`, reason: FOR_MARKS })
    else this.push(use.lines)
  }
}

const isHiddenRun = (run: Element): boolean =>
  childrenOf(run, 'rPr').some((properties) =>
    childrenOf(properties, 'vanish').some((each) => !['0', 'false'].includes(attribute(each, 'val') ?? '')),
  )
