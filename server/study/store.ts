import { type RawBuilder, sql } from 'kysely'
import type { StudyState } from '#src/contract/study.ts'
import { SYNC_PAGE } from '#src/contract/sync.ts'
import type { Markable } from '#src/domain/marking.ts'
import type { Answer } from '#src/domain/study.ts'
import type { Db } from '#server/db/open.ts'

/** An op as it is stored: `verdict` is final, so a resend is answered from here. */
export interface OpRow {
  op_id: string
  seq: number
  stream: string
  kind: string
  v: number
  payload: unknown
  payload_hash: string
  ctx: unknown
  client_at: number
  effective_at: number
  verdict: 'applied' | 'rejected'
  code: string | null
  msg: string | null
  right: boolean | null
  question_no: string | null
}
export type KnownOp = Pick<OpRow, 'op_id' | 'payload_hash' | 'verdict' | 'code' | 'msg'>
export interface Answerable {
  no: string
  chapter_no: string | null
  library_no: string | null
  body: Markable
}
export interface StateRow extends StudyState {
  lastOp: string
}
export interface RevisedState {
  rev: number
  state: StateRow
}
export interface Known {
  rev: number
  /** The device's contiguous mark, and its stored seqs beyond it. */
  ack: number
  seqs: number[]
  ops: KnownOp[]
  answerables: Answerable[]
  states: StateRow[]
  /** In the order of rev, one more than a page at most. */
  changes: RevisedState[]
}
/** Beyond this a hole in the seqs has been left by an eviction, and the mark stays where it is. */
const SEQS_READ = 1000

/**
 * JSON that jsonb takes: NUL and half a surrogate pair, such as an emoji cut at a length limit, become U+FFFD. Left in, one
 * such text would fail its whole batch, at every attempt, and nothing of this student would ever be synced again.
 * `JSON.stringify` escapes exactly these two; a pair of backslashes is matched so that the text `\\u0000` stays.
 */
const storable = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(?:\\|u0000|ud[89a-f][\da-f]{2})/g, (found) => (found === '\\\\' ? found : '\uFFFD'))

