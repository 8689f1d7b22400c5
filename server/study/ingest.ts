import { setTimeout as pause } from 'node:timers/promises'
import type { Verdict } from '#src/contract/study.ts'
import type { Db } from '#server/db/open.ts'
import { Busy } from '#server/http/handlers.ts'
import { heardIn, replacesSeal } from './judgeExam.ts'
import { type Effect, fold, type Folded, readHistory } from './fold.ts'
import { askedBy, type Batch, gather } from './gather.ts'
import { type Judged, judgeAll } from './judge.ts'
import { type Parsed, parse } from './parse.ts'
import { keyOf, type Known, type RevisedRow } from './rows.ts'
import { type Page, pageOf, readKnown, writeBatch } from './store.ts'

/** Batches of one student at the same moment, on two servers: one wins, the others read again, later each time. */
const TRIES = 8
const FIRST_PAUSE_MS = 10

export interface Ingested {
  verdicts: Verdict[]
  /** A page of what changed after the cursor, this batch's own effects among them when it is the last one. */
  page: Page
  ackSeq: number
}

/** Counts for rankings of exams what is due of a student's at a moment, in epoch ms: the exams' own. */
export type CountDue = (uid: string, now: number) => Promise<unknown>

/** Takes a batch: each op once for ever by (student, op id), its effect with it. Verdicts come in the order of `seq`. */
export async function ingest(db: Db, batch: Batch, countDue: CountDue): Promise<Ingested> {
  const ops = parse(batch.ops)
  const asked = askedBy(ops, batch)
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await readKnown(db, batch, asked)
    // What the server has sealed counts now if its ranking has closed meanwhile: what comes here must not be in it.
    if (tries === 0 && replacesSeal(ops, known)) await countDue(batch.uid, batch.now)
    const ingested = await ingestOnce(db, batch, ops, known)
    if (ingested) return ingested
    await pause(Math.random() * FIRST_PAUSE_MS * 2 ** tries)
  }
  throw new Busy({ status: 503, afterS: 5 })
}

/** Returns null where another batch of this student has been written since `known` was read. */
async function ingestOnce(db: Db, batch: Batch, ops: readonly Parsed[], known: Known): Promise<Ingested | null> {
  const gathered = await gather(db, batch, ops, known)
  const judged = judgeAll(ops, batch.now, gathered)
  const history = await readHistory(db, batch.uid, judged, known)
  const folded = fold(judged, known, history, batch.now)
  const isWritten = await write(db, batch, judged, folded, known)
  return isWritten ? answer(batch, judged, folded, known) : null
}

/** Returns false where the record has changed since `known` was read. Where no op is to be stored it writes nothing. */
async function write(
  db: Db,
  { uid, device, now }: Batch,
  judged: readonly Judged[],
  { records, firsts, foretold }: Folded,
  known: Known,
): Promise<boolean> {
  const ops = rowsOf(judged).map((row) => ({ ...row, foretold: foretold.get(row.op_id) ?? null }))
  if (ops.length === 0) return true
  return writeBatch(db, {
    uid,
    device,
    ops,
    records: records.map(({ row }) => row),
    firsts,
    heard: heardIn(judged),
    rev: known.rev,
    marking: known.marking,
    ack: ackAfter(judged, known),
    now,
  })
}

const answer = ({ cursor }: Batch, judged: readonly Judged[], { records }: Folded, known: Known): Ingested => ({
  verdicts: judged.map(({ verdict }) => verdict),
  page: withOwn(known, records, cursor),
  ackSeq: ackAfter(judged, known),
})

const rowsOf = (judged: readonly Judged[]) => judged.flatMap(({ row }) => (row ? [row] : []))
const ackAfter = (judged: readonly Judged[], { ack, seqs }: Known): number =>
  contiguous(ack, [...seqs, ...rowsOf(judged).map(({ seq }) => seq)])

/** The highest seq up to which none is missing. */
function contiguous(from: number, seqs: readonly number[]): number {
  const stored = new Set(seqs)
  let at = from
  while (stored.has(at + 1)) at++
  return at
}

/**
 * What was read, with the rows that this batch has written after it. Their older ones must never be sent: the device would
 * take them for the newest and forget the op that is newer.
 */
function withOwn({ changes, rev }: Known, effects: readonly Effect[], cursor: number): Page {
  const own = new Set(effects.map(({ row }) => keyOf(row)))
  const read = pageOf(changes, cursor)
  const others = (rows: readonly RevisedRow[]) => rows.filter((row) => !own.has(keyOf(row)))
  if (read.more) return { ...read, rows: others(read.rows) }
  return pageOf(
    [...others(changes), ...effects.map(({ row, place }, i) => ({ ...row, place, rev: rev + 1 + i }))],
    cursor,
  )
}
