/** What a study screen shows only after its first question. */
export { Flag, HandInButton } from '#src/player/paper/Exam.tsx'
export { BatchSummary } from './BatchSummary.tsx'
export { Done } from './Done.tsx'
export { HandIn } from './HandIn.tsx'
export { SetupSheet } from './SetupSheet.tsx'
export { SetupTool } from './SetupTool.tsx'
