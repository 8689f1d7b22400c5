import { readShape } from '#server/content/formats/fileShape.ts'
import path from 'node:path'
import * as v from 'valibot'
import { CalendarKind, Day, NewsKind } from '#src/contract/news.ts'
import { type Cover, No } from '#src/contract/scalar.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { shortened } from '#src/domain/text/text.ts'
import type { Db, Tx } from '#server/db/open.ts'
import {
  type ArticleRow,
  type CalendarRow,
  knownCategories,
  type NewsRows,
  type NewsWritten,
  readPublished,
  writeNews,
} from '#server/news/store.ts'
import type { Media } from '#server/content/media/arriving.ts'
import { faultless, type Finding, type Report } from '#server/content/draft.ts'
import { pictureFinder } from '#server/content/media/picture.ts'
import { Keys, line, Pixels, reportUsed, Title, Withdrawn } from './paperFile.ts'
import { sizeAmong } from '#server/content/media/pictureSize.ts'
import { richText } from '#server/content/formats/richText.ts'
import { judgeScopes } from '#server/content/bank/scope.ts'
import { Time, writeTime } from '#server/content/media/time.ts'

export const NEWS_FORMAT = 'lijian-news/1'
const SUMMARY_CHARS = 80
/** As a student gets it. The latest fifty articles are kept on every phone. */
const HTML_CHARS = 50_000

const Source = line('来源', 40)
const CoverFile = v.union(
  [v.string(), v.object({ src: v.string(), width: Pixels, height: Pixels })],
  'cover 应为图片文件名，或 { "src", "width", "height" }',
)
const ofScope = {
  directions: Keys,
  areas: Keys,
  withdrawn: Withdrawn,
}

const ArticleFile = v.object({
  no: No,
  category: No,
  kind: v.optional(NewsKind, 'article'),
  title: Title,
  summary: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, '摘要最多200字'))),
  source: Source,
  publishedAt: Time,
  cover: v.optional(CoverFile),
  html: v.pipe(v.string(), v.trim(), v.nonEmpty('正文不能为空')),
  ...ofScope,
})
type ArticleFile = v.InferOutput<typeof ArticleFile>
const EntryFile = v.pipe(
  v.object({
    no: No,
    title: Title,
    kind: CalendarKind,
    from: Day,
    to: v.optional(Day),
    source: Source,
    note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300, '说明最多300字')), ''),
    ...ofScope,
  }),
  v.check(({ from, to }) => to === undefined || from <= to, 'to 不能早于 from'),
)
/** The project's own JSON of news (docs/import.md). */
const NewsFile = v.object({
  format: v.literal(NEWS_FORMAT, `format 应为 "${NEWS_FORMAT}"`),
  categories: v.optional(v.array(v.object({ no: No, name: v.pipe(Title, v.maxLength(8, '分类名称最多8字')) })), []),
  articles: v.optional(v.array(ArticleFile), []),
  calendar: v.optional(v.array(EntryFile), []),
})
export type NewsFileInput = v.InferInput<typeof NewsFile>

export interface CheckedNews {
  file: string
  /** Null when the file cannot be read as news. */
  news: NewsRows | null
  media: Media
  /** Articles and entries of the calendar. */
  total: number
  findings: Finding[]
}

/** Reads news and the pictures beside its file. @param copies of pictures that lay on other sites. */
export function readNews(file: string, json: unknown, copies: ReadonlyMap<string, Buffer> = new Map()): CheckedNews {
  const { said, findings } = readShape(NewsFile, file, json)
  const pictures = new Map(copies)
  const media = { files: pictures, lessons: [] }
  if (!said) return { file, news: null, media, total: 0, findings }
  const { categories, articles, calendar } = said
  const report: Report = (level, at, reason) => void findings.push({ file, at, level, reason })
  const find = pictureFinder(path.dirname(file), pictures)
  const rows = articles.map((article, i) => articleRow(article, `articles[${i}]`, { find, pictures, report }))
  const entries: CalendarRow[] = calendar.map((entry) => ({ ...entry, to: entry.to ?? entry.from }))
  const total = articles.length + calendar.length
  return { file, news: { categories, articles: rows, calendar: entries }, media, total, findings }
}

