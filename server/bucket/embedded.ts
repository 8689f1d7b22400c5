import { keyAt, pathOf, type Storage } from '#server/outside/storage.ts'
import type { Db } from '#server/db/open.ts'
import { filesIn } from './files.ts'
import { issueKeys } from './keys.ts'
import { deleteObject, filesOf, findObject, knownFiles } from './store.ts'
import { bucketUploads } from './uploads.ts'

export const BUCKET_PATH = '/bucket'
/** The names that the SDK wants: a bucket with an account's number, a region that it does not warn of. */
export const BUCKET = 'lijian-1'
const REGION = 'default'

export interface EmbeddedParts {
  db: Db
  secret: string
  /** On the disk; every server of the product must see the same. */
  folder: string
  /** The origin as students reach us; left out, the one that each page was opened at. */
  origin?: string | undefined
}

/** The default: this server is the bucket. */
export function embeddedStorage({ db, secret, folder, origin }: EmbeddedParts): Storage {
  const files = filesIn(folder)
  const addressOf = (key: string) => `${BUCKET_PATH}/${pathOf(key)}`
  return {
    issue: async (owner, now) => ({
      tempKeys: issueKeys(secret, owner, now),
      cos: { bucket: BUCKET, region: REGION, prefix: owner.prefix, base: `${origin ?? ''}${BUCKET_PATH}` },
    }),
    keyOf: (address) => {
      const url = URL.parse(address, 'https://this.site')
      const ours = url && (address.startsWith('/') || origin === undefined || url.origin === origin)
      return ours ? keyAt(url.pathname, `${BUCKET_PATH}/`) : null
    },
    addressOf,
    // A page that was opened by another name of this site uploads to its own.
    origins: origin === undefined ? [] : [origin],
    holds: async (key) => (await findObject(db, key)) !== undefined,
    async remove(key) {
      const file = await deleteObject(db, key)
      if (file !== null) await files.remove([file])
    },
    async allOf(uid) {
      const all = await filesOf(db, uid)
      return () => files.remove(all)
    },
  }
}

/** Ends uploads that were left, and removes files that nothing names: a server has died over them. */
export async function sweepBucket(db: Db, folder: string, now: number): Promise<void> {
  const files = filesIn(folder)
  await bucketUploads(db, files, () => now).sweep()
  const old = await files.old(now)
  const known = await knownFiles(db, old)
  await files.remove(old.filter((file) => !known.has(file)))
}
