import { COURSE_KINDS, type CourseHead, type CourseKind, type PackageHead } from '#src/contract/course.ts'
import { saying } from '../text/words.ts'

export const COURSE_SORTS = ['default', 'newest', 'cheapest', 'dearest', 'longest'] as const
export const COURSE_PRICES = ['free', 'paid', 'vip'] as const
/** What a student looks for; '' and null: whatever. */
export interface CourseFilter {
  words: string
  /** Number of a subject. */
  subject: string
  kind: CourseKind | null
  price: (typeof COURSE_PRICES)[number] | null
  sort: (typeof COURSE_SORTS)[number]
}
type Course = Pick<CourseHead, 'title' | 'teacher' | 'subject' | 'kind' | 'price' | 'vip' | 'at' | 'seconds'>

const ORDERS: Record<CourseFilter['sort'], (a: Course, b: Course) => number> = {
  default: () => 0,
  newest: (a, b) => b.at - a.at,
  cheapest: (a, b) => a.price - b.price,
  dearest: (a, b) => b.price - a.price,
  longest: (a, b) => b.seconds - a.seconds,
}

/** Courses that are looked for, in the order asked for; among equals the operator's. Each of several words must be there. */
export function findCourses<T extends Course>(all: readonly T[], filter: CourseFilter): T[] {
  const says = saying(filter.words)
  return all
    .filter(
      (course) =>
        (filter.subject === '' || course.subject?.no === filter.subject) &&
        (filter.kind === null || course.kind === filter.kind) &&
        isPriced(course, filter.price) &&
        says(`${course.title} ${course.teacher} ${course.subject?.name ?? ''}`),
    )
    .sort(ORDERS[filter.sort])
}

/** Packages that are looked for: those have courses of several subjects and kinds, so who asks for one gets none. */
export function findPackages<T extends Pick<PackageHead, 'title' | 'price' | 'vip'>>(
  all: readonly T[],
  filter: CourseFilter,
): T[] {
  if (filter.subject !== '' || filter.kind !== null) return []
  const says = saying(filter.words)
  return all.filter((each) => isPriced(each, filter.price) && says(each.title))
}

/** Packages before all else, by their price where that is asked for, and last where they have nothing to be sorted by. */
export function arranged<P extends { price: number }, C extends { price: number }>(
  packages: readonly P[],
  courses: readonly C[],
  sort: CourseFilter['sort'],
): (P | C)[] {
  if (sort === 'default') return [...packages, ...courses]
  const all = [...courses, ...packages]
  const sign = sort === 'cheapest' ? 1 : -1
  return sort === 'cheapest' || sort === 'dearest' ? all.sort((a, b) => sign * (a.price - b.price)) : all
}

function isPriced({ price, vip }: Pick<Course, 'price' | 'vip'>, wanted: CourseFilter['price']): boolean {
  if (wanted === 'free') return price === 0
  if (wanted === 'paid') return price > 0
  return wanted === null || vip
}

/** Subjects of these courses, each once, in the order in which they come. */
export function subjectsOf(all: readonly Course[]): { no: string; name: string }[] {
  const subjects = new Map(all.flatMap(({ subject }) => (subject ? [[subject.no, subject]] : [])))
  return [...subjects.values()]
}

/** The filter as fields of an address; anybody may have typed them. */
export type CourseSearch = { [name in 'q' | 'subject' | 'kind' | 'price' | 'sort' | 'kept']?: unknown }

export function filterOf({ q, subject, kind, price, sort }: CourseSearch): CourseFilter {
  return {
    words: wordsOf(q),
    subject: wordsOf(subject),
    kind: COURSE_KINDS.find((each) => each === kind) ?? null,
    price: COURSE_PRICES.find((each) => each === price) ?? null,
    sort: COURSE_SORTS.find((each) => each === sort) ?? 'default',
  }
}

/** What looks like a number is read as one from an address. */
const wordsOf = (said: unknown): string =>
  typeof said === 'string' ? said : typeof said === 'number' ? String(said) : ''

/** Only what is not as it is anyway. */
export const searchOf = ({ words, subject, kind, price, sort }: CourseFilter): CourseSearch => ({
  ...(words && { q: words }),
  ...(subject && { subject }),
  ...(kind && { kind }),
  ...(price && { price }),
  ...(sort !== 'default' && { sort }),
})
