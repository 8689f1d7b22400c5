import type { ThingChange } from '#src/contract/study.ts'
import { grown, thingOf } from '#src/domain/record/things.ts'
import { type DayMoves, putDays, refold, thingRow } from './fold.ts'
import { isQuestionOp, thingFactOf, waitingIn, type WaitingOp } from '#src/offline/device/rows.ts'

/** What no first screen needs of folding: what belongs to no question, and many ops at once. */

/** Folds folders, settings, sittings and reports again: the newest of the server's word and what waits. */
export async function refoldThings(
  tx: IDBTransaction,
  owner: string,
  streams: Iterable<string>,
  bases: readonly ThingChange[] = [],
): Promise<void> {
  const said = new Map(bases.map((base) => [`${base.kind}:${base.id}`, base]))
  const one = async (stream: string): Promise<void> => {
    const [kind = '', id = ''] = stream.split(/:(.*)/s)
    // Streams of things are made in write.ts only.
    const [row, ops] = await Promise.all([
      thingRow(tx, owner, kind as ThingChange['kind'], id),
      waitingIn(tx, owner, stream),
    ])
    const base = said.get(stream) ?? row.base
    const view = ops.map(thingFactOf).reduce(grown, base)
    tx.objectStore('things').put({ ...row, base, view })
  }
  await Promise.all([...new Set([...streams, ...said.keys()])].map(one))
}

/** Brings everything that ops are folded into up to date, after they have come to wait or ceased to. */
export async function foldMoved(tx: IDBTransaction, owner: string, moves: DayMoves): Promise<void> {
  const ops = [...(moves.added ?? []), ...(moves.left ?? [])]
  await refold(tx, owner, new Set(ops.filter(isQuestionOp).map((op) => op.payload.questionNo)))
  await refoldThings(tx, owner, new Set(ops.filter((op) => !isQuestionOp(op)).map((op) => op.stream)))
  await putDays(tx, owner, moves)
}

/** What an op touches, as listeners are told: a question's number, or a thing's kind. */
export const touchedBy = (op: WaitingOp): string =>
  isQuestionOp(op) ? op.payload.questionNo : thingOf(thingFactOf(op)).kind
