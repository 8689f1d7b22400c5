import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { MATH_TAGS, TEXT_TAGS } from '#src/domain/text/html.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import type { Finding } from '#server/content/draft.ts'
import { ForeignPictures } from '#server/content/media/foreignPictures.ts'
import { pictureFinder } from '#server/content/media/picture.ts'
import { richText } from '#server/content/formats/richText.ts'

const TITLE_MAX = 30
const MAX_CHARS = 50_000
const FIRST_HEADING = /<h1\b[^>]*>([\s\S]*?)<\/h1>/i

export interface CheckedPage {
  /** Null when the file has a fault. `at`: since when it stands, epoch ms. */
  page: { title: string; html: string; at: number } | null
  /** By their names as they are served below /media/. */
  pictures: Map<string, Buffer>
  findings: Finding[]
}

/** Reads a page of the operator's own words, such as 平台承诺, from an HTML file: its first `<h1>`, else its `<title>`, is the title. @param at since when it stands, epoch ms. */
export async function checkPage(file: string, at: number): Promise<CheckedPage> {
  const findings: Finding[] = []
  const pictures = new Map<string, Buffer>()
  const report = (level: Finding['level'], reason: string) => findings.push({ file, at: '文件', level, reason })
  const source = await readFile(file, 'utf8').catch(() => null)
  if (source === null) {
    report('fault', '文件不存在或无法读取')
    return { page: null, pictures, findings }
  }
  const title = plainText((FIRST_HEADING.exec(source) ?? /<title\b[^>]*>([\s\S]*?)<\/title>/i.exec(source))?.[1] ?? '')
  const [, body = source] = /<body\b[^>]*>([\s\S]*?)(?:<\/body>|$)/i.exec(source) ?? []
  const text = body.replace(FIRST_HEADING, '')
  const removed = removedTags(text)
  if (removed.length > 0) report('warning', `不允许的标签已去除，只留文字：${removed.join('、')}`)
  // The page's own heading is the title, and what stands below it one level further down.
  const lowered = text.replaceAll(/<(\/?)h2\b/gi, '<$1h3')
  const { html, warnings } = richText(
    await new ForeignPictures(pictures).localised(lowered),
    pictureFinder(path.dirname(file), pictures),
  )
  for (const warning of warnings) report('warning', warning)
  if (title === '') report('fault', '没有标题：请在开头写 <h1>标题</h1>')
  if (title.length > TITLE_MAX) report('fault', `标题最多 ${TITLE_MAX} 字`)
  if (plainText(html) === '') report('fault', '没有正文')
  if (html.length > MAX_CHARS) report('fault', `正文过长：${html.length} 字符，最多 ${MAX_CHARS}`)
  const faulty = findings.some(({ level }) => level === 'fault')
  return { page: faulty ? null : { title, html, at }, pictures, findings }
}

/** Of the tags in a text those that do not reach the page. */
function removedTags(text: string): string[] {
  const kept = new Set<string>([...TEXT_TAGS, ...MATH_TAGS, 'h2'])
  const all = [...text.matchAll(/<([a-z][a-z0-9]*)[\s/>]/gi)].map(([, name = '']) => name.toLowerCase())
  return [...new Set(all)].filter((name) => !kept.has(name))
}

/** As the file that would set it again. */
export const exportPage = ({ title, html }: { title: string; html: string }): string =>
  `<h1>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</h1>\n${html.replaceAll(/(<\/(?:p|h3|h4|ul|ol|table)>)/g, '$1\n')}`
