/** Small things that the browser remembers for us or, where it may not, this page: no screen fails for want of storage. */
function memory(storage: () => Storage) {
  const unkept = new Map<string, string>()
  return {
    get(key: string): string | null {
      try {
        return unkept.get(key) ?? storage().getItem(key)
      } catch {
        return null
      }
    },
    set(key: string, value: string): void {
      unkept.delete(key)
      try {
        storage().setItem(key, value)
      } catch {
        unkept.set(key, value)
      }
    },
  }
}

/** Until somebody clears the browser. */
export const deviceMemory = memory(() => localStorage)
/** Until this tab is closed. */
export const tabMemory = memory(() => sessionStorage)
