import { type RawBuilder, sql } from 'kysely'
import type { HomeData } from '#src/contract/home.ts'
import {
  type Article,
  type Beside,
  type CalendarEntry,
  type Category,
  LATEST,
  type NewsDetail,
  type NewsHead,
  type NewsPage,
  PAGE_SIZE,
} from '#src/contract/news.ts'
import type { Scope } from '#src/contract/scalar.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { searchedText } from '#src/domain/app/news.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { inScope } from '#server/structural/store.ts'

const said: RawBuilder<unknown> = sql`n.no as id, n.title, n.summary, n.category_no as category, n.kind, n.source,
  n.published_at as "publishedAt", n.cover`
const head: RawBuilder<NewsHead> = sql<NewsHead>`${said}, n.views`
const newest = sql`n.published_at desc, n.no desc`
/** An article may be written ahead of its day. */
const shown = (scope: Scope, now: number) =>
  sql<boolean>`(not n.withdrawn and n.published_at <= ${now} and ${inScope('n', scope)})`

const ofCategory = (category: string | undefined) => (category ? sql`n.category_no = ${category}` : sql`true`)

interface Asked {
  category?: string | undefined
  /** Of the contract's shape. */
  cursor?: string | undefined
  /** Folded; each must be found. */
  words?: readonly string[]
  /** Epoch ms. */
  now: number
}

/** A search looks in the newest of them: it reads every text, and nobody looks for news of years ago. */
const SEARCHED = 5_000

/** A page of what is shown, the newest first, from behind the cursor on. */
export async function readPage(db: Db, scope: Scope, { category, cursor, words = [], now }: Asked): Promise<NewsPage> {
  const [, at, no] = /^(\d+)_(.+)$/.exec(cursor ?? '') ?? []
  const all = sql`select * from news n where ${shown(scope, now)} and ${ofCategory(category)}`
  const among = words.length > 0 ? sql`${all} order by ${newest} limit ${SEARCHED}::int` : all
  const conditions = [
    sql`true`,
    ...(at && no ? [sql`(n.published_at, n.no) < (${Number(at)}::bigint, ${no}::text)`] : []),
    // Not LIKE: a word's own % and _ mean themselves.
    ...words.map((word) => sql`strpos(n.searched, ${word}) > 0`),
  ]
  // One more than is shown tells whether there is a next page.
  const { rows } = await sql<NewsHead>`
    select ${head} from (${among}) n where ${sql.join(conditions, sql` and `)} order by ${newest} limit ${PAGE_SIZE + 1}::int`.execute(
    db,
  )
  const items = rows.slice(0, PAGE_SIZE)
  const last = items.at(-1)
  return { items, next: rows.length > PAGE_SIZE && last ? `${last.publishedAt}_${last.id}` : null }
}

/** Categories in which something is shown. */
export async function readNewsCategories(db: Db, scope: Scope, now: number): Promise<Category[]> {
  const { rows } = await sql<Category>`
    select c.no, c.name from news_category c
    where exists (select from news n where n.category_no = c.no and ${shown(scope, now)}) order by c.position, c.no`.execute(
    db,
  )
  return rows
}

/** Null when there is none. Anybody may open any article; its neighbours are those of the reader's scope and category. */
export async function readArticle(
  db: Db,
  scope: Scope,
  { id, category, now }: { id: string } & Pick<Asked, 'category' | 'now'>,
): Promise<NewsDetail | null> {
  const beside = (than: '<' | '>', order: RawBuilder<unknown>) =>
    sql<Beside>`(select json_build_object('id', n.no, 'title', n.title) from news n
      where ${shown(scope, now)} and ${ofCategory(category)} and (n.published_at, n.no) ${sql.raw(than)} (a."publishedAt", a.id) order by ${order} limit 1)`
  const { rows } = await sql<NewsDetail>`
    with a as (select ${head}, n.html from news n where n.no = ${id} and not n.withdrawn and n.published_at <= ${now})
    select a.*, ${beside('>', sql`n.published_at, n.no`)} as newer, ${beside('<', newest)} as older from a`.execute(db)
  return rows[0] ?? null
}

