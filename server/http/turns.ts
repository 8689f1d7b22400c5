/** Who waits, and who is turned away. */
interface Queue {
  /** So many wait at most. */
  most: number
  /** What is thrown to whoever comes when so many wait. */
  full: () => Error
}
const ENDLESS: Queue = { most: Number.POSITIVE_INFINITY, full: () => new Error('an endless queue is full') }

/** Runs work at once, or first come first served when `atOnce` are running. */
export function turns(atOnce: number, { most, full }: Queue = ENDLESS) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++
    else if (waiting.length >= most) throw full()
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Turns of its own for each key, one at a time; a key that nobody waits for any more is forgotten. */
export function turnsByKey(queue: Queue) {
  const held = new Map<string, { turn: ReturnType<typeof turns>; users: number }>()
  return {
    /** Throws what `queue.full` makes when nobody more could wait now. */
    look(key: string): void {
      if ((held.get(key)?.users ?? 0) > queue.most) throw queue.full()
    },
    async take<T>(key: string, work: () => Promise<T>): Promise<T> {
      const own = held.get(key) ?? { turn: turns(1, queue), users: 0 }
      held.set(key, own)
      own.users++
      try {
        return await own.turn(work)
      } finally {
        if (--own.users === 0) held.delete(key)
      }
    },
  }
}
