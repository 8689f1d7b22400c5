/** A question of a kind that the project has none of; the message says so, in Chinese. */
export class NotHeld extends Error {
  override readonly name = 'NotHeld'
}
