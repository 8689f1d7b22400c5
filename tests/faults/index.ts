import { contentFaults } from './content.ts'
import { domainFaults } from './domain.ts'
import { examsFaults } from './exams.ts'
import { moneyFaults } from './money.ts'
import { offlineFaults } from './offline.ts'
import { ordersFaults } from './orders.ts'
import { packagesFaults } from './packages.ts'
import { serverFaults } from './server.ts'
import type { Fault } from './fault.ts'

export type { Fault }

/** Grown with every fault that is found: `npm run faults` plants them one at a time. */
export const faults: readonly Fault[] = [
  ...contentFaults,
  ...domainFaults,
  ...examsFaults,
  ...moneyFaults,
  ...offlineFaults,
  ...ordersFaults,
  ...packagesFaults,
  ...serverFaults,
]
