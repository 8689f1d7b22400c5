import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { v7 as uuidv7 } from 'uuid'
import type { OpPayload } from '#src/contract/study.ts'
import type { LessonNote } from '#src/domain/course/lessonNotes.ts'
import { type TypedLessonNote, typedLessonNote } from '#src/offline/drafts/forms.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { offline } from '#src/offline/index.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import type { PlacedLesson } from '../lesson/lessons.ts'

/** What a note is about, as every word of it says anew. */
export type NotedLesson = Pick<OpPayload<'lessonNote'>, 'courseNo' | 'lessonNo' | 'ofKind' | 'titles'>

/** The contract takes titles up to this length. */
const TITLE_MAX = 200

export const notedLesson = ({ no, title, course }: PlacedLesson): NotedLesson => ({
  courseNo: course.no,
  lessonNo: no,
  ofKind: course.kind,
  titles: [course.title.slice(0, TITLE_MAX), title.slice(0, TITLE_MAX)],
})
/** An empty one at this moment of the element, in whole seconds. */
export const newNote = (element: HTMLMediaElement | null): TypedLessonNote => ({
  noteNo: uuidv7(),
  second: Math.floor(element?.currentTime ?? 0),
  text: '',
})
export const lessonOf = ({ courseNo, lessonNo, ofKind, titles }: NotedLesson): NotedLesson => ({
  courseNo,
  lessonNo,
  ofKind,
  titles,
})

/** What was being written when the page ended; null: nothing. */
export const unfinishedNote = (lessonNo: string): Promise<TypedLessonNote | null> =>
  readDraft(offline, typedLessonNote, typedLessonNote.key(lessonNo))
/** A full device says so when the note is to be kept. */
export const saveUnfinished = (lessonNo: string, draft: TypedLessonNote): Promise<void> =>
  offline.saveDraft({ key: typedLessonNote.key(lessonNo), value: draft }).catch(() => {})
export const dropUnfinished = (lessonNo: string): Promise<void> =>
  offline.dropDraft(typedLessonNote.key(lessonNo)).catch(() => {})

/** Resolves when the note is on disk, and its draft gone with it. */
export async function keepNote(lesson: NotedLesson, note: TypedLessonNote): Promise<void> {
  const key = typedLessonNote.key(lesson.lessonNo)
  await offline.add({ kind: 'lessonNote', payload: { ...lessonOf(lesson), ...note } }, { key, value: null })
  void dropUnfinished(lesson.lessonNo)
}

/** Deletes it and offers it back. Resolves with false when the device could not. */
export async function deleteNote({ noteNo, second, text, ...of }: LessonNote): Promise<boolean> {
  const write = (words: string) =>
    offline.add({ kind: 'lessonNote', payload: { ...lessonOf(of), noteNo, second, text: words } })
  try {
    await write('')
  } catch (error) {
    feedback.toast(`没有删除：${unkeptWords(error)}`)
    return false
  }
  const back = () => void write(text).catch((error: unknown) => feedback.toast(`没有恢复：${unkeptWords(error)}`))
  feedback.offer('笔记已删除', { label: '撤销', act: back })
  return true
}
