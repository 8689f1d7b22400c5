import type { SittingRecord, Earned, ExamSittingRecord, ExamFlag } from '#src/contract/sitting.ts'
import type { OpPayload, ThingChange } from '#src/contract/study.ts'
import type { OpKind } from '#src/contract/sync.ts'
import { isFinal } from './handedIn.ts'
import { byTime, type Moment } from '../study/moment.ts'
import { union } from '../course/watched.ts'

/** Ops that act on no question's state. */
const THING_KINDS = [
  'folder',
  'setting',
  'report',
  'handIn',
  'selfMark',
  'examBegin',
  'examChoice',
  'examHandIn',
  'watch',
  'lessonNote',
] as const satisfies OpKind[]
export type ThingKind = (typeof THING_KINDS)[number]
/** `earned`: the sitting's marks with this op, by domain/paper. `flags`: what the server finds odd; a device finds nothing. */
export type ThingFact = {
  [K in ThingKind]: Moment & { kind: K; payload: OpPayload<K> } & (K extends SittingKind
      ? { earned: Earned }
      : K extends 'examHandIn'
        ? { flags: ExamFlag[] }
        : unknown)
}[ThingKind]
export type SittingKind = 'handIn' | 'selfMark'

/** The thing that an op is about. A report is about nothing before it. */
export function thingOf({ kind, opId, payload }: Pick<ThingFact, 'kind' | 'opId'> & { payload: object }): {
  kind: Exclude<ThingChange['kind'], 'day'>
  id: string
} {
  if ('attemptId' in payload)
    return { kind: kind.startsWith('exam') ? 'exam' : 'attempt', id: String(payload.attemptId) }
  // It names its lesson, too.
  if (kind === 'lessonNote' && 'noteNo' in payload) return { kind, id: String(payload.noteNo) }
  if ('lessonNo' in payload) return { kind: 'lesson', id: String(payload.lessonNo) }
  if (kind === 'folder' && 'no' in payload) return { kind, id: String(payload.no) }
  if (kind === 'setting' && 'name' in payload) return { kind, id: String(payload.name) }
  return { kind: 'report', id: opId }
}

/** The thing after one more op: the newer one's word counts. Null: essays of a sitting that nobody knows. */
export function grown(old: ThingChange | null, fact: ThingFact): ThingChange | null {
  const { at, opId } = fact
  const { id } = thingOf(fact)
  switch (fact.kind) {
    case 'folder':
      return newer(old, { kind: 'folder', id, body: { at, opId, name: fact.payload.name } })
    case 'setting':
      return (isMark(id) ? further : newer)(old, { kind: 'setting', id, body: { at, opId, value: fact.payload.value } })
    case 'report': {
      const { questionNo, reason, text } = fact.payload
      // What the server has said of it stays.
      return old ?? { kind: 'report', id, body: { questionNo, reason, text, at, status: 'received', reply: '' } }
    }
    case 'handIn':
      return old ?? { kind: 'attempt', id, body: handedIn(fact) }
    case 'watch':
      return watchedOn(old, fact)
    case 'lessonNote': {
      const { noteNo: _, ...said } = fact.payload
      return newer(old, { kind: 'lessonNote', id, body: { at, opId, ...said } })
    }
    case 'examBegin':
      return old ?? { kind: 'exam', id, body: begun(fact.payload, at) }
    case 'examChoice':
      return old
    case 'examHandIn':
      return old?.kind === 'exam' && isFinal(old.body) ? old : { kind: 'exam', id, body: sealed(old, fact) }
    case 'selfMark':
      return old?.kind === 'attempt' ? { ...old, body: { ...old.body, ...fact.earned } } : old
  }
}

/** What was watched only grows; where it stands is the newest word. */
function watchedOn(
  old: ThingChange | null,
  { at, opId, payload }: Extract<ThingFact, { kind: 'watch' }>,
): Extract<ThingChange, { kind: 'lesson' }> {
  const { courseNo, lessonNo, watched, position } = payload
  const now = { at, opId, courseNo, position }
  const was = old?.kind === 'lesson' ? old.body : null
  const stands = was && byTime(was, now) > 0 ? was : now
  return { kind: 'lesson', id: lessonNo, body: { ...stands, watched: union(was?.watched ?? [], watched) } }
}

function handedIn({ at, payload, earned }: Extract<ThingFact, { kind: 'handIn' }>): SittingRecord {
  const { paper, mode, tookMs, spentMs } = payload
  return { ...earned, paper, mode, startedAt: Math.max(0, at - tookMs), handedAt: at, spentMs }
}

const begun = ({ exam, rev, mode }: OpPayload<'examBegin'>, startedAt: number): ExamSittingRecord => ({
  exam,
  rev,
  mode,
  startedAt,
  handedAt: null,
  handIn: '',
  hash: '',
  answered: 0,
  elapsedMs: 0,
  spentMs: 0,
  flags: [],
})

function sealed(
  old: ThingChange | null,
  { at, opId, payload, flags }: Extract<ThingFact, { kind: 'examHandIn' }>,
): ExamSittingRecord {
  const { choices, hash, elapsedMs, spentMs } = payload
  // Its begin may be lost, with another device say.
  const { by: _, ...before } = old?.kind === 'exam' ? old.body : begun(payload, Math.max(0, at - elapsedMs))
  // Begun on one device and handed in on another, each dated by its own measure.
  return {
    ...before,
    handedAt: Math.max(at, before.startedAt),
    handIn: opId,
    hash,
    answered: choices.length,
    elapsedMs,
    spentMs,
    flags,
  }
}

/** Settings that say how far a student has read: another device's earlier mark unreads nothing. */
const MARKS: readonly string[] = ['noticesSeen', 'repliesSeen'] satisfies OpPayload<'setting'>['name'][]
const isMark = (name: string): boolean => MARKS.includes(name)

type Setting = Extract<ThingChange, { kind: 'setting' }>
function further(old: ThingChange | null, by: Setting): ThingChange {
  const ahead = old?.kind === 'setting' ? Number(old.body.value) - Number(by.body.value) : -1
  return ahead === 0 ? newer(old, by) : old && ahead > 0 ? old : by
}

const newer = (old: ThingChange | null, by: Extract<ThingChange, { body: Moment }>): ThingChange =>
  old && 'opId' in old.body && byTime(old.body, by.body) > 0 ? old : by
