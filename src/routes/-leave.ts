import { useRouter } from '@tanstack/react-router'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The path of the screen that this one was opened from. */
    from?: string
  }
}

/**
 * The way back that a screen names: to the entry that the student came from, when that is it, with its place in the list and all;
 * else it is opened.
 */
export function useLeave(path: string, open: () => unknown): () => void {
  const { history } = useRouter()
  return () => void (history.location.state.from === path ? history.back() : open())
}
