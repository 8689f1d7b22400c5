import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { addressOf, handoutAddress } from './media.ts'
import {
  type ForSale,
  readCourse,
  readCourses,
  readHandout,
  readLesson,
  readMine,
  readPackage,
  readPackages,
} from './store.ts'

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
    if (!found) throw new Refusal('套餐不存在或已下架，请返回看看其他套餐')
    return found
  },
  mine: (_, { uid, now }) => readMine(db, uid, now),
  async lesson({ no }, { uid, now }) {
    const lesson = await readLesson(db, no, { uid, now })
    if (!lesson) throw new Refusal('课时不存在或已下架，请返回课程重新打开')
    if (!lesson.open) throw new Refusal(toBuy(lesson, '学习这个课时', uid !== null))
    return { ...lesson, ...addressOf(secret, lesson, now) }
  },
  async handout({ src }, { uid, now }) {
    const course = await readHandout(db, src, { uid, now })
    if (!course) throw new Refusal('讲义不存在或已下架，请从课程里重新打开')
    if (!course.open) throw new Refusal(toBuy(course, '看这份讲义', uid !== null))
    return handoutAddress(secret, src, now)
  },
})
