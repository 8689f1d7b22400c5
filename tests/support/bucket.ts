import { createRequire } from 'node:module'
import type SDK from 'cos-js-sdk-v5'
import type { UploadKeys } from '#src/contract/config.ts'
import { contract } from '#src/contract/index.ts'
import type { TestServer } from './server.ts'

/** The SDK itself: its browser file, which signs in Node as it does in a page. */
const COS: typeof SDK = createRequire(import.meta.url)('cos-js-sdk-v5')

/** A JPEG by its first bytes, of a length; `salt` makes another one. */
export function aPicture(size = 2_000, salt = 1): Buffer {
  const bytes = Buffer.alloc(size, salt)
  bytes.set([0xff, 0xd8, 0xff, 0xe0])
  return bytes
}

export interface Asked {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer | string
}
/** The address that the SDK makes of a key. */
export const pathTo = (key: string): string => `/bucket/${key.split('/').map(encodeURIComponent).join('/')}`
const searchOf = (query: Record<string, string>): string => {
  const search = new URLSearchParams(query).toString()
  return search === '' ? '' : `?${search}`
}

/** What the SDK signs an own request with. */
export function signed(
  keys: UploadKeys,
  { method, key, query = {}, headers = {} }: Asked,
  keyTime = `${keys.tempKeys.startTime};${keys.tempKeys.expiredTime}`,
): Record<string, string> {
  const { tmpSecretId, tmpSecretKey, sessionToken } = keys.tempKeys.credentials
  const authorization = COS.getAuthorization({
    SecretId: tmpSecretId,
    SecretKey: tmpSecretKey,
    // The SDK knows no HEAD among its types; any method is signed alike.
    Method: method === 'HEAD' ? 'GET' : method,
    Pathname: `/${key}`,
    Query: query,
    Headers: { Host: 'localhost:80', ...headers },
    KeyTime: keyTime,
  })
  return { host: 'localhost:80', ...headers, authorization, 'x-cos-security-token': sessionToken }
}

export function askBucket(server: TestServer) {
  const send = (asked: Asked, headers: Record<string, string> = {}) =>
    server.app.inject({
      method: asked.method,
      url: pathTo(asked.key) + searchOf(asked.query ?? {}),
      headers,
      ...(asked.body !== undefined && { payload: asked.body }),
    })
  const ask = (keys: UploadKeys, asked: Asked) => {
    const length = asked.body === undefined ? {} : { 'content-length': String(asked.body.length) }
    const full = { ...asked, headers: { ...asked.headers, ...length } }
    return send(full, signed(keys, full))
  }
  return {
    /** As it is, with these headers. */
    send,
    /** Signed by the SDK with the student's keys. */
    ask,
    keysOf: (token: string): Promise<UploadKeys> => server.call(contract.config.getCosImgSig, {}, token),
    put: (keys: UploadKeys, name: string, body: Buffer) =>
      ask(keys, { method: 'PUT', key: keys.cos.prefix + name, body, headers: { 'content-type': 'image/jpeg' } }),
  }
}
/** The text of the first such element. */
export const inXml = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? ''
