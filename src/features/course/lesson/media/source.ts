import { onlineManager } from '@tanstack/react-query'
import type { PlayedFile, PlayedMedia, PlayedRendition } from '#src/contract/course.ts'
import type { Opens } from '#src/domain/course/entitlement.ts'
import type { Choice } from '#src/domain/course/quality.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import type { Doors, KeptLesson } from './doors.ts'
import { filesOnDevice, filesOnNetwork } from './files.ts'
import { isPlaylist } from '#src/offline/downloads/lessons/media.ts'
import { ableOf, canPlay, choicesFor, renditionOf } from './rendition.ts'

/**
 * away: there is no network, and nothing of it is here; ended, unconfirmed: it is here and does not open without one; lost: the
 * network went while it was open; fault: the server's; login: who was logged in has to do so again; unplayable: none of its
 * renditions can be played here; broken: it is here and cannot be read; refused: the student may not have it, with what the server says.
 */
export type Trouble =
  | 'away'
  | 'broken'
  | Exclude<Opens, 'open'>
  | 'lost'
  | 'fault'
  | 'login'
  | 'unplayable'
  | { refused: string }
export interface SourceState {
  /** '' before the first one. */
  lessonNo: string
  /** On its way to be played, for the first time or again. */
  busy: boolean
  media: PlayedMedia | null
  /** Qualities that it can be had in over the network, which is what it plays from. */
  choices: readonly Choice<PlayedFile>[]
  /** It plays from this device. */
  kept: KeptLesson | null
  trouble: Trouble | null
}
interface Found {
  media: PlayedMedia
  rendition: PlayedRendition
  kept: KeptLesson | null
}

export const NO_SOURCE: SourceState = { lessonNo: '', busy: true, media: null, choices: [], kept: null, trouble: null }
/** While the network is away it is looked for so often. */
const AGAIN_MS = 8_000
/** It waits and not a byte of its file comes: the connection is dead. Who plays a playlist counts by itself. */
const DEAD_MS = 20_000
/** Openings in a row that came to nothing. */
const PATIENCE = 3

