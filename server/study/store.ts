import { type RawBuilder, sql } from 'kysely'
import { SYNC_PAGE } from '#src/contract/sync.ts'
import { storable } from '#src/domain/text/storable.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { counting, OPS_OF_QUESTION, storedBy } from './allowance.ts'
import { UNTOLD } from './facts.ts'
import type { Asked, Known, OpRow, RecordRow, RevisedRow, RowKey, Tallied } from './rows.ts'
import { mayRead } from '#server/rights/store.ts'

/** Beyond this a hole in the seqs has been left by an eviction, and the mark stays where it is. */
const SEQS_READ = 1000

const ROW =
  sql.raw(`'kind', s.kind, 'id', s.id, 'rev', s.rev, 'lastAt', s.last_at, 'lastOp', s.last_op, 'body', s.body, 'place',
  case when a.no is null then null else json_build_object('chapterNo', a.chapter_no, 'libraryNo', a.library_no,
    'type', case when a.body -> 'composition' is null then a.body ->> 'type' else 'composition' end, 'points', a.points) end`)
const PLACE = sql.raw(`left join answerable a on s.kind = 'state' and a.no = s.id`)

const MARKING = sql.raw('select coalesce(max(id), 0) from remark')

/**
 * The row of a full key, looked up key by key. The planner, which knows nothing of the lists to come, would else read all that
 * the student ever did to pick fifty rows of it.
 */
const one = (row: RawBuilder<unknown>): RawBuilder<unknown> => sql`lateral (select * from ${row} limit 1)`

/**
 * All that a batch needs to be judged, in one statement and so of one moment; `rev` names that moment.
 * @param cursor changes after it come along.
 */
export async function readKnown(
  db: Db,
  { uid, device, cursor }: { uid: string; device: string; cursor: number },
  { opIds, seqs, questionNos, keys, targets }: Asked,
): Promise<Known> {
  const { rows } = await sql<Known>`
    with mark as (select coalesce((select ack_seq from study_device where uid = ${uid} and device = ${device}), 0) as at)
    select
      (select study_rev from student where uid = ${uid}) as rev,
      (${MARKING}) as marking,
      (select at from mark) as ack,
      coalesce((select json_agg(t.seq) from (select seq from study_op, mark
        where uid = ${uid} and device = ${device} and seq > mark.at order by seq limit ${SEQS_READ}) t), '[]') as seqs,
      (${around(uid, device, seqs)}) as around,
      (${storedBy(uid)}) as stored,
      coalesce((select json_agg(json_build_object('op_id', o.op_id, 'payload_hash', o.payload_hash, 'verdict', o.verdict, 'code', o.code, 'msg', o.msg))
        from unnest(${opIds}::uuid[]) as asked(op_id), ${one(sql`study_op where uid = ${uid} and op_id = asked.op_id`)} o), '[]') as ops,
      coalesce((select json_agg(json_build_object('no', a.no, 'chapterNo', a.chapter_no, 'libraryNo', a.library_no, 'points', a.points, 'body', a.body,
          'guarded', a.guarded, 'since', a.since, 'keyed', a.keyed,
          'recorded', (select count(*) from (select from study_op where uid = ${uid} and question_no = a.no limit ${OPS_OF_QUESTION}) t), 'past', case when a.keyed > 1 then (select json_agg(json_build_object('since', p.since, 'upto', p.upto, 'body', p.body)
            order by p.upto) from answerable_past p where p.no = a.no) end))
        from answerable a where a.no = any(${questionNos})), '[]') as answerables,
      coalesce((select json_agg(json_build_object(${ROW}))
        from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ id }) => id)}::text[]) as asked(kind, id),
          ${one(sql`study_record where uid = ${uid} and kind = asked.kind and id = asked.id`)} s ${PLACE}), '[]') as records,
      coalesce((select json_agg(json_build_object('opId', o.op_id, 'questionNo', o.question_no, 'verdict', o.verdict, 'kind', o.kind,
          'at', o.effective_at, 'right', o."right", 'spentMs', o.payload -> 'spentMs', 'response', ${UNTOLD}))
        from unnest(${targets}::uuid[]) as asked(op_id), ${one(sql`study_op where uid = ${uid} and op_id = asked.op_id`)} o), '[]') as targets,
      coalesce((select json_agg(t.change) from (select json_build_object(${ROW}) as change
        from study_record s ${PLACE}
        where s.uid = ${uid} and s.rev > ${cursor} order by s.rev limit ${SYNC_PAGE + 1}) t), '[]') as changes`.execute(
    db,
  )
  const [known] = rows
  if (!known || known.rev === null) throw new Error('the token names a student who is not there')
  return known
}

