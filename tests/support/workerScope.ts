/** A FetchEvent as far as Workbox uses one. */
export class WorkerEvent extends Event {
  readonly works: Promise<unknown>[] = []
  readonly waitUntil = (work: Promise<unknown>): void => void this.works.push(work.catch(() => {}))
  /** Resolves when all that the worker still does after its answer is done. */
  async over(): Promise<void> {
    for (let seen = -1; seen < this.works.length;) {
      seen = this.works.length
      await Promise.all(this.works)
    }
  }
}

// What Workbox wants to be there, at import and later: import this before anything of src/sw.
Object.assign(globalThis, {
  self: globalThis,
  __WB_DISABLE_DEV_LOGS: true,
  ExtendableEvent: WorkerEvent,
  FetchEvent: class extends Event {},
})