/** Brings lessons to an element, and brings them back when their address has ended or the network has broken. */
export class LessonSource {
  readonly #element: HTMLMediaElement
  readonly #doors: Doors
  readonly #tell: (state: SourceState) => void
  readonly #ended = new AbortController()
  #state = NO_SOURCE
  /** Counts openings: what an older one finds is nobody's any more. */
  #run = 0
  #lessonNo = ''
  #found: Found | null = null
  /** Why it does not play from this device, though it is here. */
  #closed: Exclude<Opens, 'open'> | null = null
  #detach = (): void => {}
  /** Where it goes on, and whether it plays then. */
  #goal = { at: 0, play: false }
  /** What is in the element stands where it should. */
  #settled = false
  #failures = 0
  /** Mains of renditions that failed here. */
  #failed = new Set<string>()
  /** The downloaded copy that failed; '': none did. */
  #failedHere = ''
  #mended = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** It would play and has nothing to play. */
  #waiting = false
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(element: HTMLMediaElement, doors: Doors, tell: (state: SourceState) => void) {
    this.#element = element
    this.#doors = doors
    this.#tell = tell
    const on = (type: string, act: () => void) => element.addEventListener(type, act, { signal: this.#ended.signal })
    on('loadedmetadata', () => this.#settle())
    on('error', () => this.#broke(element.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'media'))
    on('timeupdate', () => this.#goesOn())
    on('playing', () => this.#goesOn())
    on('waiting', () => this.#wait())
    on('progress', () => this.#waiting && this.#wait())
    on('pause', () => this.#stopWaiting())
    on('play', () => this.#state.trouble !== null && this.retry())
    const stop = onlineManager.subscribe((online) => {
      const { trouble } = this.#state
      if (online && typeof trouble === 'string') void this.#begin()
    })
    this.#ended.signal.addEventListener('abort', stop)
  }

  open(lessonNo: string, goal: { at: number; play: boolean }): void {
    this.#release()
    this.#element.removeAttribute('src')
    this.#element.load()
    this.#lessonNo = lessonNo
    this.#goal = goal
    this.#failures = 0
    this.#failed = new Set()
    this.#failedHere = ''
    this.#mended = false
    this.#state = { ...NO_SOURCE, lessonNo }
    void this.#begin()
  }
  /** To a second of it; before it stands anywhere, that is where it will stand. */
  seek(to: number): void {
    const { duration } = this.#element
    const at = Math.max(0, Number.isFinite(duration) ? Math.min(to, duration) : to)
    if (this.#settled) this.#element.currentTime = at
    else this.#aim(at)
  }
  play(): void {
    if (this.#settled) this.#element.play().catch(() => {})
    else this.#goal = { ...this.#goal, play: true }
  }
  /** Another quality is wished for: from the same second. What plays from this device goes on. */
  choose(): void {
    if (!this.#found || this.#found.kept) return
    const { currentTime, paused } = this.#element
    if (this.#settled) this.#goal = { at: currentTime, play: !paused }
    this.#settled = false
    this.#element.pause()
    void this.#begin()
  }
  /** The student asks for it. */
  retry(): void {
    this.#failures = 0
    this.#goal = { ...this.#goal, play: true }
    this.#set({ trouble: null })
    void this.#begin()
  }
  end(): void {
    this.#run += 1
    this.#ended.abort()
    this.#release()
  }

  #aim(at: number): void {
    this.#goal = { ...this.#goal, at }
    if (!this.#found || !isPlaylist(this.#found.rendition)) return
    // What plays it goes to where it was told to begin, whatever is said later: it is opened anew.
    this.#release()
    void this.#begin()
  }

  #set(patch: Partial<SourceState>): void {
    this.#state = { ...this.#state, ...patch }
    this.#tell(this.#state)
  }

  /** What is said of a trouble stays until it plays or the student asks: a card that comes and goes with each try cannot be read. */
  async #begin(): Promise<void> {
    const mine = ++this.#run
    clearTimeout(this.#timer)
    this.#found = null
    this.#set({ busy: this.#state.trouble === null })
    try {
      const found = await this.#find()
      if (mine !== this.#run) return
      this.#found = found
      if (!found) return this.#set({ busy: false, trouble: 'unplayable' })
      const attach = isPlaylist(found.rendition) && ableOf(this.#element).mse ? playlistOf : fileOf
      const put = await attach(found, this.#doors)
      if (mine !== this.#run) return
      this.#release()
      this.#show(found)
      this.#detach = put(this.#element, this.#goal.at, (why) => this.#broke(why))
    } catch (error) {
      if (mine !== this.#run) return
      if (this.#found?.kept) this.#broke('media')
      else this.#stumble(error)
    }
  }

  /** The same lesson at another address is nothing new to a screen: its subtitles stay as they were read. */
  #show({ media, kept }: Found): void {
    const { media: shown, kept: shownKept } = this.#state
    const same = shown?.lesson === media.lesson && shown.rev === media.rev && Boolean(shownKept) === Boolean(kept)
    if (!same) this.#set({ media, kept, choices: kept ? [] : choicesFor(ableOf(this.#element), media) })
  }

  async #find(): Promise<Found | null> {
    const able = ableOf(this.#element)
    const kept = await this.#doors.kept?.(this.#lessonNo).catch(() => null)
    this.#closed = kept && kept.opens !== 'open' ? kept.opens : null
    // Its right ended while it played: nothing is wrong with what is here.
    if (this.#closed) this.#failedHere = ''
    else if (kept && this.#failedHere === copyOf(kept)) this.#mend(kept)
    else if (kept && canPlay(able, kept.rendition, true)) return { media: kept.media, rendition: kept.rendition, kept }
    const media = await this.#doors.ask(this.#lessonNo)
    const rendition = renditionOf(able, media, this.#failed, this.#doors.wish?.() ?? null)
    return rendition ? { media, rendition, kept: null } : null
  }

  /** Once for each opening: a copy that is whole, and that this browser cannot play, would be fetched for ever. */
  #mend(kept: KeptLesson): void {
    if (this.#mended) return
    this.#mended = true
    kept.mend().catch(() => {})
  }

  #release(): void {
    this.#settled = false
    clearTimeout(this.#timer)
    this.#stopWaiting()
    this.#detach()
    this.#detach = () => {}
  }

  #settle(): void {
    if (this.#settled) return
    const { at, play } = this.#goal
    if (Math.abs(this.#element.currentTime - at) > 0.1) this.#element.currentTime = at
    this.#settled = true
    this.#goal = { at, play: false }
    this.#set({ busy: false, trouble: null })
    // Where a browser lets nothing play that was not touched, it stands ready.
    if (play) this.#element.play().catch(() => {})
  }

  #goesOn(): void {
    if (!this.#settled || this.#element.readyState < this.#element.HAVE_FUTURE_DATA) return
    this.#failures = 0
    this.#stopWaiting()
  }

  #wait(): void {
    this.#stopWaiting()
    this.#waiting = true
    if (this.#found && !this.#found.kept && !isPlaylist(this.#found.rendition))
      this.#silence = setTimeout(() => this.#broke('network'), DEAD_MS)
  }
  #stopWaiting(): void {
    this.#waiting = false
    clearTimeout(this.#silence)
  }

  /** What plays, or was to play, cannot go on. Why is found out by asking for the lesson anew. */
  #broke(why: 'network' | 'media'): void {
    const element = this.#element
    if (this.#settled) this.#goal = { at: element.currentTime, play: !element.paused }
    this.#settled = false
    element.pause()
    if (this.#found?.kept) this.#failedHere = copyOf(this.#found.kept)
    // An address that has ended is no media either: only who fails with a fresh one is not asked for again.
    else if (why === 'media' && this.#failures > 0 && this.#found) this.#failed.add(this.#found.rendition.main)
    this.#failures += 1
    if (this.#failures > PATIENCE) this.#stumble(null)
    else void this.#begin()
  }

  /** An opening came to nothing. */
  #stumble(error: unknown): void {
    this.#failures = 0
    const trouble = troubleOf(error, this.#closed ?? this.#silent())
    this.#set({ busy: false, trouble })
    if (typeof trouble === 'string' && trouble !== 'login') this.#timer = setTimeout(() => void this.#begin(), AGAIN_MS)
  }
  /** What it is when nobody answered. */
  #silent(): Trouble {
    if (this.#failedHere !== '') return 'broken'
    return this.#state.media === null ? 'away' : 'lost'
  }
}

/** Which copy it is: an update that has taken its place since has not failed. */
const copyOf = ({ media, rendition }: KeptLesson): string => `${media.rev} ${rendition.main}`

/** @param silent what it is when nobody answered */
function troubleOf(error: unknown, silent: Trouble): Trouble {
  const name = error instanceof Error ? error.name : ''
  if (name === 'RefusedError') return { refused: wordsOf(error) }
  if (name === 'ServerFaultError') return 'fault'
  if (name === 'UnauthorizedError') return 'login'
  return silent
}

/** Puts it into an element, and gives back what takes it out. */
type Put = (element: HTMLMediaElement, at: number, onFatal: (why: 'network' | 'media') => void) => () => void

async function fileOf({ media, rendition, kept }: Found): Promise<Put> {
  const blob = kept && (await kept.file(rendition.main))
  if (kept && !blob) throw new Error(`a downloaded lesson lacks ${rendition.main}`)
  return (element) => {
    const address = blob ? URL.createObjectURL(blob) : media.base + rendition.main
    element.src = address
    return () => {
      if (blob) URL.revokeObjectURL(address)
    }
  }
}

async function playlistOf({ media, rendition, kept }: Found, { ask }: Doors): Promise<Put> {
  const { playHls } = await import('../hls/hls.ts')
  const files = kept ? filesOnDevice(kept) : filesOnNetwork(media, ask)
  return (element, at, onFatal) => playHls(element, { main: rendition.main, files, at }, onFatal)
}
