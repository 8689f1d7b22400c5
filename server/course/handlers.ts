import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { addressOf } from './media.ts'
import {
  type LessonForAsker,
  readCourse,
  readCourses,
  readLesson,
  readMine,
  readPackage,
  readPackages,
} from './store.ts'

const GONE = '课程不存在或已下架'

/** What opens a lesson that is not open. */
function toBuy({ title, packages, vip, over }: LessonForAsker, known: boolean): string {
  const ways = [`购买《${title}》`, ...packages.map((name) => `课程包《${name}》`), ...(vip ? ['开通 VIP '] : [])]
  const last = ways.length > 1 ? `或${ways.pop()}` : ''
  return `${over ? '已到期，' : ''}${ways.join('、')}${last}后可以学习这一课${known ? '' : '；已经购买的请先登录'}`
}

export const courseHandlers = (db: Db, secret: string): Handlers<Contract['course']> => ({
  list: (_, { scope, uid, now }) => readCourses(db, scope, { uid, now }),
  async detail({ no }, { uid, now }) {
    const course = await readCourse(db, no, { uid, now })
    if (!course) throw new Refusal(GONE)
    return course
  },
  packages: (_, { scope, uid, now }) => readPackages(db, scope, { uid, now }),
  async package({ no }, { uid, now }) {
    const found = await readPackage(db, no, { uid, now })
    if (!found) throw new Refusal('课程包不存在或已下架')
    return found
  },
  mine: (_, { uid, now }) => readMine(db, uid, now),
  async lesson({ no }, { uid, now }) {
    const lesson = await readLesson(db, no, { uid, now })
    if (!lesson) throw new Refusal('这一课不存在或已下架')
    if (!lesson.open) throw new Refusal(toBuy(lesson, uid !== null))
    return { ...lesson, ...addressOf(secret, lesson, now) }
  },
})
