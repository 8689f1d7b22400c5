import { expect, test } from 'vitest'
import type { Thing } from '#src/contract/study.ts'
import { newestNotes } from '#src/domain/course/lessonNotes.ts'
import { opIdOf } from '#tests/support/waitingOps.ts'

const note = (at: number, n: number): Thing<'lessonNote'> => ({
  at,
  opId: opIdOf(n),
  courseNo: 'C1',
  lessonNo: 'C1_1',
  ofKind: 'audio',
  titles: ['力学', '第一课'],
  second: n,
  text: '受力分析',
})

test('the note that was written last comes first, also of two within one millisecond', () => {
  const written: [string, Thing<'lessonNote'>][] = [
    ['first', note(1_000, 1)],
    ['second', note(1_000, 2)],
    ['third', note(1_001, 3)],
  ]
  expect(newestNotes(new Map(written)).map(({ noteNo }) => noteNo)).toEqual(['third', 'second', 'first'])
})
