import type { LessonNote } from '#src/domain/course/lessonNotes.ts'
import { fold, type Piece, snippet } from '#src/domain/text/searchText.ts'
import type { LessonHit, LessonsHere } from './lessons.ts'

/** A note of the student's at a second of a lesson, with what is compared. */
export interface NoteHere {
  note: LessonNote
  folded: string
}
/** The titles of its course and lesson are those that the note was written with. */
export interface NoteHit extends LessonHit {
  noteNo: string
  /** Course and lesson, with the words marked. */
  titles: Piece[][]
}

const SHOWN = 50

/** Makes notes searchable by their texts and by the titles of their course and lesson, as 我的笔记 searches them. */
export const searchableNotes = (notes: readonly LessonNote[]): NoteHere[] =>
  notes.map((note) => ({ note, folded: fold([note.text, ...note.titles].join('\n')) }))

/**
 * Finds notes in which all words are.
 * @param subjects of the courses that are known here (`LessonsHere`); another one's notes are found in whichever subject
 * @param subject undefined: of whichever
 */
export function findNotes(
  notes: readonly NoteHere[],
  terms: readonly string[],
  subjects: LessonsHere['subjects'],
  subject: string | undefined,
): NoteHit[] {
  if (terms.length === 0) return []
  const isOf = (course: string) => subject === undefined || !subjects.has(course) || subjects.get(course) === subject
  return notes
    .filter(({ note, folded }) => isOf(note.courseNo) && terms.every((term) => folded.includes(term)))
    .slice(0, SHOWN)
    .map(({ note }) => hitOf(note, terms))
}

function hitOf(
  { noteNo, courseNo, lessonNo, ofKind, titles, second, text }: LessonNote,
  terms: readonly string[],
): NoteHit {
  const [course, lesson] = titles
  return {
    noteNo,
    course: { no: courseNo, title: course, kind: ofKind, open: true, subject: null },
    lesson: { no: lessonNo, title: lesson },
    at: second,
    pieces: snippet(text, terms),
    titles: [lesson, course].map((title) => snippet(title, terms)),
  }
}
