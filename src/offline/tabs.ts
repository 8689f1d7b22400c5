import { createListeners } from './listeners.ts'
import { CHANNEL } from './device/names.ts'

type Message =
  | { type: 'changed'; owner: string; questions: Questions }
  | { type: 'beat'; owner: string }
  | { type: 'logout'; owner: string }

/** Which questions' states changed; null: any. */
export type Questions = readonly string[] | null
const TELL_MS = 500
/** More than these are told as any. */
const MANY = 1_000

/** What changed on this device, told to this page and, by way of the channel, to the student's other tabs. */
export function createTabs(owner: string, now: () => number) {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
  const changes = createListeners<Questions>()
  const foreign = createListeners()
  const beats = createListeners()
  const logouts = createListeners()
  let closed = false
  let settled = new Set<string>()
  let toldAt = 0

  const send = (message: Message): void => {
    if (!closed) channel?.postMessage(message)
  }
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.owner !== owner) return
      if (data.type === 'beat') return beats.tell()
      if (data.type === 'logout') return logouts.tell()
      changes.tell(data.questions)
      foreign.tell()
    }

  const changed = (questions: Questions): void => {
    changes.tell(questions)
    send({ type: 'changed', owner, questions })
  }
  const flush = (): void => {
    const questions = [...settled]
    settled = new Set()
    toldAt = now()
    if (questions.length > 0) changed(questions.length > MANY ? null : questions)
  }
  return {
    changed,
    /** To this page alone: all that is on the screen. */
    changedAll: (): void => changes.tell(null),
    /**
     * Screens read again when told: while thousands of answers go up, twice a second is enough. While a long record comes down
     * page by page they would read most of it again and again, and none of it whole.
     * @param more another page is to come
     */
    settled: (questions: readonly string[], more: boolean): void => {
      for (const question of questions) settled.add(question)
      if (!more && Math.abs(now() - toldAt) >= TELL_MS) flush()
    },
    flush,
    beat: (): void => send({ type: 'beat', owner }),
    logout: (): void => send({ type: 'logout', owner }),
    onChange: changes.add,
    onForeignChange: foreign.add,
    onBeat: beats.add,
    onLogout: logouts.add,
    close: (): void => {
      closed = true
      channel?.close()
    },
  }
}
