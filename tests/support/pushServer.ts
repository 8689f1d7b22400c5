import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushSubscription } from '#src/contract/reminder.ts'

/** A browser was given this. */
export interface Message {
  text: string
  ttl: number
  topic: string
}
export interface Browser {
  subscription: PushSubscription
  messages: Message[]
}
type Answer = { status: number; headers?: Record<string, string> } | 'silent'
export interface PushServer {
  /** The one that messages must be signed by, as a browser is told when it subscribes. */
  browser: (publicKey: string) => Browser
  /** It answers the next messages with this, instead of taking them. */
  answer: (answer: Answer | null) => void
  /** Paths that were asked for, whatever came of it. */
  asked: string[]
  /** Resolves once so many requests have come. */
  heard: (count: number) => Promise<void>
  stop: () => Promise<void>
}

/** A push service and the browsers behind it, as RFC 8030, 8188, 8291 and 8292 say; no line of the product's own library is used. */
export async function startPushServer(): Promise<PushServer> {
  const browsers = new Map<string, { take: (body: Buffer) => string; messages: Message[]; publicKey: string }>()
  const asked: string[] = []
  let answer: Answer | null = null
  let [wanted, reached] = [Infinity, () => {}]
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push(path)
      if (asked.length >= wanted) reached()
      if (answer === 'silent') return
      const browser = browsers.get(path)
      const said = answer ?? { status: browser && isSigned(request, url, browser.publicKey) ? 201 : 403 }
      if (browser && said.status === 201) {
        const { ttl, topic } = request.headers
        browser.messages.push({ text: browser.take(Buffer.concat(parts)), ttl: Number(ttl), topic: String(topic) })
      }
      response.writeHead(said.status, said.headers).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    browser: (publicKey) => {
      const [keys, auth] = [createECDH('prime256v1'), randomBytes(16)]
      const own = keys.generateKeys()
      const path = `/push/${randomBytes(12).toString('hex')}`
      const messages: Message[] = []
      browsers.set(path, { take: (body) => decrypted(body, keys, own, auth), messages, publicKey })
      const subscription = {
        endpoint: url + path,
        p256dh: own.toString('base64url'),
        auth: auth.toString('base64url'),
      }
      return { subscription, messages }
    },
    answer: (next) => {
      answer = next
    },
    asked,
    heard: (count) =>
      new Promise((resolve) => {
        ;[wanted, reached] = [count, resolve]
        if (asked.length >= count) resolve()
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** RFC 8292: a token signed by the key that the browser was told, for this service, for a day at most. */
function isSigned({ headers }: http.IncomingMessage, origin: string, publicKey: string): boolean {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? '') ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  if (key !== publicKey) return false
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const said: { aud: string; exp: number; sub: string } = JSON.parse(Buffer.from(body, 'base64url').toString())
  const left = said.exp - Date.now() / 1000
  return (
    said.aud === origin &&
    left > 0 &&
    left <= 86_400 &&
    /^(mailto|https):/.test(said.sub) &&
    verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  )
}

/** RFC 8291 over one record of RFC 8188. */
function decrypted(body: Buffer, keys: ReturnType<typeof createECDH>, own: Buffer, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body.readUInt8(20))
  const sealed = body.subarray(21 + sender.length)
  const hkdf = (from: Buffer, by: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, length))
  const shared = hkdf(
    keys.computeSecret(sender),
    auth,
    Buffer.concat([Buffer.from('WebPush: info\0'), own, sender]),
    32,
  )
  const key = hkdf(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // Bytes behind the delimiter are padding.
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}
