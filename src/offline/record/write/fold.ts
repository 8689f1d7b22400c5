import { MEMORY_FIT } from '#src/contract/memoryFit.ts'
import type { DayTotals, StudyState, ThingChange } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { dueDay, type MemoryModel } from '#src/domain/study/review.ts'
import { apply, blankState } from '#src/domain/study/study.ts'
import { addDay, dayOfAnswer, NO_TIME } from '#src/domain/study/days.ts'
import { modelIn } from '#src/domain/study/memoryFit.ts'
import { done } from '#src/offline/device/idb.ts'
import {
  byDevice,
  factOf,
  isQuestionOp,
  momentOf,
  type QuestionOp,
  type StateRow,
  streamOf,
  type ThingRow,
  waitingAbout,
  type WaitingOp,
} from '#src/offline/device/rows.ts'
import { type Deltas, noteView, putSums } from '../sums.ts'

/** How what waits is folded into what the server said. Every function works in a transaction over FOLD. */

export async function stateRow(tx: IDBTransaction, owner: string, questionNo: string): Promise<StateRow> {
  const row: StateRow | undefined = await done(tx.objectStore('states').get([owner, questionNo]))
  return row ?? blankRow(owner, questionNo)
}
const blankRow = (owner: string, questionNo: string): StateRow => ({ owner, questionNo, base: null, view: null })

/** The server has said this just now. */
export interface Said {
  bases: ReadonlyMap<string, StudyState>
  /** Whether a question has no row here for sure, so that none needs to be looked for. */
  isNew: (questionNo: string) => boolean
}

export async function thingRow(
  tx: IDBTransaction,
  owner: string,
  kind: ThingChange['kind'],
  id: string,
): Promise<ThingRow> {
  const row: ThingRow | undefined = await done(tx.objectStore('things').get([owner, kind, id]))
  return row ?? { owner, kind, id, base: null, view: null }
}

/** The student remembers by it, as the server has said: answers of this device are folded by it, too. */
export const readModel = async (tx: IDBTransaction, owner: string): Promise<MemoryModel | undefined> => {
  const { base } = await thingRow(tx, owner, 'setting', MEMORY_FIT)
  return base?.kind === 'setting' ? modelIn(base.body.value) : undefined
}

/** So many rows of states are written before other things have their turn. */
const AT_ONCE = 50

/**
 * Folds what waits into what the server said, for questions of one owner, and brings the sums with them.
 */
export async function refold(
  tx: IDBTransaction,
  owner: string,
  questionNos: Iterable<string>,
  { bases, isNew }: Said = { bases: new Map(), isNew: () => false },
): Promise<void> {
  const deltas: Deltas = new Map()
  const nos = [...questionNos]
  const [waiting, model] = await Promise.all([waitingAbout(tx, owner, nos.map(streamOf)), readModel(tx, owner)])
  const one = async (no: string): Promise<IDBRequest> => {
    const read = isNew(no) ? blankRow(owner, no) : stateRow(tx, owner, no)
    const [ops, known] = await Promise.all([waiting(streamOf(no)), read])
    const row = { ...known, base: bases.get(no) ?? known.base }
    return putView(tx, row, viewOf(row, ops.filter(isQuestionOp), model), deltas)
  }
  for (let i = 0; i < nos.length; i += AT_ONCE) {
    const puts = await Promise.all(nos.slice(i, i + AT_ONCE).map(one))
    // Taps come between: a thousand rows in one go hold a slow phone up for seconds.
    await Promise.all(puts.slice(-1).map(done))
  }
  await putSums(tx, owner, deltas)
}

function viewOf(row: StateRow, ops: readonly QuestionOp[], model: MemoryModel | undefined): StudyState | null {
  const retracted = new Set(ops.flatMap((op) => (op.kind === 'retract' ? [op.payload.target] : [])))
  const sentAlready = new Set<unknown>(retracted)
  for (const op of ops) sentAlready.delete(op.opId)
  // The server's word holds the answer that is taken back: until it says otherwise, the view from before it counts.
  const { before, base } = row
  const start = before && sentAlready.has(before.opId) ? withAnswersOf(base, before.view) : base
  return ops
    .filter((op) => op.kind !== 'retract' && !retracted.has(op.opId))
    .sort(byDevice)
    .reduce<StudyState | null>((state, op) => apply(state, factOf(op), op.place, model), start)
}

/** What was collected, noted or said of the question since then stays. */
function withAnswersOf(base: StudyState | null, before: StudyState | null): StudyState | null {
  if (!base) return before
  const {
    cause: _cause,
    collected: _collected,
    notes: _notes,
    ...answers
  } = before ?? blankState(base.questionNo, base)
  const { cause, collected, notes } = base
  return { ...answers, ...(cause && { cause }), ...(collected && { collected }), ...(notes && { notes }) }
}

/** Writes what screens show of a question, and notes the difference for `putSums`. */
export function putView(tx: IDBTransaction, row: StateRow, view: StudyState | null, deltas: Deltas): IDBRequest {
  const { owner, questionNo, base, before } = row
  const due = view && dueDay(view)
  noteView(deltas, row.view, -1)
  noteView(deltas, view, 1)
  return tx.objectStore('states').put({
    owner,
    questionNo,
    base,
    view,
    ...(before && { before }),
    // For the indexes of the same names.
    ...(due !== null && { due }),
    ...(view?.book && { book: view.chapterNo ?? '' }),
    ...(view?.collected && { collected: Math.max(...view.collected.map(({ at }) => at)) }),
    ...(view?.notes && { noted: Math.max(...view.notes.map(({ at }) => at)) }),
  })
}

/** What an op that begins or ends to wait adds to its day on this device, `sign` times. */
export function ofDay(op: WaitingOp): { day: number; by: DayTotals; sign: 1 | -1 } | null {
  // A row that could not be read any more may say anything.
  const { at } = momentOf(op)
  if (!Number.isFinite(at)) return null
  if (op.kind === 'answer') {
    const spentMs = Number(op.payload.spentMs) || 0
    return { day: dayOf(at), by: dayOfAnswer({ right: op.right, spentMs }), sign: 1 }
  }
  return op.undone ? { day: dayOf(op.undone.at + (op.skewMs ?? 0)), by: dayOfAnswer(op.undone), sign: -1 } : null
}

export interface DayMoves {
  /** Ops that wait from now on. */
  added?: readonly WaitingOp[]
  /** Ops that wait no more. */
  left?: readonly WaitingOp[]
}

/** Moves what waits of each day, and takes the server's word for days. */
export async function putDays(
  tx: IDBTransaction,
  owner: string,
  { added = [], left = [] }: DayMoves,
  bases: readonly ThingChange[] = [],
): Promise<void> {
  const moves = new Map<string, DayTotals>()
  const move = (ops: readonly WaitingOp[], direction: 1 | -1) => {
    for (const op of ops) {
      const of = ofDay(op)
      if (of) moves.set(String(of.day), addDay(moves.get(String(of.day)), of.by, of.sign === direction ? 1 : -1))
    }
  }
  move(added, 1)
  move(left, -1)
  const said = new Map(bases.map((base) => [base.id, base]))
  const one = async (id: string): Promise<void> => {
    const row = await thingRow(tx, owner, 'day', id)
    const base = said.get(id) ?? row.base
    const pending = addDay(row.pending, moves.get(id) ?? NO_TIME)
    const things = tx.objectStore('things')
    if (base || Object.values(pending).some((amount) => amount !== 0)) things.put({ ...row, base, pending })
    else things.delete([owner, 'day', id])
  }
  await Promise.all([...new Set([...moves.keys(), ...said.keys()])].map(one))
}
