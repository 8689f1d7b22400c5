import type { ExamPaper, Window } from '#src/contract/exam.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import type { Elapsed } from '#src/offline/drafts/sitting.ts'
import type { DraftKey, DraftKind } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import type { Act, DeadOp, offline } from '#src/offline/index.ts'
import type { Item, PlayerEvent, PlayerState } from '#src/player/playerState.ts'

/** A paper as it is sat, whatever kind it is of. */
export interface SatPaper extends Pick<Paper | ExamPaper, 'title' | 'partial' | 'sections'> {
  /** When it hands itself in; null: never. */
  minutes: number | null
  /** Ends a sitting that has minutes left. */
  window?: Window | null
}

/** A sitting as the device has it, whatever kind it is of. */
export interface BaseSitting {
  id: string
  mode: StudyMode
  /** Epoch ms by the clock that its policy names. */
  startedAt: number
}

export interface OpenedSitting<P, S> {
  paper: P
  sitting: S
  state: PlayerState
  /** How far its clock had come when it was written last. */
  elapsedMs: number
}

/** How long a sitting has taken, and by when all was chosen that no op holds yet: ms by its clock. */
export interface Taken {
  elapsedMs: number
  chosenMs: number
}

/** Who marks a paper decides what a sitting sends, and when. */
export interface Marking<P, S> {
  by: 'device' | 'server'
  /** The kind of op that hands in. */
  handInKind: 'handIn' | 'examHandIn'
  /** What tells the server that a sitting has begun; null: it hears of it with the hand-in. */
  beginAct: ((sitting: S) => Act) | null
  /** Goes on with what was saved, or begins anew where nothing was. */
  restore: (items: readonly Item[], saved: Snapshot | null, sitting: S) => PlayerState | Promise<PlayerState>
  /** How an answer is written that is marked before or after the hand-in. */
  record: (paper: P, sitting: S) => typeof offline.recordAnswer
  /** Sends choices while the sitting goes on; null: they go up with the hand-in. */
  send: ((sitting: S, state: PlayerState, elapsedMs: number) => Promise<SentEvent[]>) | null
  /** What a hand-in writes. @param refused earlier hand-ins of this sitting that the server did not take. */
  handIn: (given: HandingIn<P, S>, refused: readonly DeadOp[]) => Promise<HandedIn>
  /** What follows once it is on disk. */
  afterwards: ((handed: PlayerState) => Promise<void>) | null
}
export type SentEvent = Extract<PlayerEvent, { type: 'kept' }>
export interface HandingIn<P, S> {
  paper: P
  sitting: S
  state: PlayerState
  taken: Taken
}
export interface HandedIn {
  acts: Act[]
  /** As it is looked through from then on. */
  handed: PlayerState
}

/** All that sets one kind of paper apart from the others: a sitting of any kind is begun, kept, timed and handed in by one engine. */
export interface Policy<P extends SatPaper, S extends BaseSitting> {
  of: 'set' | 'testing' | 'exam'
  /**
   * An exam's paper can be read only from its start on, so it stays with the sitting as it was then, as this kind of draft. Null: the
   * paper is open, and is asked for whenever the sitting is opened.
   */
  sealed: DraftKind<P> | null
  /** Whose time it goes by; null: it has no clock. A paper without minutes has none either. */
  clock: 'device' | 'server' | null
  /** Whether its report offers another sitting, which counts as much as this one. */
  again: boolean
  /** A ranked sitting takes no answer any more once its time is over. */
  ranked: boolean
  marked: Marking<P, S>
  /** Whether its answers can be learned by heart while it is sat. */
  recites: boolean
  drafts: {
    /** Names the sitting that was begun last, by its paper. */
    begun: (sitting: S) => DraftKey<S>
    answers: DraftKind<Snapshot>
    /** Once it is handed in, a tab that has it open still cannot write over what was handed in. */
    handed: DraftKind<Snapshot>
    clock: DraftKind<Elapsed>
  }
  /** What its way out is called. */
  leave: string
  /** Where an address begins that shows how it went; null: the sitting's own page does. */
  reportPath: string | null
}
