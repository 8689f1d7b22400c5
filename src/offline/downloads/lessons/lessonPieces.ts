import { done } from '#src/offline/device/idb.ts'
import type { LessonRow, PieceRow, SpentRow } from './media.ts'

/** What came of a part that is not whole yet, and what the lesson's download has cost so far. */
export const UNFINISHED = ['pieces', 'spent'] as const

type PieceKey = [owner: string, lesson: string, rev: string, file: string, n: number, at: number, end: number]
const under = (...key: (string | number)[]): IDBKeyRange => IDBKeyRange.bound(key, [...key, []])
const piecesIn = (tx: IDBTransaction): IDBObjectStore => tx.objectStore('pieces')

/** In their order; of a part, of a version or of a whole lesson. */
export const readPieces = (tx: IDBTransaction, ...of: (string | number)[]): Promise<PieceRow[]> =>
  done<PieceRow[]>(piecesIn(tx).getAll(under(...of)))
export const putPiece = (tx: IDBTransaction, piece: PieceRow): Promise<unknown> => done(piecesIn(tx).put(piece))
export const dropPieces = (tx: IDBTransaction, ...of: (string | number)[]): Promise<unknown> =>
  done(piecesIn(tx).delete(under(...of)))

/** What there are pieces of; and how many bytes, by their keys alone. */
export async function weighPieces(tx: IDBTransaction, ...of: string[]): Promise<{ keys: PieceKey[]; bytes: number }> {
  const keys = (await done(piecesIn(tx).getAllKeys(under(...of)))) as PieceKey[]
  return { keys, bytes: keys.reduce((sum, [, , , , , at, end]) => sum + end - at, 0) }
}

/** Bytes that the line has brought for a download, wanted or not, since it was begun. */
export const spentOn = async (tx: IDBTransaction, { owner, lesson }: LessonRow): Promise<number> =>
  (await done<SpentRow | undefined>(tx.objectStore('spent').get([owner, lesson])))?.bytes ?? 0
export const putSpent = (tx: IDBTransaction, { owner, lesson }: LessonRow, bytes: number): Promise<unknown> =>
  done(tx.objectStore('spent').put({ owner, lesson, bytes } satisfies SpentRow))
export const dropSpent = (tx: IDBTransaction, owner: string, ...lesson: string[]): Promise<unknown> =>
  done(tx.objectStore('spent').delete(under(owner, ...lesson)))
