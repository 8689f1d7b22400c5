import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, EpochMs, No } from './scalar.ts'
import { CourseHead } from './course.ts'
import { ExamHead } from './exam.ts'
import { Day, NewsHead } from './news.ts'
import { BookHead } from './store.ts'

const INSIDE = /^\/(?!\/)[\w\-./~%!$&'()*+,;=:@?#\u4e00-\u9fff]*$/u

/**
 * Tells whether a link leads to a page of ours and nowhere else: it is a path without `//`, `\`, spaces, a way up, or what makes
 * another address of it (`:`, `@`), and the server does not answer it itself.
 */
function isInside(link: string): boolean {
  const [path = ''] = link.split(/[?#]/)
  return (
    INSIDE.test(link) &&
    !/\/\/|\/\.{1,2}(\/|$)|[:@]|%(2e|2f|5c|3a|40|0)/i.test(path) &&
    !/^\/(pcapi|media|assets)(\/|$)/.test(path)
  )
}
/** A page of this site: the path, with what follows it. */
export const InsidePath = v.pipe(
  v.string(),
  v.maxLength(300, '链接最多300字'),
  v.check(isInside, '链接应是本站页面的路径，如 /question/library'),
)

/** A picture that leads to a page. */
const Banner = v.object({
  title: v.string(),
  /** A second line, smaller; '' for none. */
  note: v.string(),
  src: v.string(),
  width: Count,
  height: Count,
  link: InsidePath,
  /** When it is shown no more, epoch ms; null: it stays. */
  until: v.nullable(EpochMs),
})
export type Banner = v.InferOutput<typeof Banner>
/** More of them nobody looks at. */
export const BANNERS_MAX = 8

const HomeData = v.object({
  banners: v.array(Banner),
  /** Exams that are not over, what matters most first. */
  exams: v.array(ExamHead),
  /** The first ones in the operator's order. */
  courses: v.array(CourseHead),
  /** The newest ones. */
  news: v.array(NewsHead),
  books: v.array(BookHead),
  /** VIP packages; `from` in fen, of the cheapest duration. */
  vip: v.array(v.object({ no: No, title: v.string(), summary: v.string(), from: Count, open: v.boolean() })),
  /** Exams of the calendar that are not over, the nearest first, by their first day; `to` is the last. */
  examDays: v.array(v.object({ day: Day, to: v.optional(Day), name: v.string() })),
})
export type HomeData = v.InferOutput<typeof HomeData>

export const getHomeData = endpoint({
  path: 'home/getHomeData',
  access: 'open',
  keep: 'device',
  input: v.object({}),
  output: HomeData,
})

/** Empty text: no banner. `at`: when the operator set it, where that is known. */
export const getNotice = endpoint({
  path: 'home/getNotice',
  access: 'open',
  keep: 'boot',
  input: v.object({}),
  output: v.object({ text: v.string(), at: v.nullable(EpochMs) }),
})
