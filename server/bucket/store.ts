import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'
import { BucketFault } from './fault.ts'

export interface StoredFile {
  /** Its name on the disk. */
  file: string
  size: number
  /** MD5 in hex; of a file made of N parts, MD5 of their MD5s and `-N`. */
  etag: string
}
export interface StoredPart extends StoredFile {
  part: number
}

/** What the student's keys begin with: random, the same for ever, so that an upload can go on tomorrow. */
export async function prefixOf(db: Db, uid: string): Promise<string> {
  const made = `u/${randomBytes(16).toString('hex')}/`
  await sql`insert into upload_prefix (uid, prefix) values (${uid}, ${made}) on conflict do nothing`.execute(db)
  const row = db.selectFrom('upload_prefix').select('prefix').where('uid', '=', uid)
  return (await row.executeTakeFirstOrThrow()).prefix
}

/** One name of the student's own, in no folder but the one that is called by a hash, and reading as it is written. */
const NAME = /^(?:[0-9a-f]{12}\/)?(?!\.{1,2}$)[^/\\\p{Cc}\p{Bidi_C}]{1,100}$/u
export const isKeyOf = (prefix: string, key: string): boolean =>
  key.startsWith(prefix) && NAME.test(key.slice(prefix.length))

/** Files and parts of the student, counted. `tx`: nobody adds to them meanwhile. */
export async function usageOf(db: Db | Tx, uid: string): Promise<{ bytes: number; files: number }> {
  const { rows } = await sql<{ bytes: number; files: number }>`
    select (coalesce((select sum(size) from bucket_object where uid = ${uid}), 0)
      + coalesce((select sum(p.size) from bucket_part p join bucket_upload u on u.id = p.upload_id where u.uid = ${uid}), 0))::bigint as bytes,
      ((select count(*) from bucket_object where uid = ${uid})
      + (select count(*) from bucket_upload where uid = ${uid}))::int as files`.execute(db)
  return rows[0] ?? { bytes: 0, files: 0 }
}

/**
 * One after another: what a student adds is counted before more is added.
 * @throws BucketFault when the account is closed, which its keys outlive
 */
export const inTurn = <T>(db: Db, uid: string, act: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    const held = tx.selectFrom('upload_prefix').select('uid').where('uid', '=', uid).forUpdate()
    if (!(await held.executeTakeFirst())) throw new BucketFault('AccessDenied')
    return act(tx)
  })

export const findObject = (db: Db | Tx, key: string) =>
  db.selectFrom('bucket_object').selectAll().where('key', '=', key).executeTakeFirst()

/** @returns the file on the disk that it takes the place of. */
export async function writeObject(
  tx: Tx,
  { file, size, etag }: StoredFile,
  named: { key: string; uid: string; type: string; uploadId: string | null; at: number },
): Promise<string[]> {
  const { key, uid, type, uploadId, at } = named
  const replaced = await tx.deleteFrom('bucket_object').where('key', '=', key).returning('file').execute()
  await tx.insertInto('bucket_object').values({ key, uid, file, size, type, etag, upload_id: uploadId, at }).execute()
  return replaced.map((row) => row.file)
}

export async function deleteObject(db: Db, key: string): Promise<string | null> {
  const row = await db.deleteFrom('bucket_object').where('key', '=', key).returning('file').executeTakeFirst()
  return row?.file ?? null
}

/** Files on the disk of whatever the student has there, whole or in parts. */
export async function filesOf(db: Db, uid: string): Promise<string[]> {
  const { rows } = await sql<{ file: string }>`
    select file from bucket_object where uid = ${uid}
    union all select p.file from bucket_part p join bucket_upload u on u.id = p.upload_id where u.uid = ${uid}`.execute(
    db,
  )
  return rows.map(({ file }) => file)
}

export const openUpload = (tx: Tx, upload: { id: string; uid: string; key: string; at: number }) =>
  tx.insertInto('bucket_upload').values(upload).execute()

export const findUpload = (db: Db | Tx, id: string) =>
  db.selectFrom('bucket_upload').selectAll().where('id', '=', id).executeTakeFirst()

/** The student's own uploads under way whose keys begin so, oldest first. */
export async function listUploads(db: Db, uid: string, prefix: string) {
  const rows = await db.selectFrom('bucket_upload').selectAll().where('uid', '=', uid).orderBy('at').execute()
  return rows.filter(({ key }) => key.startsWith(prefix))
}

export const partsOf = (db: Db | Tx, uploadId: string): Promise<StoredPart[]> =>
  db
    .selectFrom('bucket_part')
    .select(['part', 'file', 'size', 'etag'])
    .where('upload_id', '=', uploadId)
    .orderBy('part')
    .execute()

/** @returns the file of the part that it takes the place of. */
export async function writePart(tx: Tx, uploadId: string, { part, file, size, etag }: StoredPart): Promise<string[]> {
  const old = tx.deleteFrom('bucket_part').where('upload_id', '=', uploadId).where('part', '=', part).returning('file')
  const replaced = await old.execute()
  await tx.insertInto('bucket_part').values({ upload_id: uploadId, part, file, size, etag }).execute()
  return replaced.map((row) => row.file)
}

/** Ends an upload and forgets its parts. @returns their files; null when it has ended already. */
export async function closeUpload(tx: Tx, id: string): Promise<string[] | null> {
  const files = (await partsOf(tx, id)).map(({ file }) => file)
  const gone = await tx.deleteFrom('bucket_upload').where('id', '=', id).returning('id').executeTakeFirst()
  return gone ? files : null
}

/** Uploads that were begun before and have not come to an end. */
export const staleUploads = (db: Db, before: number): Promise<{ id: string; uid: string }[]> =>
  db.selectFrom('bucket_upload').select(['id', 'uid']).where('at', '<', before).limit(100).execute()

/** Which of these files on the disk are part of anything. */
export async function knownFiles(db: Db, files: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ file: string }>`
    select file from bucket_object where file = any(${files}) union select file from bucket_part where file = any(${files})`.execute(
    db,
  )
  return new Set(rows.map(({ file }) => file))
}
