import { expect, test } from 'vitest'
import {
  arranged,
  type CourseFilter,
  filterOf,
  findCourses,
  findPackages,
  searchOf,
  subjectsOf,
} from '#src/domain/course/courses.ts'

const math = { no: 'math', name: '数学' }
const politics = { no: 'pol', name: '政治' }
const course = (title: string, more: object = {}) => ({
  title,
  teacher: '教研组',
  subject: math,
  kind: 'video' as const,
  price: 0,
  vip: false,
  at: 1_000,
  seconds: 600,
  ...more,
})
const ALL = [
  course('函数入门'),
  course('军政冲刺', { subject: politics, kind: 'audio', price: 9_900, vip: true, at: 3_000, seconds: 300 }),
  course('ＦＳＲＳ复习法', { subject: null, price: 4_900, at: 2_000 }),
  course('数列与不等式', { teacher: '周讲师' }),
]
const any: CourseFilter = { words: '', subject: '', kind: null, price: null, sort: 'default' }

test.each<[string, Partial<CourseFilter>, number[]]>([
  ['nothing looked for: all, in the operator’s order', {}, [0, 1, 2, 3]],
  ['a subject', { subject: 'math' }, [0, 3]],
  ['a kind', { kind: 'audio' }, [1]],
  ['free ones', { price: 'free' }, [0, 3]],
  ['paid ones', { price: 'paid' }, [1, 2]],
  ['what VIP has', { price: 'vip' }, [1]],
  ['a teacher’s name', { words: '周讲师' }, [3]],
  ['a subject’s name and a word, apart', { words: ' 数学  函数 ' }, [0]],
  ['letters of any width and case', { words: 'fsrs' }, [2]],
  ['words that nothing has', { words: '函数 政治' }, []],
  ['the newest first', { sort: 'newest' }, [1, 2, 0, 3]],
  ['the cheapest first, equals as they were', { sort: 'cheapest' }, [0, 3, 2, 1]],
  ['the dearest first', { sort: 'dearest' }, [1, 2, 0, 3]],
  ['the longest first', { sort: 'longest' }, [0, 2, 3, 1]],
  ['all at once', { price: 'paid', kind: 'video', words: '复习', sort: 'newest' }, [2]],
])('%s', (_, filter, found) => expect(findCourses(ALL, { ...any, ...filter })).toEqual(found.map((i) => ALL[i])))

test('what is given stays in its order', () => {
  const given = [...ALL]
  findCourses(given, { ...any, sort: 'newest' })
  expect(given).toEqual(ALL)
})

test('subjects come once, in the order of their first course', () => expect(subjectsOf(ALL)).toEqual([math, politics]))

test.each<[string, Partial<CourseFilter>]>([
  ['nothing', {}],
  ['all of it', { words: '函数', subject: 'math', kind: 'audio', price: 'vip', sort: 'newest' }],
])('%s comes back from the address', (_, filter) =>
  expect(filterOf(searchOf({ ...any, ...filter }))).toEqual({ ...any, ...filter }),
)
test('what nobody can look for is left out, and a number is words', () =>
  expect(filterOf({ q: 2027, subject: ['math'], kind: 'film', price: 1, sort: null })).toEqual({
    ...any,
    words: '2027',
  }))

const PACKAGES = [
  { title: '文理冲刺包', price: 6_000, vip: false },
  { title: '全科包', price: 19_900, vip: true },
]
test.each<[string, Partial<CourseFilter>, number[]]>([
  ['nothing looked for: all', {}, [0, 1]],
  ['words of the title', { words: '文理' }, [0]],
  ['open with VIP', { price: 'vip' }, [1]],
  ['free ones: none', { price: 'free' }, []],
  ['a subject: they have several', { subject: 'math' }, []],
  ['a kind: they have several', { kind: 'video' }, []],
])('packages by %s', (_, filter, expected) => {
  expect(findPackages(PACKAGES, { ...any, ...filter })).toEqual(expected.map((i) => PACKAGES[i]))
})

test.each<[CourseFilter['sort'], number[]]>([
  ['default', [6_000, 19_900, 0, 9_900]],
  ['cheapest', [0, 6_000, 9_900, 19_900]],
  ['dearest', [19_900, 9_900, 6_000, 0]],
  ['newest', [0, 9_900, 6_000, 19_900]],
])('packages among courses, sorted by %s', (sort, expected) => {
  expect(arranged(PACKAGES, ALL.slice(0, 2), sort).map(({ price }) => price)).toEqual(expected)
})

test('an address says only what is not as it is anyway', () => {
  expect(searchOf(any)).toEqual({})
  expect(searchOf({ ...any, sort: 'newest', words: '数学' })).toEqual({ q: '数学', sort: 'newest' })
})
