import type { Contract } from '#src/contract/index.ts'
import { news as contract } from '#src/contract/news.ts'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { wordsOf } from '#src/domain/app/news.ts'
import type { Db } from '#server/db/open.ts'
import { Busy, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { remembered } from '#server/http/remembered.ts'
import { turns } from '#server/http/turns.ts'
import {
  markSeen,
  readArticle,
  readCalendar,
  readLatest,
  readNewsCategories,
  readPage,
  studentReader,
} from './store.ts'

const GONE = '资讯不存在或已撤下，请返回看看其他资讯'
/** A barracks behind one address: hundreds of phones. A search reads every text there is. */
const SEARCHES = { windowMs: 60_000, max: 600 }
/** Of visitors at one address, who are who they say: nobody makes an article famous by themselves. */
const VISITS = { windowMs: 86_400_000, max: 1_000 }
/** What is over is still looked up for a while. */
const CALENDAR_PAST_DAYS = 180

/** A search reads thousands of texts: two at a time leave the pool to everybody else, and nobody waits for long. */
const SEARCHES_AT_ONCE = 2
const SEARCHES_WAITING = 20

export const newsHandlers = (db: Db): Handlers<Contract['news']> => ({
  ...searching(db),
  ...latest(db),
  async list({ category, cursor }, { scope, now }) {
    const [page, categories] = await Promise.all([
      readPage(db, scope, { category, cursor, now }),
      readNewsCategories(db, scope, now),
    ])
    return { ...page, categories }
  },
  async detail({ id, category }, { scope, now }) {
    const article = await readArticle(db, scope, { id, category, now })
    if (!article) throw new Refusal(GONE)
    return article
  },
  calendar: (_, { scope, now }) => readCalendar(db, scope, dateOf(dayOf(now) - CALENDAR_PAST_DAYS)),
  async seen({ id, visitor }, { uid, ip, now }) {
    // Beyond the limit nothing is counted, and nobody is told: a reader has done nothing wrong.
    const counts = uid !== null || (await allowed(db, { key: `news:seen:${ip}`, ...VISITS }, now))
    if (counts) await markSeen(db, id, uid === null ? `v:${visitor}` : studentReader(uid), now)
    return {}
  },
})

function searching(db: Db): Pick<Handlers<Contract['news']>, 'search'> {
  const full = () => new Refusal('现在搜索的人太多，请过几秒再试')
  const turn = turns(SEARCHES_AT_ONCE, { most: SEARCHES_WAITING, full })
  return {
    async search({ q, category, cursor }, { scope, ip, now }) {
      const words = wordsOf(q)
      if (words.length === 0) return { items: [], next: null }
      // Counting asks the database, too.
      return turn(async () => {
        if (!(await allowed(db, { key: `news:search:${ip}`, ...SEARCHES }, now))) throw new Busy()
        return readPage(db, scope, { category, cursor, words, now })
      })
    },
  }
}

function latest(db: Db): Pick<Handlers<Contract['news']>, 'latest'> {
  const read = remembered(contract.latest, async (scope, now) => {
    const [items, categories] = await Promise.all([readLatest(db, scope, now), readNewsCategories(db, scope, now)])
    return { items, categories }
  })
  return { latest: (_, { scope, now }) => read(scope, now) }
}
