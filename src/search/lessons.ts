import type { CourseKind } from '#src/contract/course.ts'
import { opensOffline } from '#src/domain/entitlement.ts'
import { type Piece, snippet } from '#src/domain/searchText.ts'
import {
  findLines,
  readTranscript,
  shownSubtitles,
  spokenAt,
  type Transcript,
  transcriptOf,
} from '#src/domain/transcript.ts'
import { createLessonStore, type LessonStore } from '#src/offline/lessonStore.ts'
import { type LessonRow, openMedia } from '#src/offline/media.ts'

/** A lesson, as much of it as leads to it. */
export interface SaidIn {
  course: { no: string; title: string; kind: CourseKind; open: boolean; subject: string | null }
  lesson: { no: string; title: string }
}
/** What a downloaded lesson says. */
export interface SaidHere extends SaidIn {
  transcript: Transcript
}
/** A place in a lesson where all words are said. */
export interface SaidHit extends SaidIn {
  /** Seconds from its beginning. */
  at: number
  pieces: Piece[]
}

/** One lesson does not hide the others. */
const MOST_OF_LESSON = 10
const SHOWN = 50

/**
 * What the lessons on this device say that this student may open now, by the same rule as they play. One that cannot be read is left
 * out: it is made whole when it is played.
 * @param seen the highest time that the device has seen
 */
export async function saidOnDevice(owner: string, seen: number): Promise<SaidHere[]> {
  const db = openMedia()
  try {
    const store = createLessonStore(db, owner)
    const said: SaidHere[] = []
    for (const row of await store.list())
      if (row.ready && opensOffline(row, seen) === 'open') {
        const lesson = await readLesson(store, row).catch(() => null)
        if (lesson) said.push(lesson)
      }
    return said
  } finally {
    db.close()
  }
}

async function readLesson(store: LessonStore, { lesson, title, course, courseTitle, ready }: LessonRow) {
  const file = shownSubtitles(ready?.media.subtitles ?? [])?.file
  const blob = file && ready && (await store.file(lesson, ready.media.rev, file))
  const detail = blob ? await store.course(course) : null
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
export function findSaid(said: readonly SaidHere[], terms: readonly string[], subject: string | undefined): SaidHit[] {
  const hits: SaidHit[] = []
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
