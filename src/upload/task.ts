import { OfflineError } from '#src/api/errors.ts'
import { PICTURE_MAX_BYTES } from '#src/domain/app/picture.ts'
import type { send } from './cos/cos.ts'
import { ringOfStudent } from './keys.ts'
import { notSent, type Sending, type TaskState, type UploadFault } from './sending.ts'

export interface UploadNow {
  state: TaskState
  /** 0 … 1 */
  part: number
  fault: UploadFault | null
  /** Where the picture is; null until it is there. */
  url: string | null
}
/** What a student can do about it; each does nothing where it makes no sense. */
export interface Upload {
  pause: () => void
  resume: () => void
  /** Goes on with what is there already, where the file is sent in parts. */
  retry: () => void
  /** Gives up, and what is there of the file with it. */
  cancel: () => void
  /** The screen is left: what is there stays for the next time. */
  leave: () => void
}

/** A prevented preload error resolves without a module. */
async function loadClient(): Promise<typeof send> {
  const module: { send: typeof send } | undefined = await import('./cos/cos.ts').catch(() => undefined)
  if (!module) throw new OfflineError('the storage client is not on this device')
  return module.send
}

/**
 * Sends a picture to the storage, under its own name behind the student's prefix.
 * @param file as it is to lie there: made smaller already (picture.ts)
 * @param tell is told of every change, beginning with `waiting`
 */
export function uploadPicture(file: File, tell: (now: UploadNow) => void): Upload {
  let now: UploadNow = { state: 'waiting', part: 0, fault: null, url: null }
  let sending: Sending | null = null
  let turn = 0
  const set = (change: Partial<UploadNow>) => {
    now = { ...now, ...change }
    tell(now)
  }
  const ended = () => now.state === 'success' || now.state === 'canceled'
  const begin = async () => {
    const mine = ++turn
    const inTurn = <A extends unknown[]>(act: (...args: A) => void) => {
      return (...args: A) => void (mine === turn && !ended() && act(...args))
    }
    const fail = inTurn((fault: UploadFault) => set({ state: 'error', fault }))
    set({ state: 'waiting', fault: null, url: null })
    if (file.size > PICTURE_MAX_BYTES) return fail({ kind: 'large' })
    try {
      const ring = ringOfStudent()
      // First, because a network that is gone is found out here: a piece of the app that does not come could mean a new version.
      await ring.take()
      const sendNow = await loadClient()
      const made = await sendNow(file, ring, {
        state: inTurn((state) => set({ state })),
        part: inTurn((part) => set({ part })),
        done: inTurn((url) => set({ state: 'success', part: 1, url })),
        fail,
      })
      if (mine === turn && !ended()) sending = made
      else made.stop('keep')
    } catch (error) {
      fail(notSent(error))
    }
  }
  const stop = (what: 'keep' | 'forget') => {
    if (ended()) return
    turn++
    sending?.stop(what)
    sending = null
    set({ state: 'canceled' })
  }
  void begin()
  return {
    pause: () => {
      if (now.state === 'uploading' || now.state === 'checking') sending?.pause()
    },
    resume: () => {
      if (now.state === 'paused') sending?.resume()
    },
    retry: () => {
      if (now.state !== 'error' && now.state !== 'canceled') return
      sending?.stop('keep')
      sending = null
      void begin()
    },
    cancel: () => stop('forget'),
    leave: () => stop('keep'),
  }
}
