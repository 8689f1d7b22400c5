import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/open.ts'

/** A corrected key: answers to these questions are marked again. */
export interface RemarkJob {
  id: number
  nos: string[]
  /** The last student of whom it is done. */
  cursor: string
}
/** Students looked at before the job's place is written down. */
const CHUNK = 500

/**
 * Gives each student of the oldest open job's next chunk who has answered one of its questions to `work`, then moves the job
 * on. One replica a job; a chunk that was cut off is done again. False: nothing is open.
 */
export async function remarkChunk(
  db: Db,
  now: number,
  work: (job: RemarkJob, uid: string) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const job = await claim(tx)
    if (!job) return false
    if (job.cursor === '') await waitForWriters(db)
    const { rows } = await sql<{ last: string | null; uids: string[] }>`
      with chunk as (select uid from student where uid > ${job.cursor} and study_rev > 0 order by uid limit ${CHUNK})
      select (select max(uid) from chunk) as last, array(select uid from chunk c where exists (select from study_op o
        where o.uid = c.uid and o.question_no = any(${job.nos}) and o.kind = 'answer' and o.verdict = 'applied')) as uids`.execute(
      tx,
    )
    const { last = null, uids = [] } = rows[0] ?? {}
    for (const uid of uids) await work(job, uid)
    await tx
      .updateTable('remark')
      .set(last === null ? { done_at: now } : { cursor: last })
      .where('id', '=', job.id)
      .execute()
    return true
  })
}

async function claim(tx: Tx): Promise<RemarkJob | null> {
  const { rows } = await sql<RemarkJob>`
    select id, nos, cursor from remark where done_at is null order by id limit 1 for update skip locked`.execute(tx)
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

/** Any number that no other lock of this database uses. */
const TALLY_LOCK = 20_260_002
const TALLY_ROWS = 20_000

/** Counts queued first answers in, once each. False: nothing was queued, or another replica is at it. */
export async function tallyChunk(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${TALLY_LOCK}) as mine`.execute(tx)
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
