import type { CourseDetail, CourseKind } from '#src/contract/course.ts'
import { opensOffline } from '#src/domain/course/entitlement.ts'
import { type Piece, snippet } from '#src/domain/text/searchText.ts'
import {
  findLines,
  readTranscript,
  shownSubtitles,
  spokenAt,
  type Transcript,
  transcriptOf,
} from '#src/domain/course/transcript.ts'
import { createLessonStore, type LessonStore } from '#src/offline/downloads/lessons/lessonStore.ts'
import { type LessonRow, openMedia } from '#src/offline/downloads/lessons/media.ts'

/** A lesson, as much of it as leads to it. */
export interface LessonPlace {
  course: { no: string; title: string; kind: CourseKind; open: boolean; subject: string | null }
  lesson: { no: string; title: string }
}
/** What a downloaded lesson says. */
export interface SaidHere extends LessonPlace {
  transcript: Transcript
}
/** A moment of a lesson at which all words are found. */
export interface LessonHit extends LessonPlace {
  /** Seconds from its beginning. */
  at: number
  pieces: Piece[]
}

export interface LessonsHere {
  said: SaidHere[]
  /** By number of each course that a lesson here belongs to; null: it is of none. */
  subjects: Map<string, string | null>
}

/** One lesson does not hide the others. */
const MOST_OF_LESSON = 10
const SHOWN = 50

/**
 * Reads what the lessons on this device say that this student may open now, by the same rule as they play. One that cannot be read is
 * left out: it is made whole when it is played.
 * @param seen the highest time that the device has seen
 */
export async function lessonsOnDevice(owner: string, seen: number): Promise<LessonsHere> {
  const db = openMedia()
  try {
    const store = createLessonStore(db, owner)
    const said: SaidHere[] = []
    const rows = await store.list()
    const courses = await readCourses(store, rows)
    for (const row of rows)
      if (row.ready && opensOffline(row, seen) === 'open') {
        const lesson = await readLesson(store, row, courses.get(row.course)).catch(() => null)
        if (lesson) said.push(lesson)
      }
    return { said, subjects: new Map([...courses].map(([no, { subject }]) => [no, subject?.no ?? null])) }
  } finally {
    db.close()
  }
}

async function readCourses(store: LessonStore, rows: readonly LessonRow[]): Promise<Map<string, CourseDetail>> {
  const courses = new Map<string, CourseDetail>()
  for (const no of new Set(rows.map(({ course }) => course))) {
    const course = await store.course(no)
    if (course) courses.set(no, course)
  }
  return courses
}

async function readLesson(
  store: LessonStore,
  { lesson, title, course, courseTitle, ready }: LessonRow,
  detail: CourseDetail | undefined,
) {
  const file = shownSubtitles(ready?.media.subtitles ?? [])?.file
  const blob = file && ready && (await store.file(lesson, ready.media.rev, file))
  if (!blob || !ready) return null
  return {
    course: {
      no: course,
      title: courseTitle,
      kind: ready.media.kind,
      open: detail?.open ?? true,
      subject: detail?.subject?.no ?? null,
    },
    lesson: { no: lesson, title },
    transcript: transcriptOf(readTranscript(await blob.text())),
  }
}

/** @param subject of courses; undefined: of whichever */
export function findSaid(
  said: readonly SaidHere[],
  terms: readonly string[],
  subject: string | undefined,
): LessonHit[] {
  const hits: LessonHit[] = []
  for (const { course, lesson, transcript } of said) {
    if (subject !== undefined && course.subject !== subject) continue
    for (const found of findLines(transcript, terms, MOST_OF_LESSON)) {
      const { at, text } = spokenAt(transcript.lines, found)
      hits.push({ course, lesson, at, pieces: snippet(text, terms) })
    }
    if (hits.length >= SHOWN) break
  }
  return hits.slice(0, SHOWN)
}
