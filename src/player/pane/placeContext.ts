import { createContext } from 'react'

/** The analysis stands here, beside the question; null: below it. */
export const PlaceContext = createContext<HTMLElement | null>(null)
