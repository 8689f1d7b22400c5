import { createHmac, randomInt } from 'node:crypto'
import { CODE_RANDOM, CODE_SIGNS, codeOf } from '#src/domain/money/couponCode.ts'

export const drawCode = (): string => codeOf(Array.from({ length: CODE_RANDOM }, () => randomInt(CODE_SIGNS.length)))

/** What is kept of a code. Keyed: whoever has read the database alone cannot try words against it. */
export const hashCode = (secret: string, code: string): string =>
  createHmac('sha256', secret).update(`redeem:${code}`).digest('hex')
