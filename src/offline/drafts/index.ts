import * as exams from './exam.ts'
import * as forms from './forms.ts'
import type { AnyDraftKey, DraftKind } from './kind.ts'
import * as player from './player.ts'
import * as practice from './practice.ts'
import * as sittings from './sitting.ts'

/** A kind without its type of value. */
export interface AnyDraftKind extends Pick<DraftKind<never>, 'prefix' | 'writtenBy' | 'life'> {
  key: (...names: readonly (string | number | undefined)[]) => AnyDraftKey
  read: (value: unknown) => unknown
}
const isKind = (exported: object): exported is AnyDraftKind => 'prefix' in exported && 'life' in exported

/** All that the record keeps besides ops and what they come to. Screens import their own kinds alone. */
export const DRAFT_KINDS: readonly AnyDraftKind[] = [exams, forms, player, practice, sittings].flatMap((file) =>
  Object.values(file).filter(isKind),
)
