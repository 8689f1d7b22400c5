import { timingSafeEqual } from 'node:crypto'

/** Tells whether two texts are one. The time it takes does not tell how much of a guess was right. */
export const same = (a: string, b: string): boolean => {
  // Bytes and not characters are compared: a guess of as many characters may have more bytes.
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
