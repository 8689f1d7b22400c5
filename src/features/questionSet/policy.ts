import { type SheetPolicy, sheetPolicy } from '#src/sitting/engine/sheetPolicy.ts'

/** A set's paper is sat for practice: without a clock, and its answers can be learned by heart. */
export const setPolicy: SheetPolicy = { ...sheetPolicy, of: 'set', clock: null, recites: true, reportPath: null }
