import type { ProviderName } from '#server/db/saleTables.ts'

/**
 * A provider refused, did not answer, or answered what cannot be believed. It is logged, so it says the provider's own word
 * and nothing of what was sent: the libraries' errors hold the request with its signature, and are never handed on.
 */
export class PayFault extends Error {
  override readonly name = 'PayFault'
  readonly code: string
  constructor(provider: ProviderName, call: string, code: string, detail = '') {
    super(`${provider} ${call}: ${code}${detail && ` ${detail.slice(0, 200)}`}`)
    this.code = code
  }
}

/** How long a provider may take for one call. */
export const CALL_MS = 10_000

/** Nobody answered in time. */
export const LATE = 'TIMEOUT'
/** What came did not come from the provider, or is not of this payment. */
export const NOT_THEIRS = 'ANSWER_NOT_VERIFIED'
/** It came from the provider and is not what its documents say. */
export const UNREADABLE = 'ANSWER_NOT_UNDERSTOOD'
