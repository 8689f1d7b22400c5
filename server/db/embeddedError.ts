/** A fault that the operator can mend; the message says how, in Chinese. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
}
