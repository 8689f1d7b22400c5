import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { same } from '#server/outside/same.ts'
import { KEY_SECONDS } from '#server/outside/storage.ts'

/** Whose keys these are. `end` in seconds. */
const Holder = v.object({ uid: v.string(), prefix: v.string(), end: v.number() })
export type Holder = v.InferOutput<typeof Holder>
export interface Keys {
  tmpSecretId: string
  tmpSecretKey: string
  sessionToken: string
}

const mac = (secret: string, what: string, text: string): string =>
  createHmac('sha256', secret).update(`bucket.${what}:${text}`).digest('base64url')
const keysOf = (secret: string, body: string): Keys => ({
  tmpSecretId: `AKID${mac(secret, 'id', body)}`,
  tmpSecretKey: mac(secret, 'key', body),
  sessionToken: `${body}.${mac(secret, 'token', body)}`,
})

/** Nothing is stored: every server that has the secret finds the keys again from the session token. */
export function issueKeys(secret: string, owner: { uid: string; prefix: string }, now: number) {
  const startTime = Math.floor(now / 1000)
  const expiredTime = startTime + KEY_SECONDS
  const holder: Holder = { ...owner, end: expiredTime }
  const credentials = keysOf(secret, Buffer.from(JSON.stringify(holder)).toString('base64url'))
  return { credentials, startTime, expiredTime }
}

/** Null for a token that we have not issued; whether it has ended is the reader's to ask. */
export function readToken(secret: string, token: string): { holder: Holder; keys: Keys } | null {
  const [body = ''] = token.split('.')
  const keys = keysOf(secret, body)
  if (!same(keys.sessionToken, token)) return null
  return { holder: v.parse(Holder, JSON.parse(Buffer.from(body, 'base64url').toString())), keys }
}
