import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { PICTURE_MAX_BYTES, pictureType } from '#src/domain/picture.ts'
import type { Db, Tx } from '#server/db/open.ts'
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
/** A picture of 10 MB has ten parts of 1 MB. */
const MAX_PART = 100
const STALE_MS = 86_400_000

export interface Owner {
  uid: string
  key: string
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

  return {
    async put({ uid, key }: Owner, { stream, size }: Body): Promise<StoredFile> {
      await roomFor(db, uid, { bytes: size, files: 1 })
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

    /** Makes the parts one file. Asked again after the answer was lost, it answers the same. */
    async complete(owner: Owner, id: string, wanted: readonly { part: number; etag: string }[]): Promise<string> {
      const { uid, key } = owner
      const whole = await findObject(db, key)
      if (whole?.upload_id === id && whole.uid === uid) return whole.etag
      await ownUpload(db, id, owner)
      const parts = chosen(await partsOf(db, id), wanted)
      const size = parts.reduce((sum, part) => sum + part.size, 0)
      if (size > PICTURE_MAX_BYTES) throw new BucketFault('EntityTooLarge')
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
    },

    async abort(owner: Owner, id: string): Promise<void> {
      await ownUpload(db, id, owner)
      await files.remove((await inTurn(db, owner.uid, (tx) => closeUpload(tx, id))) ?? [])
    },

    /** Uploads that have not become whole within a day. */
    async sweep(): Promise<void> {
      for (const id of await staleUploads(db, now() - STALE_MS))
        await files.remove((await db.transaction().execute((tx) => closeUpload(tx, id))) ?? [])
    },
  }
}
export type BucketUploads = ReturnType<typeof bucketUploads>

function chosen<T extends { part: number; etag: string }>(
  had: readonly T[],
  wanted: readonly { part: number; etag: string }[],
): T[] {
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