const STATE =
  sql.raw(`'questionNo', s.question_no, 'chapterNo', a.chapter_no, 'libraryNo', a.library_no, 'times', s.times,
  'wrong', s.wrong, 'streak', s.streak, 'lastAt', s.last_at, 'lastRight', s.last_right, 'lastResponse', s.last_response,
  'spentMs', s.spent_ms, 'lastOp', s.last_op`)

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
  opIds: string[],
  questionNos: string[],
): Promise<Known> {
  const { rows } = await sql<Known>`
    with mark as (select coalesce((select ack_seq from study_device where uid = ${uid} and device = ${device}), 0) as at)
    select
      (select study_rev from student where uid = ${uid}) as rev,
      (select at from mark) as ack,
      coalesce((select json_agg(t.seq) from (select seq from study_op, mark
        where uid = ${uid} and device = ${device} and seq > mark.at order by seq limit ${SEQS_READ}) t), '[]') as seqs,
      coalesce((select json_agg(json_build_object('op_id', o.op_id, 'payload_hash', o.payload_hash, 'verdict', o.verdict, 'code', o.code, 'msg', o.msg))
        from unnest(${opIds}::uuid[]) as asked(op_id), ${one(sql`study_op where uid = ${uid} and op_id = asked.op_id`)} o), '[]') as ops,
      coalesce((select json_agg(json_build_object('no', a.no, 'chapter_no', a.chapter_no, 'library_no', a.library_no, 'body', a.body))
        from answerable a where a.no = any(${questionNos})), '[]') as answerables,
      coalesce((select json_agg(json_build_object(${STATE}))
        from unnest(${questionNos}::text[]) as asked(no), ${one(sql`study_state where uid = ${uid} and question_no = asked.no`)} s
        left join answerable a on a.no = s.question_no), '[]') as states,
      coalesce((select json_agg(t.change) from (select json_build_object('rev', s.rev, 'state', json_build_object(${STATE})) as change
        from study_state s left join answerable a on a.no = s.question_no
        where s.uid = ${uid} and s.rev > ${cursor} order by s.rev limit ${SYNC_PAGE + 1}) t), '[]') as changes`.execute(
    db,
  )
  const [known] = rows
  if (!known || known.rev === null) throw new Error('the token names a student who is not there')
  return known
}
/** All recorded answers of some questions, for folding them again when one arrives late. */
export async function readAnswers(db: Db, uid: string, questionNos: string[]): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select op_id as "opId", question_no as "questionNo", effective_at as at, "right", payload -> 'response' as response,
      (payload ->> 'spentMs')::bigint as "spentMs"
    from study_op
    where uid = ${uid} and question_no = any(${questionNos}) and verdict = 'applied' and "right" is not null`.execute(
    db,
  )
  return rows
}

/** What a judged batch writes. Every write moves the student's rev, by one at least. */
export interface BatchWrite {
  uid: string
  device: string
  ops: readonly OpRow[]
  /** They get the revs after `rev`, in this order. */
  states: readonly StateRow[]
  /** As it was read. */
  rev: number
  /** Contiguous seqs of the device that are stored with this batch. */
  ack: number
  now: number
}

/**
 * Ops, their effect and the device's mark in one statement, and only if the student's rev is still the one that was read: so
 * batches of one student follow each other without a transaction that holds a lock over several round trips. False: it moved,
 * nothing is written, read again.
 */
export async function writeBatch(db: Db, { uid, device, ops, states, rev, ack, now }: BatchWrite): Promise<boolean> {
  const rows = states.map((state, i) => ({ ...state, rev: rev + 1 + i }))
  const { rows: moved } = await sql`
    with moved as (
      update student set study_rev = ${rev + Math.max(1, rows.length)} where uid = ${uid} and study_rev = ${rev} returning uid
    ), written as (
      insert into study_op (uid, op_id, device, seq, stream, kind, v, payload, payload_hash, ctx, client_at, effective_at,
        verdict, code, msg, "right", question_no, created_at)
      select moved.uid, t.op_id, ${device}, t.seq, t.stream, t.kind, t.v, t.payload, t.payload_hash, t.ctx, t.client_at,
        t.effective_at, t.verdict, t.code, t.msg, t."right", t.question_no, ${now}
      from moved, json_to_recordset(${storable(ops)}::json) as t(op_id uuid, seq bigint, stream text, kind text,
        v int, payload jsonb, payload_hash text, ctx jsonb, client_at bigint, effective_at bigint, verdict text, code text,
        msg text, "right" boolean, question_no text)
    ), folded as (
      insert into study_state (uid, question_no, rev, times, wrong, streak, last_at, last_op, last_right, last_response, spent_ms)
      select moved.uid, t."questionNo", t.rev, t.times, t.wrong, t.streak, t."lastAt", t."lastOp", t."lastRight", t."lastResponse", t."spentMs"
      from moved, json_to_recordset(${storable(rows)}::json) as t("questionNo" text, rev bigint, times int, wrong int, streak int,
        "lastAt" bigint, "lastOp" uuid, "lastRight" boolean, "lastResponse" jsonb, "spentMs" bigint)
      on conflict (uid, question_no) do update set rev = excluded.rev, times = excluded.times, wrong = excluded.wrong,
        streak = excluded.streak, last_at = excluded.last_at, last_op = excluded.last_op, last_right = excluded.last_right,
        last_response = excluded.last_response, spent_ms = excluded.spent_ms
    ), marked as (
      insert into study_device (uid, device, ack_seq, seen_at) select moved.uid, ${device}, ${ack}, ${now} from moved
      on conflict (uid, device) do update set ack_seq = excluded.ack_seq, seen_at = excluded.seen_at
    )
    select uid from moved`.execute(db)
  return moved.length > 0
}

/** What changed after the cursor, in the order of the student's revs, one more than a page at most. */
export async function readChanges(db: Db, uid: string, cursor: number): Promise<RevisedState[]> {
  const { rows } = await sql<RevisedState>`
    select s.rev, json_build_object(${STATE}) as state
    from study_state s left join answerable a on a.no = s.question_no
    where s.uid = ${uid} and s.rev > ${cursor} order by s.rev limit ${SYNC_PAGE + 1}`.execute(db)
  return rows
}

export interface Page {
  states: StateRow[]
  /** Of the last change that this page covers. */
  cursor: number
  more: boolean
}
/** @param revised in the order of rev, one more than a page when there is more. */
export function pageOf(revised: readonly RevisedState[], cursor: number): Page {
  const page = revised.slice(0, SYNC_PAGE)
  return {
    states: page.map(({ state }) => state),
    cursor: page.at(-1)?.rev ?? cursor,
    more: revised.length > SYNC_PAGE,
  }
}
