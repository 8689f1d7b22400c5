import { type DraftKind, readDraft, readDrafts } from '#src/offline/drafts/kind.ts'
import { handedAnswers, lastSitting, type Sitting, sittingAnswers, sittingClock } from '#src/offline/drafts/sitting.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import { offline } from '#src/offline/index.ts'
import type { Policy } from './policy.ts'

/** Sittings of sets and testings are kept under these kinds. */
export const sheetDrafts: Policy<never, Sitting>['drafts'] = {
  begun: ({ itemNo, mode }) => lastSitting.key(itemNo, mode),
  answers: sittingAnswers,
  handed: handedAnswers,
  clock: sittingClock,
}

/** Reads the last sitting of each paper and mode, of sets and testings. */
export const readBegun = async (): Promise<Sitting[]> =>
  (await readDrafts(offline, lastSitting)).map(({ value }) => value)

/** Reads the answers of a sitting from the first of these kinds that holds any. */
export async function readAnswers(kinds: readonly DraftKind<Snapshot>[], id: string): Promise<Snapshot | null> {
  for (const kind of kinds) {
    const saved = await readDraft(offline, kind, kind.key(id))
    if (saved) return saved
  }
  return null
}
