import { sql } from 'kysely'
import { MEMORY_FIT } from '#src/contract/memoryFit.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Walk } from '../jobs.ts'
import { countReviews, fitTo, LEAST_REVIEWS } from './fit.ts'
import { readHistories } from './log.ts'
import { remodel } from './memories.ts'

/** Any number that no other lock of this database uses. */
const FIT_LOCK = 20_260_003
/** A student who goes on answering meanwhile is tried again so often. */
const TRIES = 5

interface Candidate {
  uid: string
  rev: number
}
/** What was found of a student, and when to look again. */
interface Tried {
  reviews: number
  kept: boolean
  loss: { common: number; own: number }
  nextRev: number
}

const NOTHING: Omit<Tried, 'nextRev'> = { reviews: 0, kept: false, loss: { common: 0, own: 0 } }

/**
 * Fits parameters of FSRS to the next student who has answered enough since the last time. One replica at a time.
 * @returns false when there is nobody, or another replica is at it.
 */
export async function fitNext(db: Db, { now, stop, failed }: Walk): Promise<boolean> {
  if (stop.aborted) return false
  return db.transaction().execute(async (tx) => {
    const candidate = await nextCandidate(tx)
    if (!candidate) return false
    const tried = await fitStudent(db, candidate.uid, now).catch((error: unknown) => {
      failed(error, candidate.uid)
      return null
    })
    await note(tx, candidate, tried, now)
    return true
  })
}

/** Each op moves a record's rev by one at least: whose rev has not come so far cannot have answered enough. */
async function nextCandidate(tx: Tx): Promise<Candidate | null> {
  const { rows: locked } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${FIT_LOCK}) as mine`.execute(
    tx,
  )
  if (!locked[0]?.mine) return null
  const { rows } = await sql<Candidate>`
    select s.uid, s.study_rev as rev from student s left join memory_fit f on f.uid = s.uid
    where s.study_rev >= coalesce(f.next_rev, ${LEAST_REVIEWS}) order by f.tried_at nulls first, s.uid limit 1`.execute(
    tx,
  )
  return rows[0] ?? null
}

async function fitStudent(db: Db, uid: string, now: number): Promise<Tried> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { rev, isFitted } = await readPlace(db, uid)
    const histories = await readHistories(db, uid)
    const reviews = countReviews(histories)
    if (reviews < LEAST_REVIEWS) return { ...NOTHING, reviews, nextRev: rev + LEAST_REVIEWS - reviews }
    const { weights, loss } = await fitTo(histories)
    const fit = weights && { weights, reviews, at: now }
    // Where most people's parameters count as before there is nothing to write.
    const after = fit || isFitted ? await remodel(db, { uid, rev, histories, fit, now }) : rev
    if (after !== null) return { reviews, kept: fit !== null, loss, nextRev: after + reviews }
  }
  throw new Error(`study_rev moved ${TRIES} times while parameters were fitted`)
}

/** How far the record has come, and whether parameters of the student's own are in it. */
async function readPlace(db: Db, uid: string): Promise<{ rev: number; isFitted: boolean }> {
  const { rows } = await sql<{ rev: number; isFitted: boolean }>`
    select s.study_rev as rev, exists (select from study_record r
      where r.uid = s.uid and r.kind = 'setting' and r.id = ${MEMORY_FIT} and r.body ->> 'value' <> '') as "isFitted"
    from student s where s.uid = ${uid}`.execute(db)
  const [place] = rows
  if (!place) throw new Error('the student is gone')
  return place
}

/** @param tried null of one whose turn failed: the next one comes after as many answers as the first took. */
async function note(tx: Tx, { uid, rev }: Candidate, tried: Tried | null, now: number): Promise<void> {
  const { reviews, kept, loss, nextRev } = tried ?? { ...NOTHING, nextRev: rev + LEAST_REVIEWS }
  const found = sql`reviews = excluded.reviews, kept = excluded.kept, common_loss = excluded.common_loss, own_loss = excluded.own_loss,`
  // The student may have closed the account meanwhile.
  await sql`
    insert into memory_fit (uid, next_rev, tried_at, reviews, kept, common_loss, own_loss)
    select s.uid, ${nextRev}, ${now}, ${reviews}, ${kept}, ${loss.common}, ${loss.own} from student s where s.uid = ${uid}
    on conflict (uid) do update set ${tried ? found : sql``} next_rev = excluded.next_rev, tried_at = excluded.tried_at`.execute(
    tx,
  )
}
