import { pagesQuery } from '#src/api/pages.ts'
import { query } from '#src/api/query.ts'
import { news } from '#src/contract/news.ts'

const within = (category: string | undefined, cursor: string | undefined) => ({
  ...(category && { category }),
  ...(cursor && { cursor }),
})
/** The newest first; without a category of all of them. */
export const newsListQuery = (category?: string) => pagesQuery(news.list, (cursor) => within(category, cursor))
export const newsSearchQuery = (q: string, category?: string) =>
  pagesQuery(news.search, (cursor) => ({ q, ...within(category, cursor) }))
/** With its neighbours of that category, or of all. */
export const newsQuery = (id: string, category?: string) => query(news.detail, { id, ...within(category, undefined) })
export const calendarQuery = () => query(news.calendar, {})
