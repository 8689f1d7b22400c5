import type { OpPayload, ThingChange } from '../contract/study.ts'
import type { OpKind } from '../contract/sync.ts'
import { byTime, type Moment } from './study.ts'

/** Ops that act on no question's state. */
export const THING_KINDS = ['folder', 'setting', 'report'] as const satisfies (OpKind & ThingChange['kind'])[]
export type ThingKind = (typeof THING_KINDS)[number]
export type ThingFact = { [K in ThingKind]: Moment & { kind: K; payload: OpPayload<K> } }[ThingKind]

/** The thing that an op is about. A report is about nothing before it. */
export function idOf(fact: ThingFact): string {
  if (fact.kind === 'folder') return fact.payload.no
  return fact.kind === 'setting' ? fact.payload.name : fact.opId
}

/** The thing as one op alone would have it. */
export function made(fact: ThingFact): ThingChange {
  const { at, opId } = fact
  const id = idOf(fact)
  switch (fact.kind) {
    case 'folder':
      return { kind: 'folder', id, body: { at, opId, name: fact.payload.name } }
    case 'setting':
      return { kind: 'setting', id, body: { at, opId, value: fact.payload.value } }
    case 'report': {
      const { questionNo, reason, text } = fact.payload
      return { kind: 'report', id, body: { questionNo, reason, text, at, status: 'received', reply: '' } }
    }
  }
}

/** The newer of two, by time; what the server has said of a report stays. */
export function newer(old: ThingChange | null, by: ThingChange): ThingChange {
  if (!old || old.kind !== by.kind) return by
  if (!('opId' in old.body) || !('opId' in by.body)) return old
  return byTime(old.body, by.body) > 0 ? old : by
}
