import { hash as digest } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ExamSittingRecord, ExamHandIn } from '#src/contract/sitting.ts'
import { allowedMs, isInTime, sealText } from '#src/domain/paper/exam.ts'
import { storable } from '#src/domain/text/storable.ts'
import type { Db } from '#server/db/open.ts'
import { type HandedIn, SERVER_DEVICE } from '#server/exam/store.ts'
import type { RecordRow } from './rows.ts'
import { folding } from './store.ts'

/** Phones that hand in at the last second come first: it spares their students a hand-in that is replaced at once. */
const AFTER_MS = 120_000
const CHUNK = 50

type Choice = HandedIn['choices'][number] & { opId: string }
/** A sitting that is open although the window of its exam has ended. */
interface OpenSitting {
  uid: string
  attemptId: string
  record: ExamSittingRecord
  minutes: number
  window: NonNullable<HandedIn['window']>
  /** Of the student's record, as it was read. */
  rev: number
  /** In the order in which they were made. */
  choices: Choice[]
}
export interface SealWalk {
  /** Epoch ms. */
  now: number
  /** The server is to end: what is under way is finished, nothing is begun. */
  stop: AbortSignal
  /** Told of a student whose sitting could not be sealed this time. */
  failed: (error: unknown, uid: string) => void
}

/**
 * Hands in what students have left open when the window of its exam ended, from what has arrived of it. What the device hands in
 * later takes its place. A student of whom something arrives at the same moment has their turn the next time. Resolves when all of
 * them had one; doing it again changes nothing.
 */
export async function sealEndedExams(db: Db, { now, stop, failed }: SealWalk): Promise<void> {
  let after: Pick<OpenSitting, 'uid' | 'attemptId'> | null = { uid: '', attemptId: '' }
  while (after && !stop.aborted) {
    const open: OpenSitting[] = await readOpen(db, now - AFTER_MS, after)
    for (const sitting of open) {
      if (stop.aborted) return
      await writeSeal(db, sitting, now).catch((error: unknown) => failed(error, sitting.uid))
    }
    after = open.length < CHUNK ? null : (open.at(-1) ?? null)
  }
}

async function readOpen(
  db: Db,
  endedBy: number,
  { uid, attemptId }: Pick<OpenSitting, 'uid' | 'attemptId'>,
): Promise<OpenSitting[]> {
  // Only of a paper that there was, and of who had applied: nothing else would ever be marked.
  const { rows } = await sql<OpenSitting>`
    select r.uid, r.id as "attemptId", r.body as record, p.minutes, s.study_rev as rev,
      json_build_object('from', x.starts_at, 'to', x.ends_at) as window,
      coalesce((select json_agg(json_build_object('opId', o.op_id, 'questionNo', o.payload ->> 'questionNo',
          'response', o.payload -> 'response', 'spentMs', o.payload -> 'spentMs', 'elapsedMs', o.payload -> 'elapsedMs')
          order by o.effective_at, o.op_id)
        from study_op o where o.uid = r.uid and o.kind = 'examChoice' and o.verdict = 'applied'
          and o.payload ->> 'attemptId' = r.id), '[]') as choices
    from exam x join study_record r on r.kind = 'exam' and r.body ->> 'handedAt' is null and r.body ->> 'exam' = x.no
    join exam_paper p on p.exam_no = x.no and p.rev = r.body ->> 'rev'
    join exam_apply a on a.exam_no = x.no and a.uid = r.uid
    join student s on s.uid = r.uid
    where x.ends_at <= ${endedBy} and (r.uid, r.id) > (${uid}, ${attemptId})
    order by r.uid, r.id limit ${CHUNK}`.execute(db)
  return rows
}

/** The last choice to each question that was made in time. */
function lastInTime({ choices }: OpenSitting, allowed: number): Choice[] {
  const inTime = choices.filter(({ elapsedMs }) => isInTime(elapsedMs, allowed))
  return [...new Map(inTime.map((choice) => [choice.questionNo, choice])).values()]
}

/** As its device would have handed it in with the time it ran out. */
function handInOf(sitting: OpenSitting): { at: number; payload: ExamHandIn } {
  const { attemptId, record, window } = sitting
  const { exam, rev, mode, startedAt } = record
  const allowed = mode === 'exam' ? allowedMs(sitting, startedAt) : Number.POSITIVE_INFINITY
  const given = lastInTime(sitting, allowed)
  const elapsedMs = mode === 'exam' ? allowed : Math.max(0, ...given.map((choice) => choice.elapsedMs))
  const payload = {
    attemptId,
    exam,
    rev,
    mode,
    choices: given.map(({ opId }) => opId),
    hash: digest('sha256', sealText(attemptId, given)),
    elapsedMs,
    spentMs: given.reduce((sum, { spentMs }) => sum + spentMs, 0),
  }
  return { at: Math.max(startedAt, mode === 'exam' ? startedAt + allowed : window.to), payload }
}

/** The hand-in, its effect and what the ranking knows of it in one statement, if nothing of this student's has come meanwhile. */
async function writeSeal(db: Db, sitting: OpenSitting, now: number): Promise<void> {
  const { uid, attemptId, record, rev, window } = sitting
  const { at, payload } = handInOf(sitting)
  const opId = uuidv7()
  const { hash, choices, elapsedMs, spentMs } = payload
  const body: ExamSittingRecord = {
    ...record,
    handedAt: at,
    handIn: opId,
    hash,
    answered: choices.length,
    elapsedMs,
    spentMs,
    flags: [],
    by: 'server',
  }
  const row: RecordRow = { kind: 'exam', id: attemptId, lastAt: at, lastOp: opId, body }
  await sql`
    with moved as (
      update student set study_rev = ${rev + 1} where uid = ${uid} and study_rev = ${rev} returning uid
    ), written as (
      insert into study_op (uid, op_id, device, seq, stream, kind, v, payload, payload_hash, ctx, client_at, effective_at, verdict, created_at)
      select moved.uid, ${opId}::uuid, ${SERVER_DEVICE}::uuid, 0, ${`exam:${attemptId}`}, 'examHandIn', 1, ${storable(payload)}::jsonb,
        '', '{}'::jsonb, ${at}::bigint, ${at}::bigint, 'applied', ${now}::bigint from moved
    ), folded as (${folding([row], rev)}), held as (
      update exam_entry e set handed_at = ${window.to}, held = true from moved
      where e.exam_no = ${record.exam} and e.uid = moved.uid and e.attempt_id = ${attemptId} and e.handed_at is null
    )
    select uid from moved`.execute(db)
}
