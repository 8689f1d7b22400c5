import type { JSONColumnType } from 'kysely'
import type { AgreementKind } from '#src/contract/agreement.ts'

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
}
