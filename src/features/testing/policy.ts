import { type SheetPolicy, sheetPolicy } from '#src/sitting/engine/sheetPolicy.ts'

/** A testing is sat by the device's own clock: nobody is ranked by it. Reciting would test nothing. */
export const testingPolicy: SheetPolicy = {
  ...sheetPolicy,
  of: 'testing',
  clock: 'device',
  recites: false,
  reportPath: '/testing/testing_analysis/',
}
