import { createContext } from 'react'

/** It closes 更多, whose acts all lead away from it. */
export const DoneContext = createContext<() => void>(() => {})