export async function readLatest(db: Db, scope: Scope, now: number): Promise<Article[]> {
  const { rows } = await sql<Article>`
    select ${head}, n.html from news n where ${shown(scope, now)} order by ${newest} limit ${LATEST}::int`.execute(db)
  return rows
}

/** @param since YYYY-MM-DD: what was over before is left out */
export async function readCalendar(db: Db, scope: Scope, since: string): Promise<CalendarEntry[]> {
  const { rows } = await sql<CalendarEntry>`
    select e.no, e.title, e.kind, e.from_day as "from", e.to_day as "to", e.source, e.note from calendar_entry e
    where not e.withdrawn and e.to_day >= ${since} and ${inScope('e', scope)} order by e.from_day, e.to_day, e.no`.execute(
    db,
  )
  return rows
}

/** Exams of the calendar that are not over on that day (YYYY-MM-DD), the nearest first. */
export async function readExamDays(db: Db, scope: Scope, from: string, limit: number): Promise<HomeData['examDays']> {
  const { rows } = await sql<HomeData['examDays'][number]>`
    select e.from_day as day, e.to_day as "to", e.title as name from calendar_entry e
    where not e.withdrawn and e.kind = 'exam' and e.to_day >= ${from} and ${inScope('e', scope)}
    order by e.from_day, e.no limit ${limit}::int`.execute(db)
  return rows
}

/** A student as a reader. */
export const studentReader = (uid: string): string => `u:${uid}`

export async function forgetReader(tx: Tx, uid: string): Promise<void> {
  await tx.deleteFrom('news_seen').where('reader', '=', studentReader(uid)).execute()
}

/** Once a reader and day; nothing for an article that is not shown to anybody at `now`, epoch ms. */
export async function markSeen(db: Db, id: string, reader: string, now: number): Promise<void> {
  await sql`insert into news_seen (news_no, day, reader) select no, ${dayOf(now)}, ${reader}
    from news where no = ${id} and not withdrawn and published_at <= ${now} on conflict do nothing`.execute(db)
}

/** Adds new readers to the articles' views. False: that was all. */
export async function countViews(db: Db): Promise<false> {
  await sql`
    with fresh as (update news_seen set counted = true where not counted returning news_no),
      n as (select news_no, count(*)::int as readers from fresh group by news_no)
    update news set views = views + n.readers from n where no = n.news_no`.execute(db)
  return false
}

/** Forgets who has read what: yesterday's readers cannot come again. */
export async function sweepSeen(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('news_seen')
    .where('counted', '=', true)
    .where('day', '<', dayOf(now) - 1)
    .execute()
}

/** What a file says of an article besides what is shown of it. */
export interface ArticleRow extends Omit<Article, 'views'> {
  directions: string[]
  areas: string[]
  withdrawn: boolean
}
export interface CalendarRow extends CalendarEntry {
  directions: string[]
  areas: string[]
  withdrawn: boolean
}
export interface NewsRows {
  categories: Category[]
  articles: ArticleRow[]
  calendar: CalendarRow[]
}
export interface NewsWritten {
  added: number
  changed: number
}

/** Which of these categories there are. */
export async function knownCategories(db: Db | Tx, nos: readonly string[]): Promise<Category[]> {
  if (nos.length === 0) return []
  return await db.selectFrom('news_category').select(['no', 'name']).where('no', 'in', nos).execute()
}

/** Adds what is new and changes what differs; what a file does not name stays as it is. */
export async function writeNews(tx: Tx, { categories, articles, calendar }: NewsRows): Promise<NewsWritten> {
  for (const { no, name } of categories)
    await sql`insert into news_category (no, name, position)
      select ${no}, ${name}, coalesce(max(position) + 1, 0) from news_category
      on conflict (no) do update set name = excluded.name`.execute(tx)
  const written: Written[] = []
  for (const article of articles) written.push(...(await writeArticle(tx, article)))
  for (const entry of calendar) written.push(...(await writeEntry(tx, entry)))
  const added = written.filter(({ fresh }) => fresh).length
  return { added, changed: written.length - added }
}

