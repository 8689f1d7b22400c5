import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { checkFile } from '#server/content/bank/import.ts'
import { foreignLibrary } from './library.ts'

const NAMESPACES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** A run as Word writes it. @param properties of it, such as `<w:b/>` */
export const r = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`
/** A paragraph of runs, or of a text. @param properties of it, such as its list */
export const p = (content: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content.startsWith('<') ? content : content && r(content)}</w:p>`
/** A paragraph of a list. */
export const item = (content: string, num: number, level = 0): string =>
  p(content, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${num}"/></w:numPr>`)
export const cell = (content: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${/^<w:(?:p|tbl)/.test(content) ? content : p(content)}</w:tc>`
export const table = (...rows: string[][]): string =>
  `<w:tbl><w:tblPr/>${rows.map((cells) => `<w:tr>${cells.map((each) => (each.startsWith('<w:tc>') ? each : cell(each))).join('')}</w:tr>`).join('')}</w:tbl>`
/** A picture in the line, or lying over the text. */
export const picture = (id: string, { floats = false, pic = '' } = {}): string => {
  const kind = floats ? 'anchor' : 'inline'
  return `<w:r><w:drawing><wp:${kind}><wp:extent cx="952500" cy="476250"/><wp:docPr id="1" name="图片"/><a:graphic><a:graphicData uri="p"><pic:pic><pic:blipFill><a:blip r:embed="${id}"/>${pic}</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:${kind}></w:drawing></w:r>`
}
/** A level of a list. */
export const level = (n: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${n}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
export const list = (id: number, ...levels: string[]): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
export const num = (id: number, abstract: number, more = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstract}"/>${more}</w:num>`

export interface WordParts {
  numbering?: string
  styles?: string
  /** Media by the id of their relation. */
  media?: Record<string, { name: string; bytes: Uint8Array }>
  other?: Record<string, string | Uint8Array>
}

/** The bytes of a document with that body. */
export function wordBytes(
  body: string,
  { numbering = '', styles = '', media = {}, other = {} }: WordParts = {},
): Uint8Array {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATION}/${kind}" Target="${target}"/>`
  const texts: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'word/document.xml')}</Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships>${relation('n', 'numbering', 'numbering.xml')}${relation('s', 'styles', 'styles.xml')}${Object.entries(
      media,
    )
      .map(([id, { name }]) => relation(id, 'image', `media/${name}`))
      .join('')}</Relationships>`,
    'word/numbering.xml': `<w:numbering ${NAMESPACES}>${numbering}</w:numbering>`,
    'word/styles.xml': `<w:styles ${NAMESPACES}>${styles}</w:styles>`,
    'word/document.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document ${NAMESPACES}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    ...Object.fromEntries(Object.values(media).map(({ name, bytes }) => [`word/media/${name}`, bytes])),
    ...other,
  }
  return zipSync(
    Object.fromEntries(
      Object.entries(texts).map(([name, data]) => [name, typeof data === 'string' ? strToU8(data) : data]),
    ),
  )
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-word-'))
let files = 0
/** Checks bytes as an operator has them in a file. */
export async function readWordBytes(bytes: Uint8Array, ending = '.docx') {
  const file = path.join(folder, `${++files}${ending}`)
  writeFileSync(file, bytes)
  const checked = await checkFile(file, foreignLibrary('W'))
  const titles = new Map(checked.bank?.chapters.map(({ no, title }) => [no, title]))
  return {
    checked,
    questions: checked.placed.map(({ question }) => question),
    chapters: checked.placed.map(({ chapterNo }) => titles.get(chapterNo)),
    findings: checked.findings
      .filter(({ reason }) => reason !== '没有解析')
      .map(({ level: of, at, reason }) => `${of} ${at} ${reason}`),
  }
}
/** Checks a document of these paragraphs and tables. */
export const readWord = (body: string[], parts: WordParts = {}) => readWordBytes(wordBytes(body.join(''), parts))
/** Options of a question, as HTML. */
export const optionsOf = (question: unknown): string[] =>
  (question as { options: { html: string }[] }).options.map(({ html }) => html)
