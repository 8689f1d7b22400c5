import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, Cover, EpochMs, Html, No } from './scalar.ts'

/** 公告, 资讯. */
export const NewsKind = v.picklist(['notice', 'article'])
export type NewsKind = v.InferOutput<typeof NewsKind>
/** 报名, 准考证, 考试, 成绩, 其他. */
export const CalendarKind = v.picklist(['apply', 'ticket', 'exam', 'result', 'other'])
export type CalendarKind = v.InferOutput<typeof CalendarKind>

/** A day as YYYY-MM-DD that there is. */
export const Day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, '日期应写成 2026-12-01'),
  // 02-30 is read as 03-02, or as no date at all.
  v.check((day) => {
    const at = Date.parse(`${day}T00:00:00Z`)
    return Number.isFinite(at) && new Date(at).toISOString().startsWith(day)
  }, '没有这个日期'),
)

const head = {
  id: No,
  title: v.string(),
  summary: v.string(),
  /** Number of its category. */
  category: No,
  kind: NewsKind,
  source: v.string(),
  publishedAt: EpochMs,
  cover: v.nullable(Cover),
  /** Readers, each once a day. */
  views: Count,
}
export const NewsHead = v.object(head)
export type NewsHead = v.InferOutput<typeof NewsHead>
/** An article without its neighbours, which may change with every new one. */
const Article = v.object({ ...head, html: Html })
export type Article = v.InferOutput<typeof Article>

const Category = v.object({ no: No, name: v.string() })
export type Category = v.InferOutput<typeof Category>

/** The last article of the page before: what is published meanwhile moves no page. */
const Cursor = v.pipe(v.string(), v.regex(/^\d{1,15}_[A-Za-z0-9_]{1,64}$/, '页码不正确'))
const NewsPage = v.object({
  items: v.array(NewsHead),
  /** Null at the end. */
  next: v.nullable(Cursor),
})
export type NewsPage = v.InferOutput<typeof NewsPage>

const Beside = v.nullable(v.object({ id: No, title: v.string() }))
export type Beside = v.InferOutput<typeof Beside>
const NewsDetail = v.object({
  ...head,
  html: Html,
  /** The next newer and the next older one of the scope and, where the reader had chosen one, of the category. */
  newer: Beside,
  older: Beside,
})
export type NewsDetail = v.InferOutput<typeof NewsDetail>

const CalendarEntry = v.object({
  no: No,
  title: v.string(),
  kind: CalendarKind,
  from: Day,
  /** The last day of it; the same as `from` for a single one. */
  to: Day,
  source: v.string(),
  note: v.string(),
})
export type CalendarEntry = v.InferOutput<typeof CalendarEntry>

export const PAGE_SIZE = 20
/** So many articles are fetched ahead with their texts. */
export const LATEST = 50
export const MAX_WORDS_CHARS = 50

export const news = {
  /** The newest first, for the scope's direction and area. */
  list: endpoint({
    path: 'news/list',
    access: 'open',
    keep: 'worker',
    input: v.object({ category: v.optional(No), cursor: v.optional(Cursor) }),
    output: v.object({ ...NewsPage.entries, categories: v.array(Category) }),
  }),
  /** Every word must be found, in title, summary or text. Kept nowhere: what was searched for must not push out what was read. */
  search: endpoint({
    path: 'news/search',
    access: 'open',
    keep: 'nowhere',
    input: v.object({
      q: v.pipe(v.string(), v.maxLength(MAX_WORDS_CHARS, `搜索词最多${MAX_WORDS_CHARS}个字`)),
      category: v.optional(No),
      cursor: v.optional(Cursor),
    }),
    output: NewsPage,
  }),
  detail: endpoint({
    path: 'news/detail',
    access: 'open',
    keep: 'worker',
    input: v.object({ id: No, category: v.optional(No) }),
    output: NewsDetail,
  }),
  /** The newest of all categories with their texts, for reading without a network. */
  latest: endpoint({
    path: 'news/latest',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.object({ categories: v.array(Category), items: v.array(Article) }),
  }),
  /** What is to come, and what was lately, by day. */
  calendar: endpoint({
    path: 'news/calendar',
    access: 'open',
    keep: 'worker',
    input: v.object({}),
    output: v.array(CalendarEntry),
  }),
  /** An article was opened. A student counts once a day; so does a visitor, by a number that their device makes anew each day. */
  seen: endpoint({
    path: 'news/seen',
    access: 'open',
    keep: 'nowhere',
    input: v.object({ id: No, visitor: v.pipe(v.string(), v.uuid()) }),
    output: v.object({}),
  }),
}
