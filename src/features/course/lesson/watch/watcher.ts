import { v7 as uuidv7 } from 'uuid'
import { type Watched, unsentWatching } from '#src/offline/drafts/forms.ts'
import type { DraftKey, DraftOf } from '#src/offline/drafts/kind.ts'
import type { Engine } from '#src/offline/engine.ts'
import {
  beginAt,
  beyond,
  DRAFT_MS,
  isDue,
  jumped,
  pending,
  played,
  type Reason,
  stopped,
  taken,
  untold,
} from './watching.ts'

/** What of the engine it takes to keep what was watched. */
export type WatchDesk = Pick<Engine, 'addAll' | 'saveDraft' | 'dropDraft' | 'drafts' | 'things'>
export interface Clocks {
  /** Epoch ms by the server's clock. */
  now: () => number
  /** Only goes forward. */
  nowMs: () => number
}

type Told = ReturnType<typeof taken>['told'][number]

/** Writes down what of one lesson is played: a draft every 5 s, an op when there is reason to. */
export class Watcher {
  readonly #lesson: { courseNo: string; lessonNo: string }
  readonly #desk: WatchDesk
  readonly #clocks: Clocks
  /** Two tabs with one lesson keep a draft each. */
  readonly #key: DraftKey<Watched>
  readonly #own = new Set<string>()
  #state
  /** These spans are told by ops that are still being written. */
  #onItsWay: readonly Told[] = []
  #keptMs: number
  readonly #onLost: (error: unknown) => void
  #writing: Promise<void> = Promise.resolve()
  /** The device did not keep what was written last. */
  #full = false

  /** @param onLost the device does not keep what is watched; told once, until it does again */
  constructor(
    lesson: { courseNo: string; lessonNo: string; at: number },
    desk: WatchDesk,
    clocks: Clocks,
    onLost: (error: unknown) => void,
  ) {
    const { courseNo, lessonNo, at } = lesson
    this.#lesson = { courseNo, lessonNo }
    this.#desk = desk
    this.#clocks = clocks
    this.#onLost = onLost
    this.#key = unsentWatching.key(lessonNo, uuidv7())
    this.#keptMs = clocks.nowMs()
    this.#state = beginAt(at, this.#keptMs)
  }

  /** This op was made here: its place is no other device's. */
  isOwn(opId: string): boolean {
    return this.#own.has(opId)
  }
  played(at: number): void {
    this.#state = played(this.#state, at)
    const nowMs = this.#clocks.nowMs()
    if (isDue(this.#state, 'played', nowMs)) return void this.flush('played')
    if (nowMs - this.#keptMs < DRAFT_MS) return
    this.#keptMs = nowMs
    const draft = this.#draft()
    void this.#write(() => this.#desk.saveDraft(draft))
  }
  stopped(): void {
    this.#state = stopped(this.#state)
  }
  /** It stands here; what lies between was played, if it was playing. */
  paused(at: number): void {
    if (this.#state.open) this.#state = played(this.#state, at)
    this.#state = jumped(this.#state, at)
  }
  jumped(to: number): void {
    const before = this.#state
    this.#state = jumped(before, to)
    void this.flush('jump')
  }
  /** Resolves when what was watched is on this device as an op. */
  flush(why: Reason): Promise<void> {
    const nowMs = this.#clocks.nowMs()
    if (!isDue(this.#state, why, nowMs)) return this.#writing
    const { told, rest } = taken(this.#state, nowMs)
    this.#state = rest
    this.#keptMs = nowMs
    const acts = told.map((each) => ({
      kind: 'watch' as const,
      opId: this.#ownId(),
      payload: { ...this.#lesson, ...each },
    }))
    const draft = this.#draft()
    // A full device: what it could not keep goes with the next op, should there be room then.
    const lost = () => (this.#state = untold(this.#state, told))
    this.#onItsWay = [...this.#onItsWay, ...told]
    const ended = () => (this.#onItsWay = this.#onItsWay.filter((each) => !told.includes(each)))
    return this.#write(() => this.#desk.addAll(acts, draft).finally(ended), lost)
  }
  /** It stands here, by the student's hand: a place that makes no op yet is kept all the same. */
  stands(): Promise<void> {
    this.#keptMs = this.#clocks.nowMs()
    const draft = this.#draft()
    return this.#write(() => this.#desk.saveDraft(draft))
  }
  /** What is lost if this page ends before it has written; null: all is told. */
  lastWord(): Watched | null {
    // A page that ends takes the transaction with it that has not been committed yet.
    const state = this.#onItsWay.length > 0 ? untold(this.#state, this.#onItsWay) : this.#state
    return isDue(state, 'hidden', 0) ? this.#draft(state).value : null
  }
  /** The lesson is left. */
  async close(): Promise<void> {
    this.stopped()
    await this.flush('leave')
    if (!isDue(this.#state, 'leave', 0)) await this.#write(() => this.#desk.dropDraft(this.#key))
  }

  #ownId(): string {
    const id = uuidv7()
    this.#own.add(id)
    return id
  }
  #draft(state = this.#state): DraftOf<Watched> {
    return { key: this.#key, value: { ...this.#lesson, ...pending(state), at: this.#clocks.now() } }
  }
  /** One after the other, or an older draft would lie over a newer one. */
  #write(act: () => Promise<unknown>, onLost = (): void => {}): Promise<void> {
    const kept = () => void (this.#full = false)
    const lost = (error: unknown) => {
      onLost()
      if (!this.#full) this.#onLost(error)
      this.#full = true
    }
    return (this.#writing = this.#writing.then(act).then(kept, lost))
  }
}

/**
 * What pages that were killed had not told becomes ops: once a start, before a lesson is opened.
 * @param last what the page that ended last had no time to write
 */
export async function recoverWatched(desk: WatchDesk, last: unknown = null): Promise<void> {
  const [drafts, known] = await Promise.all([desk.drafts(unsentWatching.prefix), desk.things('lesson')])
  const values = [...drafts.map(({ value }) => value), last].flatMap((value) => unsentWatching.read(value) ?? [])
  const acts = values
    .sort((a, b) => a.at - b.at)
    .flatMap((draft) => beyond(draft, known.get(draft.lessonNo)).map((payload) => ({ payload, at: draft.at })))
    .map((each) => ({ kind: 'watch' as const, ...each }))
  if (acts.length > 0) await desk.addAll(acts)
  // Those of a page that still plays come again with its next seconds.
  await Promise.all(drafts.map(({ key }) => desk.dropDraft(key as DraftKey<Watched>)))
}
