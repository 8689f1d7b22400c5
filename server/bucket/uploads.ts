import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { PICTURE_MAX_BYTES, pictureType } from '#src/domain/app/picture.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { allowed } from '#server/http/limits.ts'
import { BucketFault } from './fault.ts'
import type { BucketFiles } from './files.ts'
import {
  closeUpload,
  findObject,
  findUpload,
  inTurn,
  openUpload,
  partsOf,
  staleUploads,
  type StoredFile,
  usageOf,
  writeObject,
  writePart,
} from './store.ts'

/** Of one student: enough for years of portraits, too little to be a drive. */
export const STUDENT_MAX_BYTES = 200 * 1024 * 1024
export const STUDENT_MAX_FILES = 200
/** What a student sends in a day, also what takes the place of what is there, or comes to nothing. */
export const DAY_MAX_BYTES = 400 * 1024 * 1024
/** What a request counts for besides its bytes: nobody begins uploads without end, either. */
const REQUEST_KB = 16
/** A picture of 10 MB has ten parts of 1 MB. */
const MAX_PART = 100
const DAY_MS = 86_400_000
const STALE_MS = DAY_MS

export interface Owner {
  uid: string
  key: string
}
/** A part as whoever completes an upload names it. */
interface Named {
  part: number
  etag: string
}
interface Body {
  stream: Readable
  /** As announced. */
  size: number
}