/** Ops of the device from the one before `seqs` to the one after them. */
function around(uid: string, device: string, seqs: readonly number[]): RawBuilder<unknown> {
  if (seqs.length === 0) return sql`'[]'::json`
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)]
  const ops = sql`select * from study_op where uid = ${uid} and device = ${device} and seq`
  return sql`select coalesce(json_agg(json_build_object('opId', o.op_id, 'own', o.own_at, 'at', o.effective_at)), '[]')
    from ((${ops} < ${first} order by seq desc limit 1) union all (${ops} between ${first} and ${last} order by seq limit ${SEQS_READ})
      union all (${ops} > ${last} order by seq limit 1)) o`
}

/** Of guarded questions those whose key this student may not know at `now`, epoch ms. Most batches have none, and ask nothing. */
export async function readSecrets(db: Db, uid: string, nos: readonly string[], now: number): Promise<Set<string>> {
  if (nos.length === 0) return new Set()
  const { rows } = await sql<{ no: string }>`
    select a.no from answerable a join question q on q.no = a.question_no
    where a.no = any(${nos}) and not ${mayRead(uid, now)}`.execute(db)
  return new Set(rows.map(({ no }) => no))
}

/** Rows of the record, as they are. */
export async function readRecords(db: Db, uid: string, keys: readonly RowKey[]): Promise<RevisedRow[]> {
  const { rows } = await sql<{ row: RevisedRow }>`
    select json_build_object(${ROW}) as row
    from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ id }) => id)}::text[]) as asked(kind, id)
    join study_record s on s.uid = ${uid} and s.kind = asked.kind and s.id = asked.id ${PLACE}`.execute(db)
  return rows.map(({ row }) => row)
}

/** A sitting of an exam that was begun or handed in: the first one of an exam is entered for its ranking (exam/ranking.ts). */
export interface Heard {
  exam: string
  attemptId: string
  handed: boolean
}

/** What a judged batch writes. Every write moves the student's rev, by one at least. */
export interface BatchWrite {
  uid: string
  device: string
  ops: readonly OpRow[]
  /** They get the revs after `rev`, in this order. */
  records: readonly RecordRow[]
  firsts: readonly Tallied[]
  heard: readonly Heard[]
  /** As they were read. */
  rev: number
  marking: number
  /** Contiguous seqs of the device that are stored with this batch. */
  ack: number
  now: number
}

/**
 * Ops, their effect and the device's mark in one statement, and only if the student's rev and all keys are still what was read:
 * so batches of one student follow each other without a transaction that holds a lock over several round trips. False:
 * something moved, nothing is written, read again.
 */
export async function writeBatch(db: Db, batch: BatchWrite): Promise<boolean> {
  const { uid, device, ops, records, firsts, heard, rev, marking, ack, now } = batch
  const { rows: moved } = await sql`
    with moved as (
      update student set study_rev = ${rev + Math.max(1, records.length)}
      where uid = ${uid} and study_rev = ${rev} and (${MARKING}) = ${marking} returning uid
    ), written as (
      insert into study_op (uid, op_id, device, seq, stream, kind, v, payload, payload_hash, ctx, client_at, own_at, effective_at,
        verdict, code, msg, "right", question_no, foretold, created_at)
      select moved.uid, t.op_id, ${device}, t.seq, t.stream, t.kind, t.v, t.payload, t.payload_hash, t.ctx, t.client_at,
        t.own_at, t.effective_at, t.verdict, t.code, t.msg, t."right", t.question_no, t.foretold, ${now}
      from moved, json_to_recordset(${storable(ops)}::json) as t(op_id uuid, seq bigint, stream text, kind text,
        v int, payload jsonb, payload_hash text, ctx jsonb, client_at bigint, own_at bigint, effective_at bigint, verdict text, code text,
        msg text, "right" boolean, question_no text, foretold int)
    ), folded as (${folding(records, rev)}), tallied as (${tallying(firsts)}), counted as (${counting(uid, ops, now)}), ${entering(heard, now)} marked as (
      insert into study_device (uid, device, ack_seq, seen_at) select moved.uid, ${device}, ${ack}, ${now} from moved
      on conflict (uid, device) do update set ack_seq = excluded.ack_seq, seen_at = excluded.seen_at
    )
    select uid from moved`.execute(db)
  return moved.length > 0
}

/** Writes rows of the record, from what a statement has called `moved`. */
export function folding(records: readonly RecordRow[], rev: number): RawBuilder<unknown> {
  const rows = records.map(({ kind, id, lastAt, lastOp, body }, i) => ({
    kind,
    id,
    lastAt,
    lastOp,
    body,
    rev: rev + 1 + i,
  }))
  return sql`insert into study_record (uid, kind, id, rev, last_at, last_op, body)
    select moved.uid, t.kind, t.id, t.rev, t."lastAt", t."lastOp", t.body
    from moved, json_to_recordset(${storable(rows)}::json) as t(kind text, id text, rev bigint, "lastAt" bigint, "lastOp" text, body json)
    ${NEWER_ROW}`
}
const NEWER_ROW = sql.raw(`on conflict (uid, kind, id) do update
  set rev = excluded.rev, last_at = excluded.last_at, last_op = excluded.last_op, body = excluded.body`)
