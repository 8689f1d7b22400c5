const urlOf = (request: RequestInfo | URL): string =>
  request instanceof Request ? request.url : new URL(request, globalThis.location?.href).href

function memoryCache() {
  const rows = new Map<string, Response>()
  return {
    match: async (request: RequestInfo | URL): Promise<Response | undefined> => rows.get(urlOf(request))?.clone(),
    put: async (request: RequestInfo | URL, response: Response): Promise<void> =>
      void rows.set(urlOf(request), response),
    addAll: async (requests: RequestInfo[]): Promise<void> => {
      const answers = await Promise.all(requests.map((request) => fetch(urlOf(request))))
      if (answers.some(({ ok }) => !ok)) throw new TypeError('Request failed')
      for (const [i, request] of requests.entries()) rows.set(urlOf(request), answers[i] as Response)
    },
    delete: async (request: RequestInfo | URL): Promise<boolean> => rows.delete(urlOf(request)),
    keys: async (): Promise<Request[]> => [...rows.keys()].map((url) => new Request(url)),
  }
}

/** Cache Storage as far as Workbox and we use it, for tests outside a browser. */
export function memoryCaches() {
  const all = new Map<string, ReturnType<typeof memoryCache>>()
  return {
    open: async (name: string) => {
      const cache = all.get(name) ?? memoryCache()
      all.set(name, cache)
      return cache
    },
    has: async (name: string): Promise<boolean> => all.has(name),
    delete: async (name: string): Promise<boolean> => all.delete(name),
    keys: async (): Promise<string[]> => [...all.keys()],
    match: async (request: RequestInfo | URL, options?: { cacheName?: string }): Promise<Response | undefined> => {
      for (const [name, cache] of all) {
        const found = !options?.cacheName || options.cacheName === name ? await cache.match(request) : undefined
        if (found) return found
      }
      return undefined
    },
  }
}
