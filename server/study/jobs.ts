import { sql } from 'kysely'
import { LOCKS } from '#server/db/locks.ts'
import type { Db, Tx } from '#server/db/open.ts'

/** A job tells students what became of these questions. */
export interface RemarkJob {
  id: number
  nos: string[]
  /** They stand elsewhere now. Else their key was corrected, and answers are marked again. */
  moved: boolean
  /** The last student of whom it is done. */
  cursor: string
}
/** Around work that nobody waits for. */
export interface Walk {
  /** Epoch ms. */
  now: number
  /** The server is to end: what is under way is finished, nothing is begun. */
  stop: AbortSignal
  /** Told of a student whose answers could not be marked again, this time. */
  failed: (error: unknown, uid: string) => void
}
type Work = (job: RemarkJob, uid: string) => Promise<void>

/** Students looked at, and of them given to `work`, before the job's place is written down. */
const LOOKED_AT = 500
const CHUNK = 20
/** A student whose turn failed has the next one after so long, each time twice as long. */
const FIRST_RETRY_MS = 60_000
const LAST_RETRY_MS = 86_400_000

/**
 * Gives some students of the oldest open job who have done something with one of its questions to `work`, one after another, then moves the
 * job on. One whose turn fails is set aside, so that the others have theirs. One replica a job; a chunk that was cut off is done
 * again. False: nothing is open.
 */
export async function remarkChunk(db: Db, walk: Walk, work: Work): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const job = await claim(tx)
    if (!job) return false
    if (job.cursor === '') await waitForWriters(db)
    const { rows } = await sql<{ last: string | null; uids: string[] }>`
      with looked as (select uid from student where uid > ${job.cursor} and study_rev > 0 order by uid limit ${LOOKED_AT})
      select (select max(uid) from looked) as last, array(select uid from looked c where ${concerned(job)}
        order by uid limit ${CHUNK}) as uids`.execute(tx)
    const { last = null, uids = [] } = rows[0] ?? {}
    const done = await workOff(tx, job, uids, walk, work)
    const cut = done < uids.length || uids.length === CHUNK
    const cursor = cut ? (uids[done - 1] ?? job.cursor) : last
    await tx
      .updateTable('remark')
      .set(cursor === null ? { done_at: walk.now } : { cursor })
      .where('id', '=', job.id)
      .execute()
    return true
  })
}

/** A question that was only collected or noted is counted where it stands, too. */
const concerned = ({ moved, nos }: RemarkJob) =>
  moved
    ? sql`exists (select from study_record r where r.uid = c.uid and r.kind = 'state' and r.id = any(${nos}))`
    : sql`exists (select from study_op o
        where o.uid = c.uid and o.question_no = any(${nos}) and o.kind = 'answer' and o.verdict = 'applied')`

/** How many had their turn. */
async function workOff(tx: Tx, job: RemarkJob, uids: readonly string[], walk: Walk, work: Work): Promise<number> {
  for (const [done, uid] of uids.entries()) {
    if (walk.stop.aborted) return done
    const ok = await turn(job, uid, walk, work)
    if (!ok)
      await tx
        .insertInto('remark_failed')
        .values({ remark_id: job.id, uid, tries: 1, due_at: walk.now + FIRST_RETRY_MS })
        .onConflict((c) => c.doNothing())
        .execute()
  }
  return uids.length
}

async function turn(job: RemarkJob, uid: string, { failed }: Walk, work: Work): Promise<boolean> {
  try {
    await work(job, uid)
    return true
  } catch (error) {
    failed(error, uid)
    return false
  }
}

/** Gives a student who was set aside, and is due, another turn. False: nobody is. */
export async function remarkFailed(db: Db, walk: Walk, work: Work): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<RemarkJob & { uid: string; tries: number }>`
      select r.id, r.nos, r.moved, r.cursor, f.uid, f.tries from remark_failed f join remark r on r.id = f.remark_id
      where f.due_at <= ${walk.now} order by f.due_at limit 1 for update of f skip locked`.execute(tx)
    const [one] = rows
    if (!one || walk.stop.aborted) return false
    const { id, uid, tries } = one
    if (await turn(one, uid, walk, work))
      await tx.deleteFrom('remark_failed').where('remark_id', '=', id).where('uid', '=', uid).execute()
    else {
      const dueAt = walk.now + Math.min(FIRST_RETRY_MS * 2 ** tries, LAST_RETRY_MS)
      await tx
        .updateTable('remark_failed')
        .set({ tries: tries + 1, due_at: dueAt })
        .where('remark_id', '=', id)
        .where('uid', '=', uid)
        .execute()
    }
    return true
  })
}

async function claim(tx: Tx): Promise<RemarkJob | null> {
  const { rows } = await sql<RemarkJob>`
    select id, nos, moved, cursor from remark where done_at is null order by id limit 1 for update skip locked`.execute(
    tx,
  )
  return rows[0] ?? null
}

/**
 * Until every batch that may still be written with the old key is written: whoever begins later sees the new one (`marking` in
 * store.ts). Only such batches write this table, and a statement has its lock before its view of the data.
 */
const waitForWriters = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => {
    // Batches queue behind this lock: better tried again later than waited for.
    await sql`set local lock_timeout = '2s'`.execute(tx)
    await sql`lock table study_device in share mode`.execute(tx)
  })

const TALLY_ROWS = 20_000

/** Counts queued first answers in, once each. False: nothing was queued, or another replica is at it. */
export async function tallyChunk(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${LOCKS.tally}) as mine`.execute(tx)
    if (!rows[0]?.mine) return false
    const { rows: taken } = await sql<{ n: number }>`
      with taken as (
        delete from tally_queue where ctid = any(array(select ctid from tally_queue limit ${TALLY_ROWS})) returning *
      ), added as (
        insert into tally (question_no, since, pick, n, "right")
        select question_no, since, pick, sum(n), sum("right") from taken group by question_no, since, pick
        on conflict (question_no, since, pick) do update set n = tally.n + excluded.n, "right" = tally."right" + excluded."right"
      )
      select count(*)::int as n from taken`.execute(tx)
    return (taken[0]?.n ?? 0) > 0
  })
}
