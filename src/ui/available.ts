import { createContext, type ReactNode } from 'react'

/** What this device holds, for cards that must say what it does not. From above, because it comes after the first screen. */
export const AvailableContext = createContext<ReactNode>(null)
