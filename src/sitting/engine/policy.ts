import type { ExamPaper, Window } from '#src/contract/exam.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import type { StudyMode } from '#src/domain/study/modes.ts'
import type { Elapsed } from '#src/offline/drafts/sitting.ts'
import type { DraftKey, DraftKind } from '#src/offline/drafts/kind.ts'
import type { Snapshot } from '#src/offline/drafts/practice.ts'
import type { Act, DeadOp, offline } from '#src/offline/index.ts'
import type { Item, PlayerEvent, PlayerState } from '#src/player/playerState.ts'

/** The engine reads this of a paper, whatever its kind. */
export interface SatPaper extends Pick<Paper | ExamPaper, 'title' | 'partial' | 'sections'> {
  /** The sitting hands itself in after so long; null means never. */
  minutes: number | null
  /** Its end ends every sitting, even one that has minutes left. */
  window?: Window | null
}

/** The engine reads this of a sitting's draft, whatever its kind. */
export interface BaseSitting {
  id: string
  mode: StudyMode
  /** Epoch ms, read from the clock that the policy names. */
  startedAt: number
}

export interface OpenedSitting<P, S> {
  paper: P
  sitting: S
  state: PlayerState
  /** Its clock had come so far when it was written last. */
  elapsedMs: number
}

/** Milliseconds on the sitting's clock: how long it took, and by when everything was chosen that no op holds yet. */
export interface Taken {
  elapsedMs: number
  chosenMs: number
}

/** The side that marks a paper decides what its sittings send, and when. */
export interface Marking<P, S> {
  by: 'device' | 'server'
  /** Hand-ins are ops of this kind. */
  handInKind: 'handIn' | 'examHandIn'
  /** Makes the op that tells the server of a begun sitting; null: the server hears of it with the hand-in. */
  beginAct: ((sitting: S) => Act) | null
  /** Goes on with what was saved, or begins anew if nothing was. */
  restore: (items: readonly Item[], saved: Snapshot | null, sitting: S) => PlayerState | Promise<PlayerState>
  /** Makes the function by which the player writes an answer that it has marked. */
  record: (paper: P, sitting: S) => typeof offline.recordAnswer
  /** Sends choices while the sitting goes on; null: all of them go up with the hand-in. */
  send: ((sitting: S, state: PlayerState, elapsedMs: number) => Promise<SentEvent[]>) | null
  /** Makes what a hand-in writes. @param refused earlier hand-ins of this sitting that the server did not take. */
  handIn: (given: HandingIn<P, S>, refused: readonly DeadOp[]) => Promise<HandedIn>
  /** Runs once the hand-in is on disk; its failure is ignored. */
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
  /** The sitting is looked through in this state from then on. */
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
  /** The sitting is timed by this side's clock; null, or a paper without minutes: it is not timed. */
  clock: 'device' | 'server' | null
  /** The report offers another sitting, which counts as much as this one. */
  again: boolean
  /** A ranked sitting takes no answer any more once its time is over. */
  ranked: boolean
  marked: Marking<P, S>
  /** 背题 is offered while the paper is sat. */
  recites: boolean
  drafts: {
    /** Makes the key under which the last sitting of its paper is kept. */
    begun: (sitting: S) => DraftKey<S>
    answers: DraftKind<Snapshot>
    /** A kind of its own, so that a tab that has it open still cannot write over what was handed in. */
    handed: DraftKind<Snapshot>
    clock: DraftKind<Elapsed>
  }
  /** The label of the button that leaves the sitting. */
  leave: string
  /** Addresses of the report begin with this; null: the sitting's own page shows the report. */
  reportPath: string | null
}