/** Judges news that was read against what the database holds, without changing anything. */
export async function judgeNews(db: Db | Tx, read: CheckedNews): Promise<CheckedNews> {
  if (!read.news) return read
  const { categories, articles, calendar } = read.news
  const findings = [...read.findings]
  const report: Report = (level, at, reason) => void findings.push({ file: read.file, at, level, reason })
  await judgeNumbers(db, read.news, report)
  const scoped = Object.entries({ articles, calendar }).flatMap(([list, rows]) =>
    rows.map(({ directions, areas }, i) => ({ at: `${list}[${i}]`, directions, areas })),
  )
  await judgeScopes(db, scoped, report)
  const stored = await knownCategories(
    db,
    articles.map(({ category }) => category),
  )
  const known = new Set([...categories, ...stored].map(({ no }) => no))
  for (const [i, { category }] of articles.entries())
    if (!known.has(category))
      report('fault', `articles[${i}].category`, `分类 ${category} 不存在，请写在 categories 里`)
  return { ...read, findings }
}

async function judgeNumbers(db: Db | Tx, { categories, articles, calendar }: NewsRows, report: Report): Promise<void> {
  const own = [
    ...articles.map(({ id }, i) => ({ no: id, at: `articles[${i}].no` })),
    ...calendar.map(({ no }, i) => ({ no, at: `calendar[${i}].no`, as: 'calendar' as const })),
  ]
  await reportUsed(db, 'news', own, report)
  for (const [i, { no }] of categories.entries())
    if (categories.findIndex((other) => other.no === no) < i)
      report('fault', `categories[${i}].no`, `分类编号 ${no} 重复`)
}

interface Around {
  find: (source: string) => string | null
  /** What `find` has found. */
  pictures: ReadonlyMap<string, Buffer>
  report: Report
}

function articleRow(article: ArticleFile, at: string, around: Around): ArticleRow {
  const { no: id, cover, summary, html: source, ...rest } = article
  const { html: clean, warnings } = richText(withTextHeadings(source), around.find)
  for (const warning of new Set(warnings))
    around.report(warning.startsWith('图片') ? 'fault' : 'warning', `${at}.html`, warning)
  const html = sized(clean, `${at}.html`, around)
  const text = plainText(html)
  if (html.length > HTML_CHARS)
    around.report(
      'fault',
      `${at}.html`,
      `正文过长：${html.length} 字符（连同标签与公式），最多 ${HTML_CHARS}；请分成几篇`,
    )
  if (text === '') around.report('fault', `${at}.html`, '正文里没有可以显示的文字')
  return { ...rest, id, html, summary: summary ?? shortened(text, SUMMARY_CHARS), cover: coverOf(cover, at, around) }
}

/** An article's title is the page's heading; what stands in its text is below it. */
const withTextHeadings = (html: string): string => html.replace(/<(\/?)h[12]\b/gi, '<$1h3')

/** Every picture with its width and height. */
const sized = (html: string, at: string, { pictures, report }: Around): string =>
  html.replace(/<img\b[^>]*>/g, (tag) => {
    if (/\swidth="\d+"/.test(tag) && /\sheight="\d+"/.test(tag)) return tag
    const src = /\ssrc="([^"]*)"/.exec(tag)?.[1] ?? ''
    const size = sizeAmong(pictures, src)
    if (!size) report('fault', at, `图片 ${src.slice(0, 80)} 读不出大小，请写明 width 和 height`)
    const bare = tag.replace(/\s(?:width|height)="[^"]*"/g, '')
    return size ? bare.replace(/\s*\/?>$/, ` width="${size.width}" height="${size.height}" />`) : tag
  })

function coverOf(cover: ArticleFile['cover'], at: string, { find, pictures, report }: Around): Cover | null {
  if (cover === undefined) return null
  const given = typeof cover === 'string' ? { src: cover } : cover
  const src = find(given.src)
  if (src === null) {
    report('fault', `${at}.cover`, `图片不可用：${given.src.slice(0, 80)}`)
    return null
  }
  const size = 'width' in given ? given : sizeAmong(pictures, src)
  if (!size) report('fault', `${at}.cover`, `图片 ${given.src.slice(0, 80)} 读不出大小，请写明 width 和 height`)
  return size && { src, width: size.width, height: size.height }
}

/** Publishes checked news, all or nothing. @throws FileFault when it has faults. */
export const writeCheckedNews = (tx: Tx, checked: CheckedNews): Promise<NewsWritten> =>
  writeNews(tx, faultless(checked, checked.news))

/** All news, in the operator's commands. */
export const ALL_NEWS = 'news'

/** Published news as the file that would publish it again: one article or entry of the calendar, or everything. */
export async function exportNews(db: Db, no: string): Promise<NewsFileInput | null> {
  const published = await readPublished(db, no === ALL_NEWS ? null : no)
  if (!published) return null
  return {
    format: NEWS_FORMAT,
    categories: published.categories,
    articles: published.articles.map(({ id, cover, publishedAt, ...article }) => ({
      no: id,
      ...article,
      publishedAt: writeTime(publishedAt),
      ...(cover && { cover }),
    })),
    calendar: published.calendar,
  }
}
