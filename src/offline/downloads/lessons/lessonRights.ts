import type { PlayedMedia } from '#src/contract/course.ts'
import type { LessonStore } from './lessonStore.ts'

interface RightParts {
  /** A lesson as the server says it now, without hashes: what it says of the right to it is all that is read. */
  playing: (lesson: string, signal: AbortSignal) => Promise<PlayedMedia>
  /** The highest time that the device has seen. */
  seen: () => number
}

/** A right is confirmed again when the last time was so long ago. */
const CONFIRM_MS = 6 * 3_600_000
/** Who opens a lesson does not wait longer for a word on its right. */
const ASK_MS = 4_000

/** Rights to lessons as the server said them last. */
export function createRights(parts: RightParts, store: LessonStore) {
  /** A right belongs to a course: what the server says of one of its lessons holds for all that need one. */
  const heard = async (answer: PlayedMedia): Promise<void> => {
    const { lesson, course, rightUntil } = answer
    const rows = (await store.list()).filter((row) => row.course === course)
    const own = rows.find((row) => row.lesson === lesson)
    const needed = rightUntil !== null || own?.free === false
    const same = rows.filter(({ free }) => needed && !free).map((row) => row.lesson)
    if (same.length > 0) await store.confirm(same, rightUntil, parts.seen())
    if (own) await store.offer(answer)
  }
  /** False when nobody answers soon, or it is not theirs any more: then it ends by itself. */
  const ask = async (lesson: string): Promise<boolean> => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), ASK_MS)
    return parts
      .playing(lesson, controller.signal)
      .then(heard)
      .then(
        () => true,
        () => false,
      )
      .finally(() => clearTimeout(timer))
  }
  /** Asks of one lesson of each course that was not confirmed for a while; without a network it is left for the next time. */
  const renew = async (): Promise<boolean> => {
    const due = (await store.list().catch(() => [])).filter(
      ({ ready, free, confirmedAt }) => ready && !free && Math.abs(parts.seen() - confirmedAt) > CONFIRM_MS,
    )
    const courses = new Map(due.map(({ course, lesson }) => [course, lesson]))
    let renewed = false
    for (const lesson of courses.values()) renewed = (await ask(lesson)) || renewed
    return renewed
  }
  return { heard, ask, renew }
}
