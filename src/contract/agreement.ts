import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { Count, EpochMs, Html } from './scalar.ts'

export const AGREEMENT_KINDS = ['user', 'privacy'] as const
export const AgreementKind = v.picklist(AGREEMENT_KINDS)
export type AgreementKind = v.InferOutput<typeof AgreementKind>

const Version = v.object({
  version: Count,
  /** Since when it is the one in force. */
  at: EpochMs,
  /** It says what is other than in the version before; '' for the first. */
  changes: v.string(),
})
const Agreement = v.object({
  ...Version.entries,
  title: v.string(),
  html: Html,
  /** It lists all there ever were, this one among them, the newest first. */
  versions: v.array(Version),
})
export type Agreement = v.InferOutput<typeof Agreement>

export const agreement = {
  /** 用户协议 or 隐私政策: the version in force, or an earlier one. */
  read: endpoint({
    path: 'agreement/read',
    access: 'open',
    keep: 'worker',
    input: v.object({ kind: AgreementKind, version: v.optional(Count) }),
    output: Agreement,
  }),
}
