import type { GeneratedAlways, JSONColumnType } from 'kysely'
import type { AgreementKind } from '#src/contract/agreement.ts'
import type { ConsentKind } from '#src/contract/consent.ts'

export interface AgreementTables {
  /** Never changed: `source` is the operator's own text with its placeholders; null: the product's. */
  agreement: {
    kind: AgreementKind
    version: number
    title: string
    html: string
    source: JSONColumnType<{ title: string; html: string }> | null
    changes: string
    at: number
  }
  /** Rows are only added, and the last of a kind counts. `version` is null for what has none. */
  consent: {
    id: GeneratedAlways<number>
    uid: string
    kind: ConsentKind
    version: number | null
    given: boolean
    at: number
    device: string
  }
}
