/** Who wants to hear of one kind of news. */
export function createListeners<T = void>() {
  const listeners = new Set<(news: T) => void>()
  return {
    tell: (news: T): void => {
      for (const listener of listeners) listener(news)
    },
    /** Returns the way to stop. */
    add: (listener: (news: T) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
