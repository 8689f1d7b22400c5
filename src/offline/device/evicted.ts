import { OWNER_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { NOTED_CACHE } from './names.ts'

/** What the record held when it was last looked at. */
export interface Noted {
  /** The seq that was given out last: it only grows, unless the record was begun anew. */
  seq: number
  waiting: number
}

/**
 * How much waits, noted beside the record. A browser that needs room, or a student's cleaning app, may clear the record alone,
 * and the next start would say that all is synced: so what was noted is compared with what is there.
 */
export function createWitness(owner: string) {
  const key = OWNER_KEYS.waiting(owner)
  const address = `/${encodeURIComponent(owner)}`
  const copy = async (): Promise<Cache | null> => (typeof caches === 'undefined' ? null : caches.open(NOTED_CACHE))
  const noted = async (): Promise<Noted | null> => {
    const here = parsed(read(key))
    if (here) return here
    // What clears one kind of storage may leave another.
    const answer = await copy().then((cache) => cache?.match(address))
    return answer ? parsed(await answer.text()) : null
  }
  const keep = (now: Noted): void => write(key, JSON.stringify(now))
  let copied = ''
  const keepCopy = async (now: Noted): Promise<void> => {
    const text = JSON.stringify(now)
    if (text === copied) return
    copied = text
    await copy().then((cache) => cache?.put(address, new Response(text)))
  }
  async function look<C extends Noted>(count: () => Promise<C>): Promise<C> {
    // First: what another tab writes meanwhile has more, never less.
    const before = await noted().catch(() => null)
    const found = await count()
    const now = { seq: found.seq, waiting: found.waiting }
    // Another tab may have missed them in the same moment.
    const isFirst = (parsed(read(key)) ?? before)?.seq === before?.seq
    if (before && isFirst && before.seq > now.seq && before.waiting > 0)
      write(OWNER_KEYS.lost(owner), String(lost(owner) + before.waiting))
    keep(now)
    await keepCopy(now).catch(() => {})
    return found
  }
  let looking: Promise<unknown> = Promise.resolve()
  return {
    /** One after another, so that nothing is missed twice. @param count reads the record. Returns what it says. */
    look<C extends Noted>(count: () => Promise<C>): Promise<C> {
      const next = looking.then(() => look(count))
      looking = next.catch(() => {})
      return next
    },
    /** So many ops more wait, and are on the disk. */
    added(count: number): void {
      const before = parsed(read(key))
      if (before) keep({ seq: before.seq + count, waiting: before.waiting + count })
    },
  }
}

/** Ops of this owner that were cleared before they were sent, and that the student has not been told of. */
export const lost = (owner: string): number => Number(read(OWNER_KEYS.lost(owner))) || 0
export const lostIsTold = (owner: string): void => deviceMemory.remove(OWNER_KEYS.lost(owner))

/** The account is closed: what the browser remembers by its owner's name leaves with everything else (forget.ts). */
export async function forgetNoted(owner: string): Promise<void> {
  if (typeof caches !== 'undefined') await (await caches.open(NOTED_CACHE)).delete(`/${encodeURIComponent(owner)}`)
}

function parsed(text: string | null): Noted | null {
  try {
    const { seq, waiting }: Partial<Noted> = JSON.parse(text ?? 'null') ?? {}
    return Number.isSafeInteger(seq) && Number.isSafeInteger(waiting)
      ? { seq: Number(seq), waiting: Number(waiting) }
      : null
  } catch {
    return null
  }
}
const { get: read, set: write } = deviceMemory
