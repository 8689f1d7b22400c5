import { tellBoards } from '../board.ts'
import { done } from '#src/offline/device/idb.ts'
import { pruneCourses } from './lessonCourses.ts'
import { dropNewest, restAll } from './lessonFree.ts'
import { dropSpent, weighPieces } from './lessonPieces.ts'
import { prunePictures } from './lessonQuestions.ts'
import { drop, dropParts, isShown, putRow, rowsOf, STORES, under } from './lessonRows.ts'
import { type LessonRow, openMedia } from './media.ts'
import { MEDIA_DB } from '#src/offline/device/names.ts'

const used = ({ addedAt, playedAt }: LessonRow): number => Math.max(addedAt, playedAt)

/**
 * When an answer needs the room, one lesson leaves, and its row says so: others' before one's own, half ones before whole ones,
 * then the one that was used longest ago. Downloads rest, or they would take the room again. Null when there is none.
 */
export async function giveUpLesson(owner: string): Promise<LessonRow | null> {
  const db = openMedia()
  try {
    const { rows, heavy } = await db.run(STORES, 'readonly', weigh)
    const rank = (row: LessonRow) => [Number(isShown(row, owner)), Number(row.ready !== null), used(row)] as const
    const [row] = heavy.sort((a, b) => compare(rank(a), rank(b)))
    if (!row) return null
    // Nothing can be written before there is room.
    await db.run(STORES, 'readwrite', (tx) => dropParts(tx, row.owner, row.lesson))
    await db
      .run(STORES, 'readwrite', (tx) => leave(tx, row))
      // Still too full for its row: that goes, too.
      .catch(() => db.run(STORES, 'readwrite', (tx) => drop(tx, row)))
    tellTabs(rows)
    return isShown(row, owner) ? { ...row, owner } : row
  } finally {
    db.close()
  }
}

/** So much makes room for many answers. */
const STEP_BYTES = 4 * 1024 ** 2

/**
 * When an answer needs the room, the end of a half download leaves first: what is left of it is gone on from. Another student's
 * before one's own. False when there is none.
 */
export async function freeHalfLesson(owner: string): Promise<boolean> {
  const db = openMedia()
  try {
    const rows = await db.run(STORES, 'readonly', (tx) => rowsOf(tx))
    const rank = (row: LessonRow) => [Number(isShown(row, owner)), -row.addedAt] as const
    for (const row of rows.filter(({ next }) => next).sort((a, b) => compare(rank(a), rank(b)))) {
      if ((await db.run(STORES, 'readwrite', (tx) => dropNewest(tx, row, STEP_BYTES))) === 0) continue
      // It would take the room again. Where even this finds none, the next try frees more.
      await db.run(STORES, 'readwrite', (tx) => restAll(tx, row)).catch(() => {})
      tellTabs(rows)
      return true
    }
    return false
  } finally {
    db.close()
  }
}

async function weigh(tx: IDBTransaction): Promise<{ rows: LessonRow[]; heavy: LessonRow[] }> {
  const rows = await rowsOf(tx)
  const parts = tx.objectStore('parts')
  const weights = await Promise.all(
    rows.map(async ({ owner, lesson }) => {
      const { bytes } = await weighPieces(tx, owner, lesson)
      return bytes + (await done(parts.count(under(owner, lesson))))
    }),
  )
  return { rows, heavy: rows.filter((_, i) => (weights[i] ?? 0) > 0) }
}
const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((each, i) => each - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0

async function leave(tx: IDBTransaction, row: LessonRow): Promise<void> {
  await restAll(tx)
  await putRow(tx, { ...row, ready: null, next: null, wanted: false, paused: false, full: false, left: true })
}

const tellTabs = (rows: readonly LessonRow[]): void =>
  tellBoards(
    MEDIA_DB,
    rows.filter(({ wanted }) => wanted).map(({ lesson }) => lesson),
  )

/** At logout: all that this student has downloaded. */
export async function purgeLessons(owner: string): Promise<void> {
  const db = openMedia()
  const rest = await db
    .run(STORES, 'readwrite', async (tx) => {
      await done(tx.objectStore('lessons').delete(under(owner)))
      await dropParts(tx, owner)
      await dropSpent(tx, owner)
      await pruneCourses(tx, owner, [])
      return rowsOf(tx)
    })
    .finally(db.close)
  await prunePictures(rest)
}
