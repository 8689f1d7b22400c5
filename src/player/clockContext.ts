import { createContext, type ReactNode } from 'react'

/** It says how much time a sitting has left, for what covers the screen on which that stands. */
export const ClockContext = createContext<ReactNode>(null)
