import type { ThingChange } from '#src/contract/study.ts'
import { grown, type ThingFact, thingOf } from '#src/domain/record/things.ts'
import { byTime, type Moment } from '#src/domain/study/moment.ts'
import { type DayMoves, putDays, refold, thingRow } from './fold.ts'
import {
  byDevice,
  isQuestionOp,
  measureOf,
  type OwnMeasure,
  thingFactOf,
  waitingIn,
  type WaitingOp,
} from '#src/offline/device/rows.ts'

/** What no first screen needs of folding: what belongs to no question, and many ops at once. */

/**
 * Folds folders, settings, sittings and reports again: the newest of the server's word and what waits.
 * @param moved ops that have come to wait or ceased to.
 */
export async function refoldThings(
  tx: IDBTransaction,
  owner: string,
  moved: readonly WaitingOp[],
  bases: readonly ThingChange[] = [],
): Promise<void> {
  const said = new Map(bases.map((base) => [`${base.kind}:${base.id}`, base]))
  const streams = moved.filter((op) => !isQuestionOp(op)).map(({ stream }) => stream)
  const one = async (stream: string): Promise<void> => {
    const [kind = '', id = ''] = stream.split(/:(.*)/s)
    // Streams of things are made in write.ts only.
    const [row, ops] = await Promise.all([
      thingRow(tx, owner, kind as ThingChange['kind'], id),
      waitingIn(tx, owner, stream),
    ])
    const base = said.get(stream) ?? row.base
    const word = base && 'opId' in base.body ? base.body : null
    const maker = [...ops, ...moved].find(({ opId }) => opId === word?.opId)
    const own = maker ? measureOf(maker) : row.own
    const isOwn = word !== null && own?.opId === word.opId
    const view = inOrder(ops, isOwn ? { word, own } : null).reduce(grown, base)
    tx.objectStore('things').put({ ...row, base, view, ...(isOwn && { own }) })
  }
  await Promise.all([...new Set([...streams, ...said.keys()])].map(one))
}

/**
 * Reads what waits as facts in the order of this device. The server dates an op when it comes, a moment after it was done: what was
 * done in between would seem older than the word it changes, until the server has dated it as well.
 * @param said the server's word, where it is that of an op of this device, and when that was done as the device measures it.
 */
function inOrder(ops: readonly WaitingOp[], said: { word: Moment; own: OwnMeasure } | null): ThingFact[] {
  const facts: ThingFact[] = []
  for (const op of [...ops].sort(byDevice)) {
    const changesIt = said !== null && byDevice(said.own, op) < 0
    const fact = after(thingFactOf(op), facts.at(-1))
    facts.push(changesIt ? after(fact, said.word) : fact)
  }
  return facts
}
const after = (fact: ThingFact, before: Moment | undefined): ThingFact =>
  before && byTime(before, fact) >= 0 ? { ...fact, at: before.at + 1 } : fact

/** Brings everything that ops are folded into up to date, after they have come to wait or ceased to. */
export async function foldMoved(tx: IDBTransaction, owner: string, moves: DayMoves): Promise<void> {
  const ops = [...(moves.added ?? []), ...(moves.left ?? [])]
  await refold(tx, owner, new Set(ops.filter(isQuestionOp).map((op) => op.payload.questionNo)))
  await refoldThings(tx, owner, ops)
  await putDays(tx, owner, moves)
}

/** What an op touches, as listeners are told: a question's number, or a thing's kind. */
export const touchedBy = (op: WaitingOp): string =>
  isQuestionOp(op) ? op.payload.questionNo : thingOf(thingFactOf(op)).kind
