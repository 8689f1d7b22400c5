import { homeOf } from '#src/api/libraries.ts'
import { type Library, TYPE_NAMES } from '#src/contract/question.ts'
import {
  type BookGroup,
  type BookPart,
  CAUSE_NAMES,
  countBy,
  type Phase,
  STUBBORN_TIMES,
} from '#src/domain/study/errorBook.ts'
import type { Counters } from '#src/offline/index.ts'
import type { BOOK_GROUPS } from '../lists/lists.ts'

export const GROUP_NAMES: Record<(typeof BOOK_GROUPS)[number], string> = {
  chapter: '章节',
  point: '知识点',
  type: '题型',
  times: '错误次数',
  from: '来源',
  month: '时间',
  cause: '错因',
}
const SOURCE_NAMES: Record<string, string> = {
  library: '章节练习',
  error: '错题练习',
  collect: '收藏练习',
  note: '笔记练习',
  set: '题集',
  testing: '测评',
  exam: '模拟考试',
  lesson: '课中提问',
  hand: '手动加入',
}

/** What libraries, chapters and points are called, as far as this device knows. */
export interface Names {
  libraries: readonly Library[]
  points: Readonly<Record<string, string>>
}
export interface GroupLine {
  by: BookGroup
  is: string
  name: string
  count: number
  /** A chapter, below its library. */
  below?: boolean
}

/** The groups of the error book under one grouping, each with how many it has. */
export function groupLines(
  rows: readonly Counters[],
  { phase, by = 'chapter' }: BookPart,
  rule: number,
  names: Names,
): GroupLine[] {
  if (by === 'chapter' || by === 'library') return places(rows, phase, rule, names)
  const lines = [...countBy(rows, { phase, by }, rule)].map(([is, count]) => ({
    by,
    is,
    count,
    name: groupName({ by, is }, names),
  }))
  // Later months and more misses first; else the most first.
  if (by === 'month' || by === 'times') return lines.sort((a, b) => b.is.localeCompare(a.is))
  return lines.sort((a, b) => b.count - a.count)
}

function places(rows: readonly Counters[], phase: Phase | undefined, rule: number, names: Names): GroupLine[] {
  const libraries = countBy(rows, { phase, by: 'library' }, rule)
  const chapters = countBy(rows, { phase, by: 'chapter' }, rule)
  const known = names.libraries.filter(({ no }) => libraries.has(no))
  const others = [...libraries.keys()].filter((no) => !known.some((library) => library.no === no))
  return [...known.map(({ no }) => no), ...others.sort((a, b) => b.localeCompare(a))].flatMap((is) => [
    { by: 'library' as const, is, name: groupName({ by: 'library', is }, names), count: libraries.get(is) ?? 0 },
    ...(known.find(({ no }) => no === is)?.chapters ?? []).flatMap((chapter) => {
      const count = chapters.get(chapter.no)
      return count ? [{ by: 'chapter' as const, is: chapter.no, name: chapter.title, count, below: true }] : []
    }),
  ])
}

export function groupName({ by, is = '' }: BookPart, names: Names): string {
  switch (by) {
    case undefined:
      return '全部错题'
    case 'library':
      if (is === '') return '已下架的题'
      return homeOf(names.libraries, { libraryNo: is }).library?.title ?? '其他题库'
    case 'chapter':
      return homeOf(names.libraries, { chapterNo: is }).chapter?.title ?? '其他章节'
    case 'point':
      return names.points[is] ?? '其他知识点'
    case 'type':
      return Object.entries(TYPE_NAMES).find(([type]) => type === is)?.[1] ?? '其他题型'
    case 'times':
      if (is === '0') return '没有错过'
      return `错 ${is} 次${is === '5' ? '以上' : ''}${Number(is) >= STUBBORN_TIMES ? '，顽固题' : ''}`
    case 'from':
      return SOURCE_NAMES[is] ?? '其他'
    case 'month':
      return `${is.slice(0, 4)}年${Number(is.slice(5))}月`
    case 'cause':
      return Object.entries(CAUSE_NAMES).find(([cause]) => cause === is)?.[1] ?? '未标记'
  }
}

/** Rows of sums in reading order, as the list of questions follows them. */
export function inReadingOrder(rows: readonly Counters[], { libraries }: Names): Counters[] {
  const order = new Map(libraries.flatMap(({ chapters }) => chapters).map(({ no }, i) => [no, i]))
  const place = ({ chapterNo }: Counters) => order.get(chapterNo) ?? Number.MAX_SAFE_INTEGER
  return [...rows].sort((a, b) => place(a) - place(b))
}
