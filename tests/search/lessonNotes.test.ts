import { describe, expect, test } from 'vitest'
import type { LessonNote } from '#src/domain/course/lessonNotes.ts'
import { termsOf } from '#src/domain/text/searchText.ts'
import { findNotes, searchableNotes } from '#src/search/lessonNotes.ts'

const note = (noteNo: string, text: string, courseNo = 'C'): LessonNote => ({
  noteNo,
  at: 1,
  opId: noteNo,
  courseNo,
  lessonNo: 'L',
  ofKind: 'video',
  titles: ['力学精讲', '受力分析'],
  second: 42,
  text,
})
const SUBJECTS = new Map([
  ['physics', '物理'],
  ['none', null],
])
function nos(notes: readonly LessonNote[], words: string, subject?: string): string[] {
  return findNotes(searchableNotes(notes), termsOf(words), SUBJECTS, subject).map(({ noteNo }) => noteNo)
}

describe('notes on lessons', () => {
  test('are found by words of the text and of the titles together, whatever stands between them', () => {
    const notes = [note('1', '整体法，先看外力'), note('2', '隔离法')]
    expect(nos(notes, '整体法先看 受力')).toEqual(['1'])
    expect(nos(notes, '精讲')).toEqual(['1', '2'])
    expect(nos(notes, '。')).toEqual([])
  })
  test('show their words marked in text and titles', () => {
    const [hit] = findNotes(searchableNotes([note('1', '外力')]), termsOf('外力 精讲'), SUBJECTS, undefined)
    expect(hit).toMatchObject({ at: 42, course: { no: 'C', kind: 'video' }, lesson: { no: 'L', title: '受力分析' } })
    expect(hit?.pieces).toEqual([{ text: '外力', hit: true }])
    expect(hit?.titles).toEqual([
      [{ text: '受力分析', hit: false }],
      [
        { text: '力学', hit: false },
        { text: '精讲', hit: true },
      ],
    ])
  })
  test('of another subject are left out as far as the device knows it', () => {
    const notes = [note('1', '力', 'physics'), note('2', '力', 'none'), note('3', '力', 'far')]
    expect(nos(notes, '力')).toEqual(['1', '2', '3'])
    expect(nos(notes, '力', '物理')).toEqual(['1', '3'])
    expect(nos(notes, '力', '政治')).toEqual(['3'])
  })
})
