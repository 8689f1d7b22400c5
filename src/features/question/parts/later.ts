/** What a study screen shows only after its first question. */
export { BatchSummary } from './BatchSummary.tsx'
export { Done } from './Done.tsx'
export { SetupSheet } from './SetupSheet.tsx'
export { SetupTool } from './SetupTool.tsx'
