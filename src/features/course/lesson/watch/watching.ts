import type { OpPayload, Thing } from '#src/contract/study.ts'
import { secondsOf, type Span, union } from '#src/domain/course/watched.ts'
import type { Watched } from '#src/offline/drafts/forms.ts'

/**
 * What of a lesson is played, as the events of its element tell it. A second counts when its end is played, so that pieces of a
 * stretch count as the whole of it, wherever it is cut. Moments are those of the lesson, in seconds with fractions.
 */
export interface Watching {
  /** Played and not in an op yet. */
  readonly spans: readonly Span[]
  /** The stretch that is being played, up to where it was heard last; null while it stands. */
  readonly open: { readonly from: number; readonly to: number } | null
  /** Where it stands. */
  readonly at: number
  /** Where it stood when the last op was made, in whole seconds. */
  readonly told: number
  /** When that was, ms of a clock that only goes forward. */
  readonly toldMs: number
}
export type WatchPayload = OpPayload<'watch'>
/** Why an op could be made. */
export type Reason = 'played' | 'jump' | 'pause' | 'end' | 'hidden' | 'leave'

/** With the time between two events of an element, never more than 5 s are lost. */
export const DRAFT_MS = 4_500
const EVERY_MS = 60_000
/** Who searches through a lesson plays a moment here and there: these make no ops, they go with the next one. */
const JUMP_S = 5
/** As the contract has it. */
const MAX_SPANS = 100
const MAX_S = 86_400

const whole = (at: number): number => Math.min(MAX_S, Math.max(0, Math.floor(at)))
const spansOf = ({ spans, open }: Watching): Span[] => union(spans, open ? [[whole(open.from), whole(open.to)]] : [])

/** @param nowMs of a clock that only goes forward */
export const beginAt = (at: number, nowMs: number): Watching => ({
  spans: [],
  open: null,
  at,
  told: whole(at),
  toldMs: nowMs,
})

/** It plays, and has come to here. Without a jump in between, all that lies before was played, however late this is told. */
export function played(old: Watching, at: number): Watching {
  if (!Number.isFinite(at)) return old
  const { open } = old
  if (!open) return { ...old, open: { from: at, to: at }, at }
  // Back without a word: a loop, or a source that was opened again.
  if (at < open.to) return { ...stopped(old), open: { from: at, to: at }, at }
  return { ...old, open: { from: open.from, to: at }, at }
}

/** It stands: paused, stalled, at its end. */
export const stopped = (old: Watching): Watching => ({ ...old, spans: spansOf(old), open: null })

/** Somewhere else; what lies between was not played. */
export const jumped = (old: Watching, to: number): Watching =>
  Number.isFinite(to) ? { ...stopped(old), at: to } : stopped(old)

/** Whether an op is to be made now. */
export function isDue(state: Watching, why: Reason, nowMs: number): boolean {
  const seconds = secondsOf(spansOf(state))
  if (why === 'played') return seconds > 0 && nowMs - state.toldMs >= EVERY_MS
  if (why === 'jump') return seconds >= JUMP_S
  return seconds > 0 || whole(state.at) !== state.told
}

/** What is to be told of it, in as many ops as the contract asks for; and what stays. */
export function taken(
  old: Watching,
  nowMs: number,
): { told: Pick<WatchPayload, 'watched' | 'position'>[]; rest: Watching } {
  const spans = spansOf(old)
  const position = whole(old.at)
  const told = [{ watched: spans.slice(0, MAX_SPANS), position }]
  for (let i = MAX_SPANS; i < spans.length; i += MAX_SPANS)
    told.push({ watched: spans.slice(i, i + MAX_SPANS), position })
  // From where it was heard last, with its fraction: the second that is cut here counts when its end is played.
  const open = old.open && { from: old.open.to, to: old.open.to }
  return { told, rest: { ...old, spans: [], open, told: position, toldMs: nowMs } }
}

/** Ops that could not be written: what they told is to be told again. */
export const untold = (state: Watching, told: readonly Pick<WatchPayload, 'watched'>[]): Watching => ({
  ...state,
  spans: union(state.spans, ...told.map(({ watched }) => watched)),
  told: -1,
})

/** What a kill may not take. A draft has no bound of spans: it is this device's own. */
export const pending = (state: Watching): Pick<WatchPayload, 'watched' | 'position'> => ({
  watched: spansOf(state),
  position: whole(state.at),
})

/** What a draft holds beyond the record, as payloads of ops. Its place counts only if nothing newer is known. */
export function beyond(draft: Watched, known: Thing<'lesson'> | undefined): WatchPayload[] {
  const { courseNo, lessonNo, watched } = draft
  const position = known && known.at >= draft.at ? known.position : draft.position
  const before = known?.watched ?? []
  if (position === known?.position && secondsOf(union(before, watched)) === secondsOf(before)) return []
  if (!known && position === 0 && watched.length === 0) return []
  const { told } = taken({ ...beginAt(position, 0), spans: union(watched) }, 0)
  return told.map((each) => ({ courseNo, lessonNo, ...each }))
}

/** Credits and silence: who was here has seen it all. */
export const isAtEnd = (position: number, seconds: number): boolean =>
  position >= seconds - Math.min(10, Math.max(1, seconds * 0.05))

/** Where to go on: a lesson that was finished begins anew. */
export const resumeAt = (position: number, seconds: number): number => (isAtEnd(position, seconds) ? 0 : position)
