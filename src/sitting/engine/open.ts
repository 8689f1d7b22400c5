import { v7 as uuidv7 } from 'uuid'
import type { SittingRecord } from '#src/contract/sitting.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import { readDraft } from '#src/offline/drafts/kind.ts'
import { lastSitting, type Sitting } from '#src/offline/drafts/sitting.ts'
import { offline } from '#src/offline/index.ts'
import { chooseMode } from './chosenMode.ts'
import { type Place, placeOf, type Sheet } from './sheet.ts'
import type { OpenedSheet, SheetPolicy } from './sheetPolicy.ts'
import { begin, openSitting } from './sitting.ts'

export type Opened =
  /** The paper stays as it was when this page opened it: a fresher one must not change under the student's eyes. */
  | ({ at: 'sitting' } & OpenedSheet)
  /** The answers are on another device, and this one knows only the marks. */
  | { at: 'record'; handed: SittingRecord; sheet: Sheet | null }

type At = Omit<Place, 'of'>

/** Begins a new sitting of a set's paper or of a testing, in this mode. */
export async function beginAt(
  policy: SheetPolicy,
  { no: setNo, itemNo }: At,
  mode: StudyMode,
  id: string = uuidv7(),
): Promise<Sitting> {
  await chooseMode(itemNo, mode)
  return begin(policy, { id, of: policy.of, setNo, itemNo, mode, startedAt: Date.now() })
}

/** Opens the sitting that was left on this device, or begins a new one. @param id of the one that is meant, where it is known. */
export async function openLeft(policy: SheetPolicy, sheet: Sheet, mode: StudyMode, id?: string): Promise<OpenedSheet> {
  void offline.prepare()
  const at = placeOf(sheet.ref)
  const left = await readDraft(offline, lastSitting, lastSitting.key(at.itemNo, mode))
  const isMeant = left && (id === undefined || left.id === id)
  return openSitting(policy, sheet, isMeant ? left : await beginAt(policy, at, mode, id))
}

/** Opens a sitting as it was handed in on this device. Returns null if it was not. */
export async function openHanded(
  policy: SheetPolicy,
  sheet: Sheet,
  { id, mode, startedAt }: Pick<Sitting, 'id' | 'mode' | 'startedAt'>,
): Promise<OpenedSheet | null> {
  const { no: setNo, itemNo } = placeOf(sheet.ref)
  const opened = await openSitting(policy, sheet, { id, of: policy.of, setNo, itemNo, mode, startedAt })
  return opened.state.mode === 'review' ? { ...opened, elapsedMs: 0 } : null
}

/** Opens a sitting that is over. Returns null if this device knows of no hand-in. */
export async function openPast(policy: SheetPolicy, sheet: Sheet | null, id: string): Promise<Opened | null> {
  const sittings = await offline.things('attempt').catch(() => new Map<string, SittingRecord>())
  const handed = sittings.get(id)
  if (!handed) return null
  const kept = sheet && (await openHanded(policy, sheet, { ...handed, id }))
  return kept ? { at: 'sitting', ...kept } : { at: 'record', handed, sheet }
}

/** Opens the sitting that was left, or begins a new one; if another tab has handed it in, opens it as past. @param id of the one that is meant. */
export async function openCurrent(policy: SheetPolicy, sheet: Sheet, mode: StudyMode, id?: string): Promise<Opened> {
  const found = await openLeft(policy, sheet, mode, id)
  // The other tab's answers may differ from those that this tab has kept last.
  const past = found.state.mode === 'review' ? null : await openPast(policy, sheet, found.sitting.id)
  return past ?? { at: 'sitting', ...found }
}
