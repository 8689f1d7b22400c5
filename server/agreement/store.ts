import { sql } from 'kysely'
import type { Agreement, AgreementKind } from '#src/contract/agreement.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Source } from './text.ts'

/** Null when there is no such version. @param version none: the one in force */
export async function readAgreement(db: Db, kind: AgreementKind, version?: number): Promise<Agreement | null> {
  const versions = await db
    .selectFrom('agreement')
    .select(['version', 'at', 'changes'])
    .where('kind', '=', kind)
    .orderBy('version', 'desc')
    .execute()
  const wanted = version === undefined ? versions[0] : versions.find((each) => each.version === version)
  if (!wanted) return null
  const text = await db
    .selectFrom('agreement')
    .select(['title', 'html'])
    .where('kind', '=', kind)
    .where('version', '=', wanted.version)
    .executeTakeFirstOrThrow()
  return { ...wanted, ...text, versions }
}

/** The version in force, with what it was made from; `source` null: the product's own text. */
export async function readInForce(tx: Db | Tx, kind: AgreementKind) {
  const last = tx.selectFrom('agreement').selectAll().where('kind', '=', kind).orderBy('version', 'desc').limit(1)
  return (await last.executeTakeFirst()) ?? null
}

/** Servers that start at once do this one after another, so they give one version. */
export const lockAgreements = async (tx: Tx): Promise<void> =>
  void (await sql`lock table agreement in exclusive mode`.execute(tx))

interface NewVersion extends Source {
  kind: AgreementKind
  version: number
  source: Source | null
  changes: string
  at: number
}
export const writeVersion = async (tx: Tx, { source, ...row }: NewVersion): Promise<void> =>
  void (await tx
    .insertInto('agreement')
    .values({ ...row, source: source && JSON.stringify(source) })
    .execute())
