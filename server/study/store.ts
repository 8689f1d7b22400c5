import { sql } from 'kysely'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { Change, StudyState } from '#src/contract/study.ts'
import { SYNC_PAGE } from '#src/contract/sync.ts'
import type { Answer } from '#src/domain/study.ts'
import type { Db, Tx } from '#server/db/open.ts'

/** An op as it is stored: `verdict` is final, so a resend is answered from here. */
export interface OpRow {
  op_id: string
  device: string
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
  body: PlainQuestion
}
export interface StateRow extends StudyState {
  lastOp: string
}
export interface Known {
  rev: number
  ops: KnownOp[]
  answerables: Answerable[]
  states: StateRow[]
}

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
 * Takes the student's row, so that batches of one student follow each other and their revs commit in order; then reads, in
 * the same statement's snapshot order, all that a batch needs to be judged.
 */
export async function lockAndRead(tx: Tx, uid: string, opIds: string[], questionNos: string[]): Promise<Known> {
  const locked = await sql<{ rev: number }>`select study_rev as rev from student where uid = ${uid} for update`.execute(
    tx,
  )
  // A statement of its own: it must see what the batch that held the lock before has committed.
  const { rows } = await sql<Omit<Known, 'rev'>>`
    select
      coalesce((select json_agg(json_build_object('op_id', op_id, 'payload_hash', payload_hash, 'verdict', verdict, 'code', code, 'msg', msg))
        from study_op where uid = ${uid} and op_id = any(${opIds}::uuid[])), '[]') as ops,
      coalesce((select json_agg(json_build_object('no', no, 'chapter_no', chapter_no, 'library_no', library_no, 'body', body))
        from answerable where no = any(${questionNos})), '[]') as answerables,
      coalesce((select json_agg(json_build_object(${STATE}))
        from study_state s left join answerable a on a.no = s.question_no
        where s.uid = ${uid} and s.question_no = any(${questionNos})), '[]') as states`.execute(tx)
  const [student] = locked.rows
  const [known] = rows
  if (!student || !known) throw new Error('the token names a student who is not there')
  return { rev: student.rev, ...known }
}

/** All recorded answers of some questions, for folding them again when one arrives late. */
export async function readAnswers(tx: Tx, uid: string, questionNos: string[]): Promise<Answer[]> {
  const { rows } = await sql<Answer>`
    select op_id as "opId", question_no as "questionNo", effective_at as at, "right", payload -> 'response' as response,
      (payload ->> 'spentMs')::bigint as "spentMs"
    from study_op
    where uid = ${uid} and question_no = any(${questionNos}) and verdict = 'applied' and "right" is not null`.execute(
    tx,
  )
  return rows
}

export async function insertOps(tx: Tx, uid: string, ops: readonly OpRow[], now: number): Promise<void> {
  await sql`
    insert into study_op (uid, op_id, device, seq, stream, kind, v, payload, payload_hash, ctx, client_at, effective_at,
      verdict, code, msg, "right", question_no, created_at)
    select ${uid}, t.op_id, t.device, t.seq, t.stream, t.kind, t.v, t.payload, t.payload_hash, t.ctx, t.client_at,
      t.effective_at, t.verdict, t.code, t.msg, t."right", t.question_no, ${now}
    from json_to_recordset(${storable(ops)}::json) as t(op_id uuid, device uuid, seq bigint, stream text, kind text,
      v int, payload jsonb, payload_hash text, ctx jsonb, client_at bigint, effective_at bigint, verdict text, code text,
      msg text, "right" boolean, question_no text)`.execute(tx)
}

/** Writes states with revs from `rev` + 1 on, and the student's counter with them. */
export async function putStates(tx: Tx, uid: string, states: readonly StateRow[], rev: number): Promise<void> {
  const rows = states.map((state, i) => ({ ...state, rev: rev + 1 + i }))
  await sql`
    with moved as (update student set study_rev = ${rev + rows.length} where uid = ${uid})
    insert into study_state (uid, question_no, rev, times, wrong, streak, last_at, last_op, last_right, last_response, spent_ms)
    select ${uid}, t."questionNo", t.rev, t.times, t.wrong, t.streak, t."lastAt", t."lastOp", t."lastRight", t."lastResponse", t."spentMs"
    from json_to_recordset(${storable(rows)}::json) as t("questionNo" text, rev bigint, times int, wrong int, streak int,
      "lastAt" bigint, "lastOp" uuid, "lastRight" boolean, "lastResponse" jsonb, "spentMs" bigint)
    on conflict (uid, question_no) do update set rev = excluded.rev, times = excluded.times, wrong = excluded.wrong,
      streak = excluded.streak, last_at = excluded.last_at, last_op = excluded.last_op, last_right = excluded.last_right,
      last_response = excluded.last_response, spent_ms = excluded.spent_ms`.execute(tx)
}

/** Moves the device's contiguous mark as far as its stored seqs reach. Returns it. */
export async function advanceAck(tx: Tx, uid: string, device: string, now: number): Promise<number> {
  const { rows } = await sql<{ ack: number }>`
    with mark as (select coalesce((select ack_seq from study_device where uid = ${uid} and device = ${device}), 0) as at),
    run as (
      select seq, seq - row_number() over (order by seq) as shift, mark.at
      from study_op, mark where uid = ${uid} and device = ${device} and seq > mark.at order by seq limit 1000
    )
    insert into study_device (uid, device, ack_seq, seen_at)
    select ${uid}, ${device}, greatest(mark.at, coalesce((select max(seq) from run where shift = run.at), 0)), ${now} from mark
    on conflict (uid, device) do update set ack_seq = excluded.ack_seq, seen_at = excluded.seen_at
    returning ack_seq as ack`.execute(tx)
  return rows[0]?.ack ?? 0
}

/** A page of what changed after the cursor, in the order of the student's revs. */
export async function readChanges(db: Db | Tx, uid: string, cursor: number) {
  const { rows } = await sql<{ rev: number; state: StudyState }>`
    select s.rev, json_build_object(${STATE}) as state
    from study_state s left join answerable a on a.no = s.question_no
    where s.uid = ${uid} and s.rev > ${cursor} order by s.rev limit ${SYNC_PAGE + 1}`.execute(db)
  const page = rows.slice(0, SYNC_PAGE)
  const changes: Change[] = page.map(({ state }) => ({ kind: 'state', state }))
  return { changes, cursor: page.at(-1)?.rev ?? cursor, more: rows.length > SYNC_PAGE }
}
