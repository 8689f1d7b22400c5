import { threadId } from 'node:worker_threads'

/**
 * Test files are devices of their own, and run in threads of one process, through all of which Node's channels and locks reach:
 * without this, what one file did would be heard in another, even after its page is gone, and one would wait for the other.
 */
const own = (name: string): string => `${name} of thread ${threadId}`

if (typeof BroadcastChannel !== 'undefined')
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(own(name))
    }
  }

// A window of jsdom has no locks.
if ('locks' in navigator) {
  const { locks } = navigator
  const request = locks.request.bind(locks) as (...given: unknown[]) => Promise<unknown>
  Object.assign(locks, { request: (name: string, ...rest: unknown[]) => request(own(name), ...rest) })
}
