import { sql } from 'kysely'
import { MEMORY_FIT } from '#src/contract/memoryFit.ts'
import { LOCKS } from '#server/db/locks.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Walk } from '../jobs.ts'
import { countReviews, type Fitted, fitTo, LEAST_REVIEWS } from './fit.ts'
import { readHistories } from './log.ts'
import { remodel } from './memories.ts'

/** A student who goes on answering meanwhile is tried again so often. */
const TRIES = 5
/** A student is looked at again when there are so many times as many reviews as the last time. */
const GROWTH = 1.5

interface Candidate {
  uid: string
  rev: number
}
/** It says what was found of a student, and when to look again. */
interface FitResult {
  /** Reviews that were tried; 0 where there were too few. */
  reviews: number
  kept: boolean
  loss: Fitted['loss']
  nextRev: number
}

const NOTHING: Omit<FitResult, 'nextRev'> = { reviews: 0, kept: false, loss: { common: 0, own: 0 } }

/**
 * Fits parameters of FSRS to the next student who may have answered enough since the last time. One replica at a time.
 * @returns false when there is nobody, or another replica is at it.
 */
export async function fitNext(db: Db, { now, stop, failed }: Walk): Promise<boolean> {
  if (stop.aborted) return false
  return db.transaction().execute(async (tx) => {
    const candidate = await nextCandidate(tx)
    if (!candidate) return false
    // It is written before it is done: whoever ends the process must not be first again after each start.
    await postpone(db, candidate, now)
    try {
      const result = await fitStudent(db, candidate.uid, now)
      if (result) await saveResult(db, candidate.uid, result)
    } catch (error) {
      failed(error, candidate.uid)
    }
    return true
  })
}

/** An answer that comes alone moves a record's rev by two: who has not come so far can hardly have answered enough. */
async function nextCandidate(tx: Tx): Promise<Candidate | null> {
  const { rows: locked } = await sql<{
    mine: boolean
  }>`select pg_try_advisory_xact_lock(${LOCKS.fits}) as mine`.execute(tx)
  if (!locked[0]?.mine) return null
  const { rows } = await sql<Candidate>`
    select s.uid, s.study_rev as rev from student s left join memory_fit f on f.uid = s.uid
    where s.study_rev >= coalesce(f.next_rev, ${LEAST_REVIEWS}) order by f.tried_at nulls first, s.uid limit 1`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** @returns null of a student who is gone. */
async function fitStudent(db: Db, uid: string, now: number): Promise<FitResult | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const place = await readPlace(db, uid)
    if (!place) return null
    const { rev, isFitted, last } = place
    const histories = await readHistories(db, uid)
    const reviews = countReviews(histories)
    const wanted = Math.max(LEAST_REVIEWS, Math.ceil(GROWTH * (last?.reviews ?? 0)))
    // A student who took nearly all back remembers like most people, as far as anybody knows.
    const isTooFew = reviews < LEAST_REVIEWS
    if (reviews < wanted && !(isTooFew && isFitted)) return { ...NOTHING, ...last, nextRev: rev + wanted - reviews }
    const { weights, loss } = isTooFew ? { weights: null, loss: NOTHING.loss } : await fitTo(histories)
    const fit = weights && { weights, reviews, at: now }
    // Nothing is to be written where most people's parameters count as before.
    const after = fit || isFitted ? await remodel(db, { uid, rev, histories, fit, now }) : rev
    if (after !== null)
      return { reviews, kept: fit !== null, loss, nextRev: after + Math.max(LEAST_REVIEWS, (GROWTH - 1) * reviews) }
  }
  throw new Error(`study_rev moved ${TRIES} times while parameters were fitted`)
}

interface Place {
  rev: number
  /** Parameters of the student's own are in the record. */
  isFitted: boolean
  /** Null while nothing was tried. */
  last: Omit<FitResult, 'nextRev'> | null
}

/** Reads how far the record has come. */
async function readPlace(db: Db, uid: string): Promise<Place | null> {
  const { rows } = await sql<Place>`
    select s.study_rev as rev, exists (select from study_record r
        where r.uid = s.uid and r.kind = 'setting' and r.id = ${MEMORY_FIT} and r.body ->> 'value' <> '') as "isFitted",
      case when f.reviews > 0 then json_build_object('reviews', f.reviews, 'kept', f.kept,
        'loss', json_build_object('common', f.common_loss, 'own', f.own_loss)) end as last
    from student s left join memory_fit f on f.uid = s.uid where s.uid = ${uid}`.execute(db)
  return rows[0] ?? null
}

/** One whose turn fails has another after as many answers as the first one took. The student may have closed the account meanwhile. */
async function postpone(db: Db, { uid, rev }: Candidate, now: number): Promise<void> {
  await sql`
    insert into memory_fit (uid, next_rev, tried_at, reviews, kept, common_loss, own_loss)
    select s.uid, ${rev + LEAST_REVIEWS}, ${now}, 0, false, 0, 0 from student s where s.uid = ${uid}
    on conflict (uid) do update set next_rev = excluded.next_rev, tried_at = excluded.tried_at`.execute(db)
}

async function saveResult(db: Db, uid: string, { reviews, kept, loss, nextRev }: FitResult): Promise<void> {
  await db
    .updateTable('memory_fit')
    .set({ reviews, kept, common_loss: loss.common, own_loss: loss.own, next_rev: Math.ceil(nextRev) })
    .where('uid', '=', uid)
    .execute()
}
