/** Cache Storage as far as Workbox uses it, for tests outside a browser. */
class MemoryCache {
  readonly #rows = new Map<string, Response>()
  readonly #urlOf = (request: RequestInfo | URL): string => (request instanceof Request ? request.url : String(request))
  readonly match = async (request: RequestInfo | URL): Promise<Response | undefined> =>
    this.#rows.get(this.#urlOf(request))?.clone()
  readonly put = async (request: RequestInfo | URL, response: Response): Promise<void> =>
    void this.#rows.set(this.#urlOf(request), response)
  readonly delete = async (request: RequestInfo | URL): Promise<boolean> => this.#rows.delete(this.#urlOf(request))
  readonly keys = async (): Promise<Request[]> => [...this.#rows.keys()].map((url) => new Request(url))
}

export class MemoryCaches {
  readonly #caches = new Map<string, MemoryCache>()
  readonly open = async (name: string): Promise<MemoryCache> => {
    const cache = this.#caches.get(name) ?? new MemoryCache()
    this.#caches.set(name, cache)
    return cache
  }
  readonly has = async (name: string): Promise<boolean> => this.#caches.has(name)
  readonly delete = async (name: string): Promise<boolean> => this.#caches.delete(name)
  readonly keys = async (): Promise<string[]> => [...this.#caches.keys()]
  readonly match = async (
    request: RequestInfo | URL,
    options?: { cacheName?: string },
  ): Promise<Response | undefined> => {
    for (const [name, cache] of this.#caches) {
      const found = !options?.cacheName || options.cacheName === name ? await cache.match(request) : undefined
      if (found) return found
    }
    return undefined
  }
}
