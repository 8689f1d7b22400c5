import type { Attempt } from '#src/contract/attempt.ts'
import { offline } from '#src/offline/index.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import type { Sheet } from './sheet.ts'
import { type OpenedSitting, openHanded, openSitting } from './sitting.ts'

export type Opened =
  | ({
      at: 'sitting'
      /** As it was when the sitting began: a fresher one must not change it under the student's eyes. */
      sheet: Sheet
    } & OpenedSitting)
  /** Only its marks are on this device. */
  | { at: 'record'; attempt: Attempt; sheet: Sheet | null }

/** How a sitting went; null: it is not handed in, as far as this device knows. */
export async function openPast(sheet: Sheet | null, id: string): Promise<Opened | null> {
  const attempts = await offline.things('attempt').catch(() => new Map<string, Attempt>())
  const attempt = attempts.get(id)
  if (!attempt) return null
  const kept = sheet && (await openHanded(sheet, id, attempt))
  return sheet && kept ? { at: 'sitting', sheet, ...kept } : { at: 'record', attempt, sheet }
}

/** The sitting that was left, else a new one; how it went, where another tab has handed it in. @param id of the one that is meant. */
export async function openCurrent(sheet: Sheet, mode: StudyMode, id?: string): Promise<Opened> {
  const found = await openSitting(sheet, mode, id)
  // What the other tab answered is not what this device has kept last.
  const past = found.state.mode === 'review' ? null : await openPast(sheet, found.sitting.id)
  return past ?? { at: 'sitting', sheet, ...found }
}
