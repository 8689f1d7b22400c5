import { examsFaults } from './exams.ts'
import { moneyFaults } from './money.ts'
import { ordersFaults } from './orders.ts'
import { serverFaults } from './server.ts'
import type { Fault } from './fault.ts'

export type { Fault }

/** Grown with every fault that is found: `npm run faults` plants them one at a time. */
export const faults: readonly Fault[] = [...examsFaults, ...moneyFaults, ...ordersFaults, ...serverFaults]
