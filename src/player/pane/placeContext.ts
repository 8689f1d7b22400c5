import { createContext } from 'react'

/** Where the analysis stands beside the question; null: below it. */
export const PlaceContext = createContext<HTMLElement | null>(null)
