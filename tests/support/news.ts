import type { NewsFileInput } from '#server/content/publish/newsFile.ts'
import type { NewsWritten } from '#server/news/store.ts'
import { publishJson } from './publish.ts'
import type { TestServer } from './server.ts'

type ArticleInput = NonNullable<NewsFileInput['articles']>[number]

/** An article in the project's own JSON. */
export const articleJson = (no: string, rest: Partial<ArticleInput> = {}): ArticleInput => ({
  no,
  category: 'policy',
  title: `${no} 标题`,
  summary: `${no} 摘要`,
  source: '本站编辑部',
  publishedAt: '2026-11-01 09:00',
  html: `<p>${no} 正文</p>`,
  ...rest,
})

export const newsJson = (rest: Partial<NewsFileInput> = {}): NewsFileInput => ({
  format: 'lijian-news/1',
  categories: [
    { no: 'policy', name: '报考政策' },
    { no: 'method', name: '备考方法' },
  ],
  ...rest,
})

/** So many articles, an hour apart; the last one is the newest. */
export const manyArticles = (count: number, prefix = 'A'): ArticleInput[] =>
  Array.from({ length: count }, (_, i) => {
    const at = new Date(Date.UTC(2026, 9, 1) + i * 3_600_000).toISOString()
    return articleJson(`${prefix}${i + 1}`, { publishedAt: `${at.slice(0, 10)} ${at.slice(11, 16)}` })
  })

/** Publishes news the way an operator does; pictures lie beside `file`. */
export const publishNews = async (
  server: Pick<TestServer, 'db' | 'mediaDir'>,
  json: unknown,
  file = 'news.json',
): Promise<NewsWritten> => (await publishJson({ ...server, clock: { now: 0 } }, 'news', json, file)) as NewsWritten
