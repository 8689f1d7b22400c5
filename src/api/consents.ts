import type { QueryClient } from '@tanstack/react-query'
import { agreement, AGREEMENT_KINDS, type AgreementKind } from '#src/contract/agreement.ts'
import { type Agreed, consent } from '#src/contract/consent.ts'
import { query, sharedQuery } from './query.ts'

/** A text is the same for everybody, so whoever has opened it has it, also without a network. @param version none: the one in force */
export const agreementQuery = (kind: AgreementKind, version?: number) =>
  sharedQuery(agreement.read, { kind, ...(version && { version }) })

/** What a student has agreed to is the same whatever they study. */
export const consentsQuery = () => query(consent.read, {}, { area: '', sg_key: '' })

/** Tells the versions that a link to them shows now, and fetches what has not come yet. */
export async function versionsShown(client: QueryClient): Promise<Agreed> {
  const texts = AGREEMENT_KINDS.map(async (kind) => {
    const { version } = await client.ensureQueryData(agreementQuery(kind))
    return [kind, version] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}
