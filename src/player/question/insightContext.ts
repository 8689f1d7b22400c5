import { createContext, type ReactNode } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'

/** What is known of a marked question besides its key (Insight.tsx). From above, because it comes after the first screen. */
export const InsightContext = createContext<((part: PlainQuestion) => ReactNode) | null>(null)