/** A row that was not there before has no xmax; one that is the same already is not written, and not returned. */
interface Written {
  fresh: boolean
}

async function writeArticle(tx: Tx, article: ArticleRow): Promise<Written[]> {
  const { rows } = await sql<Written>`
    insert into news as n
      (no, category_no, kind, title, summary, source, published_at, cover, html, searched, directions, areas, withdrawn)
    values (${article.id}, ${article.category}, ${article.kind}, ${article.title}, ${article.summary}, ${article.source},
      ${article.publishedAt}, ${article.cover && JSON.stringify(article.cover)}::json, ${article.html}, ${searchedText(article)},
      ${article.directions}, ${article.areas}, ${article.withdrawn})
    on conflict (no) do update set category_no = excluded.category_no, kind = excluded.kind, title = excluded.title,
      summary = excluded.summary, source = excluded.source, published_at = excluded.published_at, cover = excluded.cover,
      html = excluded.html, searched = excluded.searched, directions = excluded.directions, areas = excluded.areas,
      withdrawn = excluded.withdrawn
    where (n.category_no, n.kind, n.title, n.summary, n.source, n.published_at, n.cover::text, n.html, n.searched, n.directions,
      n.areas, n.withdrawn) is distinct from (excluded.category_no, excluded.kind, excluded.title, excluded.summary,
      excluded.source, excluded.published_at, excluded.cover::text, excluded.html, excluded.searched, excluded.directions,
      excluded.areas, excluded.withdrawn)
    returning xmax = 0 as fresh`.execute(tx)
  return rows
}

async function writeEntry(tx: Tx, entry: CalendarRow): Promise<Written[]> {
  const { rows } = await sql<Written>`
    insert into calendar_entry as e (no, title, kind, from_day, to_day, source, note, directions, areas, withdrawn)
    values (${entry.no}, ${entry.title}, ${entry.kind}, ${entry.from}, ${entry.to}, ${entry.source}, ${entry.note},
      ${entry.directions}, ${entry.areas}, ${entry.withdrawn})
    on conflict (no) do update set title = excluded.title, kind = excluded.kind, from_day = excluded.from_day,
      to_day = excluded.to_day, source = excluded.source, note = excluded.note, directions = excluded.directions,
      areas = excluded.areas, withdrawn = excluded.withdrawn
    where (e.title, e.kind, e.from_day, e.to_day, e.source, e.note, e.directions, e.areas, e.withdrawn) is distinct from
      (excluded.title, excluded.kind, excluded.from_day, excluded.to_day, excluded.source, excluded.note, excluded.directions,
      excluded.areas, excluded.withdrawn)
    returning xmax = 0 as fresh`.execute(tx)
  return rows
}

/** News as it was published: one article, one entry of the calendar, or with null everything. Null: there is no such thing. */
export async function readPublished(db: Db, no: string | null): Promise<NewsRows | null> {
  const one = (name: string) => (no === null ? sql`true` : sql`${sql.ref(name)} = ${no}`)
  const { rows: articles } = await sql<ArticleRow>`
    select ${said}, n.html, n.directions, n.areas, n.withdrawn from news n where ${one('n.no')} order by ${newest}`.execute(
    db,
  )
  const { rows: calendar } = await sql<CalendarRow>`
    select e.no, e.title, e.kind, e.from_day as "from", e.to_day as "to", e.source, e.note, e.directions, e.areas, e.withdrawn
    from calendar_entry e where ${one('e.no')} order by e.from_day, e.no`.execute(db)
  if (articles.length + calendar.length === 0) return null
  const { rows: categories } = await sql<Category>`
    select no, name from news_category where no = any(${articles.map(({ category }) => category)}) order by position, no`.execute(
    db,
  )
  return { categories, articles, calendar }
}
