import type { TestingPaper } from '#src/contract/testing.ts'
import type { Sheet } from '#src/sitting/engine/sheet.ts'

/** A testing as it is sat. */
export const sheetOf = ({ title, partial, rev, sections, minutes, no }: TestingPaper): Sheet => ({
  title,
  partial,
  rev,
  sections,
  minutes,
  locked: 0,
  ref: { of: 'testing', no, rev },
})
/** 背题 is no way to be tested. */
export const TESTING_MODES = ['exam', 'practice'] as const
export type TestingMode = (typeof TESTING_MODES)[number]
export const isTestingMode = (mode: string): mode is TestingMode => TESTING_MODES.some((each) => each === mode)
