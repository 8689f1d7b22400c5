import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sql } from 'kysely'
import * as v from 'valibot'
import { No } from '#src/contract/scalar.ts'
import { Question } from '#src/contract/question.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { FileFault, type Bank, type Placed } from '#server/content/draft.ts'

/** What waits to be published; questions are kept apart, in parts. */
export interface Waiting {
  libraryNo: string
  /** Epoch ms. */
  at: number
  note: string
  /** The file that it came from. */
  file: string
  /** What it does not hold is retired. */
  replaces: boolean
  /** The release that it was made on; 0: there was no such library. */
  base: number
  total: number
  bank: Bank
}

const Part = v.array(v.object({ chapterNo: No, question: Question }))

/** In place of the library's earlier one. */
export async function keepDraft(
  tx: Tx,
  { libraryNo, at, note, file, replaces, bank }: Omit<Waiting, 'base' | 'total'>,
  chunks: Iterable<readonly Placed[]> | AsyncIterable<readonly Placed[]>,
): Promise<number> {
  await dropDraft(tx, libraryNo)
  const { subject, points, library, chapters } = bank
  await sql`
    insert into release_draft (library_no, at, note, file, replaces, base, total, bank)
    select ${libraryNo}, ${at}, ${note}, ${file}, ${replaces}, coalesce(max(no), 0), 0,
      ${JSON.stringify({ subject, points, library, chapters })}::json
    from release where library_no = ${libraryNo}`.execute(tx)
  let total = 0
  let part = 0
  for await (const chunk of chunks) {
    const body = await promisify(gzip)(JSON.stringify(chunk))
    await sql`insert into release_draft_part (library_no, at, body) values (${libraryNo}, ${part++}, ${body})`.execute(
      tx,
    )
    total += chunk.length
  }
  await sql`update release_draft set total = ${total} where library_no = ${libraryNo}`.execute(tx)
  return total
}

export async function readDraft(db: Db | Tx, libraryNo: string): Promise<Waiting | null> {
  const { rows } = await sql<Waiting>`
    select library_no as "libraryNo", at, note, file, replaces, base, total, bank from release_draft where library_no = ${libraryNo}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Its questions part by part. @throws FileFault when another version of this program has kept them in another form. */
export async function* draftParts(tx: Tx, libraryNo: string): AsyncGenerator<Placed[]> {
  for (let at = 0; ; at++) {
    const { rows } = await sql<{ body: Buffer }>`
      select body from release_draft_part where library_no = ${libraryNo} and at = ${at}`.execute(tx)
    const [part] = rows
    if (!part) return
    const placed: unknown = JSON.parse((await promisify(gunzip)(part.body)).toString())
    // Checked, and taken as it is: what is hashed is the text that an import of the file would write.
    if (!v.is(Part, placed)) throw new FileFault('草稿是旧版程序保存的，请重新导入草稿')
    yield placed
  }
}

/** Whether there was one. */
export async function dropDraft(tx: Tx, libraryNo: string): Promise<boolean> {
  const { rows } = await sql`delete from release_draft where library_no = ${libraryNo} returning library_no`.execute(tx)
  return rows.length > 0
}
