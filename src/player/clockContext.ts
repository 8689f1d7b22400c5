import { createContext, type ReactNode } from 'react'

/** How much time a sitting has left, for what covers the screen on which it stands. */
export const ClockContext = createContext<ReactNode>(null)
