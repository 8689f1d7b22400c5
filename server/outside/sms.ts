/** Sends login codes. One interface, so that a provider is a matter of configuration. */
export interface Sms {
  /** Resolves when the provider has taken the message. */
  sendCode: (mobile: string, code: string) => Promise<void>
}

/** The default: the code stands in the server's log, for whoever runs the server. */
export const consoleSms = (print: (line: string) => void): Sms => ({
  sendCode: async (mobile, code) => print(`短信验证码 ${mobile}: ${code}`),
})
