import { sql } from 'kysely'
import { LOCKS } from '#server/db/locks.ts'
import type { Db, Tx } from '#server/db/open.ts'

/** One import after another, until this transaction ends: what one has judged the other does not change meanwhile. */
export const lockImports = async (tx: Tx): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(${LOCKS.import})`.execute(tx))

/** Who publishes: what an operator has published once the demo, which knows of these claims, leaves to them from then on. */
export type Publisher = 'operator' | { claims: ReadonlySet<string> }

/** An operator has published meanwhile what the demo was about to. */
export class ClaimedSince extends Error {}

/**
 * Makes what an operator publishes theirs; under the imports' lock.
 * @param now epoch ms
 * @throws ClaimedSince when some of what the demo publishes is theirs, and the demo did not know.
 */
export async function claim(tx: Tx, by: Publisher, nos: readonly string[], now: number): Promise<void> {
  if (by === 'operator')
    await sql`insert into operator_content (no, at) select distinct no, ${now}::bigint from unnest(${nos}::text[]) as no
      on conflict (no) do update set at = excluded.at`.execute(tx)
  else {
    const theirs = await readClaims(tx)
    const late = nos.find((no) => theirs.has(no) && !by.claims.has(no))
    if (late !== undefined) throw new ClaimedSince(late)
  }
}

export async function readClaims(db: Db | Tx): Promise<Set<string>> {
  return new Set((await db.selectFrom('operator_content').select('no').execute()).map(({ no }) => no))
}
