import type { Contract } from '#src/contract/index.ts'
import { termsOf } from '#src/domain/text/searchText.ts'
import type { FoundSaid, PlayedFile, PlayedMedia } from '#src/contract/course.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { Db } from '#server/db/open.ts'
import { Busy, type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { turns } from '#server/http/turns.ts'
import type { Asker } from '#server/rights/store.ts'
import { addressOf, handoutAddress } from './media.ts'
import {
  type ForSale,
  readCourse,
  readCourses,
  readHandout,
  readLesson,
  readMine,
  readOpenLessons,
  readPackage,
  readPackages,
} from './store.ts'
import type { FindSaid } from './transcripts.ts'

const GONE = '课程不存在或已下架，请返回看看其他课程'

/** What opens a part of a course that is not open. @param then what one can do then. */
function toBuy({ title, packages, vip, over, withdrawn }: ForSale, then: string, known: boolean): string {
  const buy = withdrawn ? [] : [`购买《${title}》`]
  const sold = packages.map((name, i) => `${withdrawn && i === 0 ? '购买' : ''}套餐《${name}》`)
  const ways = [...buy, ...sold, ...(vip && !withdrawn ? ['开通 VIP '] : [])]
  if (ways.length === 0) return `《${title}》已下架${known ? '' : '；已经购买的请先登录'}`
  const last = ways.length > 1 ? `或${ways.pop()}` : ''
  return `${over ? '已到期，' : ''}${ways.join('、')}${last}后可以${then}${known ? '' : '；已经购买的请先登录'}`
}

export const courseHandlers = (db: Db, secret: string, find: FindSaid): Handlers<Contract['course']> => ({
  ...searching(db, find),
  list: (_, { scope, uid, now }) => readCourses(db, scope, { uid, now }),
  async detail({ no }, { uid, now }) {
    const course = await readCourse(db, no, { uid, now })
    if (!course) throw new Refusal(GONE)
    return course
  },
  packages: (_, { scope, uid, now }) => readPackages(db, scope, { uid, now }),
  async package({ no }, { uid, now }) {
    const found = await readPackage(db, no, { uid, now })
    if (!found) throw new Refusal('套餐不存在或已下架，请返回看看其他套餐')
    return found
  },
  mine: (_, { uid, now }) => readMine(db, uid, now),
  async lesson({ no, hashes }, { uid, now }) {
    const lesson = await readLesson(db, no, { uid, now })
    if (!lesson) throw new Refusal('课时不存在或已下架，请返回课程重新打开')
    if (!lesson.open) throw new Refusal(toBuy(lesson, '学习这个课时', uid !== null))
    return { ...lesson, ...(!hashes && withoutHashes(lesson)), ...addressOf(secret, lesson, now) }
  },
  async handout({ src }, { uid, now }) {
    const course = await readHandout(db, src, { uid, now })
    if (!course) throw new Refusal('讲义不存在或已下架，请从课程里重新打开')
    if (!course.open) throw new Refusal(toBuy(course, '看这份讲义', uid !== null))
    return handoutAddress(secret, src, now)
  },
})

type Files = Pick<PlayedMedia, 'renditions' | 'subtitles'>
/** A lesson of 2 GB has two thousand hashes, and who plays it reads none of them. */
const withoutHashes = ({ renditions, subtitles }: Files): Files => ({
  renditions: renditions.map((each) => ({ ...each, files: each.files.map(plain) })),
  subtitles: subtitles.map((each) => ({ ...each, file: plain(each.file) })),
})
const plain = (file: PlayedFile): PlayedFile => ({ ...file, parts: undefined })

/** A barracks behind one address: hundreds of phones, each of which asks when a student has stopped typing. */
const SEARCHES = { windowMs: 60_000, max: 600 }
/** A search goes through all that lessons say: one at a time leaves the server to everybody else, and nobody waits for long. */
const SEARCHES_WAITING = 20
const MOST_FOUND = 50
/** One lesson does not hide the others. */
const MOST_OF_LESSON = 10

function searching(db: Db, find: FindSaid): Pick<Handlers<Contract['course']>, 'said'> {
  const full = () => new Refusal('现在搜索的人太多，请过几秒再试')
  const turn = turns(1, { most: SEARCHES_WAITING, full })
  return {
    async said({ words }, { scope, uid, ip, now }) {
      const terms = termsOf(words)
      if (terms.length === 0) return { found: [], more: false }
      return turn(async () => {
        if (!(await allowed(db, { key: `course:said:${ip}`, ...SEARCHES }, now))) throw new Busy()
        const found = await findSaid(db, find, { scope, terms, uid, now })
        return { found: found.slice(0, MOST_FOUND), more: found.length > MOST_FOUND }
      })
    },
  }
}

/** Of lessons that are not open nothing is read. As many as are shown, and one more when there are more. */
async function findSaid(
  db: Db,
  find: FindSaid,
  { scope, terms, ...asker }: Asker & { scope: Scope; terms: readonly string[] },
): Promise<FoundSaid[]> {
  const lessons = await readOpenLessons(db, scope, asker)
  const byRev = Map.groupBy(lessons, ({ rev }) => rev)
  const found: FoundSaid[] = []
  for await (const [rev, lines] of find([...byRev.keys()], terms, MOST_OF_LESSON)) {
    for (const { course, lesson } of byRev.get(rev) ?? [])
      found.push(...lines.map((line) => ({ course, lesson, ...line })))
    if (found.length > MOST_FOUND) break
  }
  return found
}
