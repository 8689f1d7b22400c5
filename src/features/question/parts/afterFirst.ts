/** What a study screen shows only after its first question. */
export { Flag } from '#src/player/paper/Exam.tsx'
export { BatchClock } from './BatchClock.tsx'
export { BatchSummary } from './BatchSummary.tsx'
export { Done } from './Done.tsx'
export { HandIn } from './HandIn.tsx'
export { SetupSheet } from './SetupSheet.tsx'
export { BatchSetupSheet, SetupActs } from './SetupActs.tsx'
