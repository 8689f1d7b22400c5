import webPush from 'web-push'
import * as v from 'valibot'
import type { Db } from '#server/db/open.ts'

/** A browser takes messages at this address, and only it can read them, by these keys. */
export interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}
/**
 * `gone`: the browser takes no more messages there. `silent`: the service has not answered in time. `busy`: it is not reached, or cannot take
 * messages for now. `failed`: it refuses this message, and would refuse it again.
 */
export type Pushed = 'sent' | 'gone' | 'failed' | 'silent' | 'busy'
export interface Push {
  /** A browser knows by it who may send it messages. */
  publicKey: string
  /** Tells whether a message may be sent to an address: it came from a browser, or from whoever claims to be one. */
  takes: (endpoint: string) => boolean
  /** @param ttlS how long the service may keep the message for a device that it does not reach */
  send: (to: Subscription, message: string, ttlS: number) => Promise<Pushed>
}

/** Services of the makers of browsers: Chrome and what is built from it, Firefox, Edge, Safari. Their hosts for tests are left out. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^[a-z0-9-]+\.notify\.windows\.com$/,
  /^[a-z0-9-]+\.push\.apple\.com$/,
]
/**
 * Whoever is logged in may name an address that this server then calls: none but those of known services, by https at its own port,
 * so that no name and no number leads into our own network.
 */
export function isPushService(endpoint: string): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return false
  return SERVICES.some((service) => service.test(url.hostname))
}

const Keys = v.pipe(v.string(), v.parseJson(), v.object({ publicKey: v.string(), privateKey: v.string() }))
type Keys = v.InferOutput<typeof Keys>
const KEYS = 'push.keys'
/** The keys by which services know this site, made when they are first asked for: others would end every subscription. */
async function readKeys(db: Db): Promise<Keys> {
  const value = JSON.stringify(webPush.generateVAPIDKeys())
  await db
    .insertInto('setting')
    .values({ key: KEYS, value })
    .onConflict((c) => c.doNothing())
    .execute()
  const row = db.selectFrom('setting').select('value').where('key', '=', KEYS)
  return v.parse(Keys, (await row.executeTakeFirstOrThrow()).value)
}

const CALL_MS = 4_000

export interface PushParts {
  db: Db
  /** Services reach whoever runs this site by its https address. It is left out where there is none. */
  origin?: string | undefined
  /** A test has a service of its own. */
  takes?: ((endpoint: string) => boolean) | undefined
  callMs?: number
}

/** Web Push (RFC 8030, 8291, 8292). */
export async function createPush({ db, origin, takes = isPushService, callMs = CALL_MS }: PushParts): Promise<Push> {
  const keys = await readKeys(db)
  const subject = origin?.startsWith('https:') ? origin : 'mailto:nobody@localhost'
  const requestOf = ({ endpoint, p256dh, auth }: Subscription, message: string, ttlS: number) =>
    webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, message, {
      vapidDetails: { subject, ...keys },
      TTL: ttlS,
      // A newer message takes the place of one that has not come yet.
      topic: 'daily',
      contentEncoding: 'aes128gcm',
    })
  return {
    publicKey: keys.publicKey,
    takes,
    send: async (to, message, ttlS) => {
      // An address that was taken once may be refused by now.
      if (!takes(to.endpoint)) return 'gone'
      let request: webPush.RequestDetails
      try {
        request = requestOf(to, message, ttlS)
      } catch {
        // Keys of the right length that are none.
        return 'gone'
      }
      return post(request, callMs)
    },
  }
}

/** An answer that leads elsewhere is none, and of what it says nothing is read. */
async function post({ endpoint, headers, body }: webPush.RequestDetails, callMs: number): Promise<Pushed> {
  const { 'Content-Length': _, ...sent } = headers
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: sent,
      body: new Uint8Array(body ?? []),
      redirect: 'manual',
      signal: AbortSignal.timeout(callMs),
    })
    await answer.body?.cancel()
    // Others may be our own fault: 400 is a request that is none, and 403 also a clock that goes wrong (RFC 8030, 8292).
    if (answer.status === 404 || answer.status === 410) return 'gone'
    if (answer.status === 429 || answer.status >= 500) return 'busy'
    return answer.ok ? 'sent' : 'failed'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'busy'
  }
}
