import type { Endpoint, Output, Received } from '#src/contract/endpoint.ts'
import type { Scope } from '#src/contract/scalar.ts'

/** What a handler may know of the request. `uid` is a string, not null, where the contract says access: 'user'. */
export interface Ctx<Uid extends string | null = string | null> {
  uid: Uid
  scope: Scope
  /** By which calls are counted: the address, or of IPv6 its network (limits.ts). */
  ip: string
  /** What the browser calls itself (User-Agent); '' for nothing. */
  agent: string
  /** The browser is known by this name from an earlier login; '' when nobody has logged in on it. */
  device: string
  /** Gives the browser such a name, if it has none, and returns it. */
  keepDevice: () => string
  /** The token as sent; '' for none. */
  token: string
  /** The added types of questions that the app can show (contract/addedTypes.ts). */
  types: ReadonlySet<string>
  /** Epoch ms, from the clock the app was built with. */
  now: number
  /** Sets the envelope's `msg`, shown by callers that ask for a success notice. */
  say: (msg: string) => void
}

/** Says no to a well-formed call: envelope status 0. `message` is shown to the student: Chinese, and what to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/**
 * Too many of these calls, from one address or for one student. A device takes it for "later", not for an answer: it keeps what
 * it sent and asks again after so many seconds.
 */
export class Busy extends Error {
  override readonly name = 'Busy'
  readonly statusCode: 429 | 503
  readonly afterS: number
  constructor({ status = 429, afterS = 30 }: { status?: 429 | 503; afterS?: number } = {}) {
    super('too many calls')
    this.statusCode = status
    this.afterS = afterS
  }
}

/**
 * An answer that is JSON text already and was checked against the contract when it was written, so that a hot read is
 * neither parsed nor filtered again.
 */
export class Ready {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

type UidOf<E> = E extends { access: 'user' } ? string : string | null
type Handler<E> = (input: Received<E>, ctx: Ctx<UidOf<E>>) => Promise<Output<E> | Ready> | Output<E> | Ready
/** One handler per endpoint of a contract group: a missing or misshaped one does not compile. */
export type Handlers<Group> = { [Name in keyof Group]: Group[Name] extends Endpoint ? Handler<Group[Name]> : never }
