import { PART_BYTES } from '#src/contract/course.ts'
import { done } from '#src/offline/device/idb.ts'
import { dropPieces, weighPieces } from './lessonPieces.ts'
import { putRow, rowsOf, under } from './lessonRows.ts'
import { filesOf, type LessonRow } from './media.ts'

/**
 * Frees about so many bytes of a version that is not whole yet, what was fetched last first; resolves with how many. What is left
 * is gone on from. What a complete one of another quality plays, too, stays: subtitles, sound of its own.
 */
export async function dropNewest(tx: IDBTransaction, row: LessonRow, bytes: number): Promise<number> {
  if (!row.next) return 0
  const of = [row.owner, row.lesson, row.next.media.rev]
  const pieces = await weighPieces(tx, ...of)
  await dropPieces(tx, ...of)
  const parts = tx.objectStore('parts')
  const kept = new Set((await done(parts.getAllKeys(under(...of)))).map((key) => JSON.stringify(key)))
  const isSame = row.ready?.media.rev === row.next.media.rev
  const played = new Set(row.ready && isSame ? filesOf(row.ready).map(({ name }) => name) : [])
  let freed = pieces.bytes
  for (const file of filesOf(row.next)
    .filter(({ name }) => !played.has(name))
    .reverse())
    for (let n = file.parts.length - 1; n >= 0 && freed < bytes; n--) {
      const key = [...of, file.name, n]
      if (!kept.has(JSON.stringify(key))) continue
      await done(parts.delete(key))
      freed += Math.min(PART_BYTES, file.bytes - n * PART_BYTES)
    }
  return freed
}

/** No download goes on by itself: it would take the room that was made. Each waits for room (roomAgain.ts), or for the student. */
export async function restAll(tx: IDBTransaction, met?: Pick<LessonRow, 'lesson'>): Promise<LessonRow[]> {
  const wanted = (await rowsOf(tx)).filter((row) => row.wanted)
  const full = (row: LessonRow) => row.lesson === met?.lesson || row.full === true
  const rested = (row: LessonRow) => !row.paused || row.rested === true
  await Promise.all(wanted.map((row) => putRow(tx, { ...row, paused: true, full: full(row), rested: rested(row) })))
  return wanted
}
