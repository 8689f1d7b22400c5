import { createContext } from 'react'

/** The way to the login, for cards of what only a student may see. From above, because these parts know of no session. */
export const LoginContext = createContext<(() => void) | null>(null)
