/** Sends login codes. One interface, so that a provider is a matter of configuration. */
export interface Sms {
  /** Resolves when the provider has taken the message. @throws SmsFault */
  sendCode: (mobile: string, code: string) => Promise<void>
}

/**
 * Why a message was not sent. `unknown` is the one that may still arrive: nobody said what became of it. The others were not sent;
 * all but `failed` are because of the mobile, not of the provider or our account.
 */
export type Unsent = 'failed' | 'unknown' | 'tooSoon' | 'tooMany' | 'tooManyToday' | 'notTaken'

/** A message was not sent. It is logged, so it has the provider's own words and nothing of what was to be sent, or to whom. */
export class SmsFault extends Error {
  override readonly name = 'SmsFault'
  readonly reason: Unsent
  constructor(reason: Unsent, words: string) {
    super(words)
    this.reason = reason
  }
}

/** The default: the code stands in the server's log, for whoever runs the server. No other provider prints one. */
export const consoleSms = (print: (line: string) => void): Sms => ({
  sendCode: async (mobile, code) => print(`短信验证码 ${mobile}: ${code}`),
})
