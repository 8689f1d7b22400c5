import { AGREEMENT_KINDS, type AgreementKind } from '#src/contract/agreement.ts'
import type { Db } from '#server/db/open.ts'
import { lockAgreements, readInForce, writeVersion } from './store.ts'
import { changesBetween, ownSource, type Source, withLists } from './text.ts'

interface Wanted {
  kind: AgreementKind
  /** The operator's own text; null: the product's. */
  source: Source | null
  /** Says what is other, in the operator's words; left out: told by comparing. */
  changes?: string
}

/**
 * Puts a text in force as the next version, unless it is the one that is.
 * @param at epoch ms
 * @returns the new version's number; null: nothing is new
 */
export async function putInForce(db: Db, { kind, source, changes }: Wanted, at: number): Promise<number | null> {
  const { title, html: text } = source ?? (await ownSource(kind))
  const html = withLists(text)
  return db.transaction().execute(async (tx) => {
    await lockAgreements(tx)
    const before = await readInForce(tx, kind)
    if (before?.title === title && before.html === html) return null
    const version = (before?.version ?? 0) + 1
    const told = before ? (changes ?? changesBetween(before.html, html)) : ''
    await writeVersion(tx, { kind, version, title, html, source, changes: told, at })
    return version
  })
}

/** A server that starts may keep other things than the version in force says, and that version must never be untrue. */
export async function keepInForce(db: Db, at: number): Promise<void> {
  for (const kind of AGREEMENT_KINDS) {
    const now = await readInForce(db, kind)
    await putInForce(db, { kind, source: now?.source ?? null }, at)
  }
}
