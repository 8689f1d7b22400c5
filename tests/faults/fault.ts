/** A slip of the pen that once nothing noticed, or could pass unnoticed again: what it breaks, how it is made, and what must go red. */
export interface Fault {
  /** What the product does wrong with it, in one sentence. */
  breaks: string
  file: string
  /** Stands in the file exactly once. */
  from: string
  to: string
  /** Each of these must fail: a file of tests, and a part of the title of one in it. */
  red: readonly `${string} > ${string}`[]
}
