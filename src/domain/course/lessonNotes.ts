import type { Thing } from '#src/contract/study.ts'
import { byTime } from '../study/moment.ts'
import { dateOf, dayOf } from '../time/day.ts'
import { clockText } from './lengths.ts'

/** 课时笔记: a text at a second of a lesson. */
export interface LessonNote extends Thing<'lessonNote'> {
  noteNo: string
}
type Things = ReadonlyMap<string, Thing<'lessonNote'>>

/** Those that are not deleted. */
export const notesIn = (things: Things): LessonNote[] =>
  [...things].flatMap(([noteNo, body]) => (body.text === '' ? [] : [{ noteNo, ...body }]))

/** Sorts the notes of one lesson by their second; two at one second stay as they were written. */
export const notesOfLesson = (things: Things, lessonNo: string): LessonNote[] =>
  notesIn(things)
    .filter((note) => note.lessonNo === lessonNo)
    .sort((a, b) => a.second - b.second || (a.noteNo < b.noteNo ? -1 : 1))

/** The one that was written last comes first, also of two that were written within one millisecond. */
export const newestNotes = (things: Things): LessonNote[] => notesIn(things).sort((a, b) => byTime(b, a))

/** Lesson by lesson, the one that was written about last first, each by its seconds: for what is read as a whole. */
export function byLesson(things: Things): LessonNote[][] {
  const lessons = new Set(newestNotes(things).map(({ lessonNo }) => lessonNo))
  return [...lessons].map((lessonNo) => notesOfLesson(things, lessonNo))
}

/** Marks of Markdown in a text that is none. */
export const escapedMarks = (text: string): string => text.replace(/[\\`*_<>[\]#|~]/g, String.raw`\$&`)

/** Writes notes as Markdown: a heading for each lesson, and its notes with their times. It is '' without any. */
export function lessonNotesText(things: Things, now: number): string {
  const lessons = byLesson(things)
  if (lessons.length === 0) return ''
  const count = lessons.reduce((sum, notes) => sum + notes.length, 0)
  const each = lessons.flatMap((notes) => [
    `## ${(notes[0]?.titles ?? []).map(escapedMarks).join(' · ')}`,
    ...notes.map(({ second, text, at }) => `**${clockText(second)}** ${text}\n\n（${dateOf(dayOf(at))}）`),
  ])
  return `${['# 课时笔记', `共 ${count} 条，导出于 ${dateOf(dayOf(now))}。`, ...each].join('\n\n')}\n`
}
