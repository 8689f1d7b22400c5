import { tellBoards } from './board.ts'
import { putRow, rowsOf, shareOf } from './lessons/lessonRows.ts'
import { bytesOf, type LessonRow, openMedia } from './lessons/media.ts'
import { MEDIA_DB, PACK_DB } from '../device/names.ts'
import { isPending, openPacks, type PackRow } from './packs/pack.ts'
import { createPackStore } from './packs/packStore.ts'
import { MARGIN_BYTES, type MissingRoom } from '../device/room.ts'
import { mended } from '../device/tornLog.ts'

/** No more is written to see whether there is room: a download that is longer may meet the end of it again. */
const MOST_PROBED = 200 * 1024 ** 2

/**
 * Something has left this device: what rests because the device was full goes on, when there is room for the first of it beside
 * the margin. Otherwise it would only fetch again what it has to give back.
 */
export async function goOnWithRoom(missing: MissingRoom): Promise<void> {
  await mended().catch(() => {})
  await goOnWith(lessonsAtRest, MEDIA_DB, missing).catch(() => {})
  await goOnWith(packsAtRest, PACK_DB, missing).catch(() => {})
}

interface AtRest {
  /** Bytes that the first of them still needs; null when none rests. */
  needs: number | null
  wake: () => Promise<unknown>
  close: () => void
}

async function goOnWith(find: () => Promise<AtRest>, channel: string, missing: MissingRoom): Promise<void> {
  const { needs, wake, close } = await find()
  try {
    if (needs === null || (await missing(Math.min(needs, MOST_PROBED) + MARGIN_BYTES)) > 0) return
    await wake()
    tellBoards(channel)
  } finally {
    close()
  }
}

const STORES = ['lessons', 'parts', 'pieces']
const rests = ({ wanted, paused, full, rested }: LessonRow): boolean => wanted && paused && (full || rested) === true

async function lessonsAtRest(): Promise<AtRest> {
  const db = openMedia()
  const resting = async (tx: IDBTransaction) => (await rowsOf(tx)).filter(rests)
  const needs = await db.run(STORES, 'readonly', async (tx) => {
    const [row] = (await resting(tx)).sort((a, b) => a.addedAt - b.addedAt)
    return row ? (row.next ? bytesOf(row.next) : row.bytes) * (1 - (await shareOf(tx, row))) : null
  })
  const wake = () =>
    db.run(STORES, 'readwrite', async (tx) => {
      const awake = { paused: false, full: false, rested: false }
      await Promise.all((await resting(tx)).map((row) => putRow(tx, { ...row, ...awake })))
    })
  return { needs, wake, close: db.close }
}

async function packsAtRest(): Promise<AtRest> {
  const db = openPacks()
  const store = createPackStore(db)
  const resting = (await store.list()).filter((row) => isPending(row) && row.paused && row.full === true)
  const [first] = resting
  const wake = () => Promise.all(resting.map(({ libraryNo }) => store.patch(libraryNo, { paused: false, full: false })))
  const needs = first?.next ? await missingBytes(first, first.next, store.missing) : first ? 0 : null
  return { needs, wake, close: db.close }
}

async function missingBytes(
  { withoutPictures }: PackRow,
  next: NonNullable<PackRow['next']>,
  missing: ReturnType<typeof createPackStore>['missing'],
): Promise<number> {
  const pictures = withoutPictures ? [] : next.pictures
  return [...(await missing(next)), ...pictures].reduce((sum, { bytes }) => sum + bytes, 0)
}
