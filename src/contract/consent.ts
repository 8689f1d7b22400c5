import * as v from 'valibot'
import { AGREEMENT_KINDS, AgreementKind } from './agreement.ts'
import { endpoint } from './endpoint.ts'
import { Count, EpochMs } from './scalar.ts'

/** These versions somebody was shown. */
export const Agreed = v.object({ user: v.optional(Count), privacy: v.optional(Count) })
export type Agreed = v.InferOutput<typeof Agreed>

/** These are off until they are agreed to: messages through the browser's maker, and the nickname in rank lists. */
export const CHOICE_KINDS = ['push', 'rankName'] as const
const ChoiceKind = v.picklist(CHOICE_KINDS)
export type ChoiceKind = v.InferOutput<typeof ChoiceKind>
export const CONSENT_KINDS = [...AGREEMENT_KINDS, ...CHOICE_KINDS] as const
const ConsentKind = v.picklist(CONSENT_KINDS)
export type ConsentKind = v.InferOutput<typeof ConsentKind>

const Consents = v.object({
  /** They are in force, and the student has not agreed to them. */
  asks: v.array(v.object({ kind: AgreementKind, version: Count, changes: v.string() })),
  /** These choices are on. */
  on: v.array(ChoiceKind),
  /** The newest stands first. */
  log: v.array(
    v.object({
      kind: ConsentKind,
      /** Null: it has none. */
      version: v.nullable(Count),
      /** False: it was taken back, or declined. */
      given: v.boolean(),
      at: EpochMs,
      /** Android 手机 · Chrome; '' when nobody can tell. */
      device: v.string(),
    }),
  ),
})
export type Consents = v.InferOutput<typeof Consents>

export const consent = {
  /** Tells what the student has agreed to, and what they are asked for. */
  read: endpoint({
    path: 'consent/read',
    access: 'user',
    keep: 'nowhere',
    input: v.object({}),
    output: Consents,
  }),
  /** Answers what is asked for; whoever declines logs out. */
  answer: endpoint({
    path: 'consent/answer',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ agreed: Agreed, given: v.boolean() }),
    output: Consents,
  }),
  /** Turns a choice on or off. Messages are turned on by `reminder.subscribe`, which says to where they go. */
  choose: endpoint({
    path: 'consent/choose',
    access: 'user',
    keep: 'nowhere',
    input: v.object({ kind: ChoiceKind, given: v.boolean() }),
    output: Consents,
  }),
}
