import { threadId } from 'node:worker_threads'

/**
 * Test files are devices of their own, and run in threads of one process, through all of which Node's channels reach: without this,
 * what one file did would be heard in another, even after its page is gone.
 */
if (typeof BroadcastChannel !== 'undefined')
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(`${name} of thread ${threadId}`)
    }
  }