/** What a student does to the bucket. Who it is and whether they may was found out before. */
export function bucketUploads(db: Db, files: BucketFiles, now: () => number) {
  const roomFor = async (tx: Tx | Db, uid: string, more: { bytes: number; files: number }): Promise<void> => {
    const used = await usageOf(tx, uid)
    if (used.bytes + more.bytes > STUDENT_MAX_BYTES || used.files + more.files > STUDENT_MAX_FILES)
      throw new BucketFault('QuotaExceeded')
  }
  /** Counted before it is read: what is too much is not taken in first. */
  const mayReceive = async (uid: string, size: number): Promise<void> => {
    const hits = Math.ceil(size / 1024) + REQUEST_KB
    const limit = { key: `received:${uid}`, windowMs: DAY_MS, max: DAY_MAX_BYTES / 1024, hits }
    if (!(await allowed(db, limit, now()))) throw new BucketFault('TooMuchToday')
  }
  /** A file that nothing names is not left behind. */
  const orElseGone = async <T>(file: string, act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      await files.remove([file])
      throw error
    }
  }
  const typeOf = async (file: string) => {
    const type = pictureType(await files.head(file))
    if (!type) throw new BucketFault('InvalidPictureType')
    return type
  }
  const ownUpload = async (tx: Db | Tx, id: string, { uid, key }: Owner) => {
    const upload = await findUpload(tx, id)
    if (!upload || upload.uid !== uid || upload.key !== key) throw new BucketFault('NoSuchUpload')
    return upload
  }

  /** What this upload has become already; null: nothing yet. */
  const madeOf = async (tx: Db | Tx, id: string, { uid, key }: Owner): Promise<string | null> => {
    const whole = await findObject(tx, key)
    return whole?.upload_id === id && whole.uid === uid ? whole.etag : null
  }
  const moved = async (id: string, had: readonly StoredFile[]): Promise<boolean> => {
    const names = (parts: readonly StoredFile[]) => parts.map(({ file }) => file).join()
    return !(await findUpload(db, id)) || names(await partsOf(db, id)) !== names(had)
  }
  const makeWhole = async (
    owner: Owner,
    id: string,
    { parts, size }: { parts: readonly StoredFile[]; size: number },
  ) => {
    const { uid, key } = owner
    const type = await typeOf(parts[0]?.file ?? '')
    const stored = { file: await files.join(parts), size, etag: etagOf(parts) }
    const gone = await orElseGone(stored.file, () =>
      inTurn(db, uid, async (tx) => {
        const ended = await closeUpload(tx, id)
        if (!ended) throw new BucketFault('NoSuchUpload')
        return [...ended, ...(await writeObject(tx, stored, { key, uid, type, uploadId: id, at: now() }))]
      }),
    )
    await files.remove(gone)
    return stored.etag
  }

  /** Makes the parts one file. Asked again after the answer was lost, or at the same moment, it answers the same. */
  const complete = async (owner: Owner, id: string, wanted: readonly Named[]): Promise<string> => {
    const made = await madeOf(db, id, owner)
    if (made !== null) return made
    await ownUpload(db, id, owner)
    const had = await partsOf(db, id)
    const parts = chosen(had, wanted)
    const size = parts.reduce((sum, part) => sum + part.size, 0)
    if (size > PICTURE_MAX_BYTES) throw new BucketFault('EntityTooLarge')
    try {
      return await makeWhole(owner, id, { parts, size })
    } catch (error) {
      // Another call has ended the upload, or sent a part anew, while this one read the files: then it is asked as things are now.
      if (!(await moved(id, had))) throw error
      return complete(owner, id, wanted)
    }
  }

  return {
    async put({ uid, key }: Owner, { stream, size }: Body): Promise<StoredFile> {
      await roomFor(db, uid, { bytes: size, files: 1 })
      await mayReceive(uid, size)
      const stored = await files.receive(stream, size)
      const replaced = await orElseGone(stored.file, async () => {
        const named = { key, uid, type: await typeOf(stored.file), uploadId: null, at: now() }
        return inTurn(db, uid, async (tx) => {
          await roomFor(tx, uid, { bytes: size, files: 1 })
          return writeObject(tx, stored, named)
        })
      })
      await files.remove(replaced)
      return stored
    },

    async begin({ uid, key }: Owner): Promise<string> {
      await mayReceive(uid, 0)
      const id = randomBytes(16).toString('hex')
      await inTurn(db, uid, async (tx) => {
        await roomFor(tx, uid, { bytes: 0, files: 1 })
        await openUpload(tx, { id, uid, key, at: now() })
      })
      return id
    },

    async part(owner: Owner, id: string, part: number, { stream, size }: Body): Promise<StoredFile> {
      if (!Number.isInteger(part) || part < 1 || part > MAX_PART) throw new BucketFault('InvalidArgument')
      await ownUpload(db, id, owner)
      await roomFor(db, owner.uid, { bytes: size, files: 0 })
      await mayReceive(owner.uid, size)
      const stored = await files.receive(stream, size)
      const replaced = await orElseGone(stored.file, () =>
        inTurn(db, owner.uid, async (tx) => {
          // Ended while this part came.
          await ownUpload(tx, id, owner)
          await roomFor(tx, owner.uid, { bytes: size, files: 0 })
          return writePart(tx, id, { part, ...stored })
        }),
      )
      await files.remove(replaced)
      return stored
    },

    async parts(owner: Owner, id: string) {
      await ownUpload(db, id, owner)
      return partsOf(db, id)
    },

    complete,

    async abort(owner: Owner, id: string): Promise<void> {
      await ownUpload(db, id, owner)
      await files.remove((await inTurn(db, owner.uid, (tx) => closeUpload(tx, id))) ?? [])
    },

    /** Uploads that have not become whole within a day. */
    async sweep(): Promise<void> {
      for (const { id, uid } of await staleUploads(db, now() - STALE_MS))
        await files.remove((await inTurn(db, uid, (tx) => closeUpload(tx, id)).catch(orClosed)) ?? [])
    },
  }
}
export type BucketUploads = ReturnType<typeof bucketUploads>

/** With the account went what was to be swept. */
function orClosed(error: unknown): null {
  if (error instanceof BucketFault) return null
  throw error
}

function chosen<T extends Named>(had: readonly T[], wanted: readonly Named[]): T[] {
  const byNumber = new Map(had.map((part) => [part.part, part]))
  return wanted.map(({ part, etag }) => {
    const found = byNumber.get(part)
    if (found?.etag !== etag) throw new BucketFault('InvalidPart')
    return found
  })
}

const etagOf = (parts: readonly StoredFile[]): string => {
  const hash = createHash('md5')
  for (const { etag } of parts) hash.update(Buffer.from(etag, 'hex'))
  return `${hash.digest('hex')}-${parts.length}`
}
