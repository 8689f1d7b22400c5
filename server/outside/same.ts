import { timingSafeEqual } from 'node:crypto'

/** Whether two texts are one, without telling by its time how much of a guess was right. */
export const same = (a: string, b: string): boolean => {
  // Bytes and not characters are compared: a guess of as many characters may have more bytes.
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
