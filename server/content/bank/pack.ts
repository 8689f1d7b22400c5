import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { sql } from 'kysely'
import { BUNDLE, type Outline, type Picture } from '#src/contract/question.ts'
import { MEDIA_ADDRESSES } from '#src/domain/text/html.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Weight } from '#server/db/tables.ts'
import { GZIP_LEVEL } from '#server/http/compress.ts'
import { readBundle, readOutline } from '#server/question/store.ts'

/** Weighs what a download of this library takes, so that students are told before it begins. Nothing to do when nothing changed. */
export async function weighPack(db: Db | Tx, libraryNo: string, mediaDir: string): Promise<void> {
  const outline = await readOutline(db, libraryNo)
  if (!outline) return
  const rev = await revOf(db, libraryNo, outline)
  const known = await sql<{
    rev: string | null
  }>`select pack->>'rev' as rev from library where no = ${libraryNo}`.execute(db)
  if (known.rows[0]?.rev === rev) return
  const sources = new Set<string>()
  let bytes = 0
  for (let from = 0; from < outline.blocks.length; from += BUNDLE) {
    const bundle = await readBundle(db, outline.blocks.slice(from, from + BUNDLE))
    bytes += (await promisify(gzip)(bundle, { level: GZIP_LEVEL })).length
    for (const [source] of bundle.matchAll(MEDIA_ADDRESSES)) sources.add(source)
  }
  const pictures = (await Promise.all([...sources].map((source) => weighed(source, mediaDir)))).flat()
  const weight: Weight = { rev, bytes, pictures, pictureBytes: pictures.reduce((all, each) => all + each.bytes, 0) }
  await sql`update library set pack = ${JSON.stringify(weight)} where no = ${libraryNo}`.execute(db)
}

/** Libraries that an older release has imported. */
export async function weighMissing(db: Db, mediaDir: string): Promise<void> {
  const missing = await db.selectFrom('library').select('no').where('pack', 'is', null).execute()
  for (const { no } of missing) await weighPack(db, no, mediaDir)
}

/** Of all that a download holds: blocks by their own rev, titles and places of the chapters. */
async function revOf(db: Db | Tx, libraryNo: string, { title, blocks }: Outline): Promise<string> {
  const { rows } = await sql`
    select no, parent, title, total from chapter where library_no = ${libraryNo} and total > 0 order by position`.execute(
    db,
  )
  return hash('sha256', JSON.stringify([title, rows, blocks]), 'base64url').slice(0, 10)
}

async function weighed(src: string, mediaDir: string): Promise<Picture[]> {
  const found = await stat(path.join(mediaDir, path.basename(src))).catch(() => null)
  return found ? [{ src, bytes: found.size }] : []
}