/** Writes what no op of the student made; their devices get it with the next sync. Of a closed account nothing is written. */
export async function writeRecord(tx: Tx, uid: string, { kind, id, lastAt, lastOp, body }: RecordRow): Promise<void> {
  await sql`
    with moved as (update student set study_rev = study_rev + 1 where uid = ${uid} returning uid, study_rev)
    insert into study_record (uid, kind, id, rev, last_at, last_op, body)
    select uid, ${kind}, ${id}, study_rev, ${lastAt}, ${lastOp}, ${storable(body)}::json from moved
    ${NEWER_ROW}`.execute(tx)
}
/** Only noted: counting for a ranking is done one after another, and nobody's batch waits for it. */
function entering(heard: readonly Heard[], now: number): RawBuilder<unknown> {
  if (heard.length === 0) return sql``
  // Of several sittings of one exam the first that is told of; the hand-in of one that is entered already is an update.
  const first = [...new Map(heard.toReversed().map((each) => [each.exam, each])).values()]
  const handed = heard.filter((each) => each.handed)
  return sql`entered as (
      insert into exam_entry (exam_no, uid, attempt_id, handed_at)
      select x.no, moved.uid, t."attemptId", case when t.handed then ${now}::bigint end
      from moved, json_to_recordset(${JSON.stringify(first)}::json) as t(exam text, "attemptId" text, handed boolean) join exam x on x.no = t.exam
      on conflict do nothing
    ), handed as (
      update exam_entry e set handed_at = ${now}, held = false
      from moved, json_to_recordset(${JSON.stringify(handed)}::json) as t(exam text, "attemptId" text)
      where e.exam_no = t.exam and e.uid = moved.uid and e.attempt_id = t."attemptId" and (e.handed_at is null or e.held)
    ),`
}
/** Only laid into a queue: counters that all students move would make their batches wait for each other (jobs.ts). */
const tallying = (firsts: readonly Tallied[]): RawBuilder<unknown> => sql`
  insert into tally_queue (question_no, since, pick, n, "right") select t.question_no, t.since, t.pick, t.n, t."right"
  from moved, json_to_recordset(${JSON.stringify(firsts)}::json) as t(question_no text, since int, pick text, n int, "right" int)`

/** What marking a student's answers again writes. */
export interface MarksWrite extends Pick<BatchWrite, 'uid' | 'records' | 'firsts' | 'rev'> {
  marks: readonly { opId: string; right: boolean }[]
}
/** Like a batch: false when the student's rev has moved since it was read. */
export async function writeMarks(db: Db, { uid, marks, records, firsts, rev }: MarksWrite): Promise<boolean> {
  const { rows: moved } = await sql`
    with moved as (
      update student set study_rev = ${rev + Math.max(1, records.length)} where uid = ${uid} and study_rev = ${rev} returning uid
    ), marked as (
      update study_op o set "right" = t."right"
      from moved, json_to_recordset(${JSON.stringify(marks)}::json) as t("opId" uuid, "right" boolean)
      where o.uid = moved.uid and o.op_id = t."opId"
    ), folded as (${folding(records, rev)}), tallied as (${tallying(firsts)})
    select uid from moved`.execute(db)
  return moved.length > 0
}

/** All that is known of a student's questions. */
export async function readStates(db: Db, uid: string): Promise<RevisedRow[]> {
  const { rows } = await sql<{ row: RevisedRow }>`
    select json_build_object(${ROW}) as row from study_record s ${PLACE} where s.uid = ${uid} and s.kind = 'state'`.execute(
    db,
  )
  return rows.map(({ row }) => row)
}

/** What changed after the cursor, in the order of the student's revs, one more than a page at most. */
export async function readChanges(db: Db, uid: string, cursor: number, size: number): Promise<RevisedRow[]> {
  const { rows } = await sql<{ change: RevisedRow }>`
    select json_build_object(${ROW}) as change from study_record s ${PLACE}
    where s.uid = ${uid} and s.rev > ${cursor} order by s.rev limit ${size + 1}`.execute(db)
  return rows.map(({ change }) => change)
}

export async function countChanges(db: Db, uid: string, cursor: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from study_record where uid = ${uid} and rev > ${cursor}`.execute(db)
  return rows[0]?.n ?? 0
}

export interface Page {
  rows: RevisedRow[]
  /** Of the last change that this page covers. */
  cursor: number
  more: boolean
}
/** @param revised in the order of rev, one more than a page when there is more. */
export function pageOf(revised: readonly RevisedRow[], cursor: number, size = SYNC_PAGE): Page {
  const rows = revised.slice(0, size)
  return { rows, cursor: rows.at(-1)?.rev ?? cursor, more: revised.length > size }
}
