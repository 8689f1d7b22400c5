import { createHash, createHmac } from 'node:crypto'
import { same } from '#server/outside/same.ts'
import { BucketFault } from './fault.ts'
import type { Keys } from './keys.ts'

/** A request as it came; `host` is ours, not what its sender says it is. */
export interface SignedRequest {
  method: string
  /** `/` and the key, decoded. */
  path: string
  query: readonly [name: string, value: string][]
  headers: Readonly<Record<string, string | undefined>>
  authorization: string
}

/** A clock may be so far behind the sender's, in seconds, before the sender is told to set its own right. */
const LEEWAY_S = 30

/**
 * The signature of Tencent's COS XML API (cloud.tencent.com/document/product/436/7778), as cos-js-sdk-v5 makes it.
 * @param nowS seconds
 * @throws BucketFault
 */
export function checkSignature(request: SignedRequest, keys: Keys, nowS: number): void {
  const given = fieldsOf(request.authorization)
  if (given('q-sign-algorithm') !== 'sha1' || given('q-ak') !== keys.tmpSecretId)
    throw new BucketFault('InvalidAccessKeyId')
  const headers = given('q-header-list').split(';')
  // Else a signature could be carried to another bucket, or a parameter be added to it.
  if (!headers.includes('host')) throw new BucketFault('AccessDenied', 'Host is not signed')
  if (given('q-url-param-list') !== namesOf(request.query).join(';'))
    throw new BucketFault('AccessDenied', 'Parameters are not signed')
  const wanted = signatureOf(request, headers, given('q-sign-time'), given('q-key-time'), keys.tmpSecretKey)
  if (!same(wanted, given('q-signature'))) throw new BucketFault('SignatureDoesNotMatch')
  for (const name of ['q-key-time', 'q-sign-time']) inTime(given(name), nowS)
}

/** A field of the header; '' for one that is not there. */
function fieldsOf(authorization: string): (name: string) => string {
  const given = new Map(
    authorization.split('&').map((field): [string, string] => {
      const at = field.indexOf('=')
      return [field.slice(0, at), field.slice(at + 1)]
    }),
  )
  return (name) => given.get(name) ?? ''
}

/** @param window `from;to` in seconds */
function inTime(window: string, nowS: number): void {
  const [from = Number.NaN, to = Number.NaN] = window.split(';').map(Number)
  if (!(from <= nowS + LEEWAY_S)) throw new BucketFault('RequestTimeTooSkewed')
  if (!(nowS <= to)) throw new BucketFault('AccessDenied', 'Request has expired')
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const lower = (name: string): string => encoded(name).toLowerCase()
type Pairs = readonly [name: string, value: string][]
const sorted = (pairs: Pairs): Pairs =>
  pairs
    .map(([name, value]): [string, string] => [lower(name), encoded(value)])
    .sort(([a], [b]) => (a === b ? 0 : a < b ? -1 : 1))
const namesOf = (pairs: Pairs): string[] => sorted(pairs).map(([name]) => name)
const listed = (pairs: Pairs): string =>
  sorted(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const hmac = (key: string, text: string): string => createHmac('sha1', key).update(text).digest('hex')

function signatureOf(
  { method, path, query, headers }: SignedRequest,
  signed: readonly string[],
  signTime: string,
  keyTime: string,
  secretKey: string,
): string {
  const values = signed.map((name): [string, string] => [name, headers[name] ?? ''])
  const format = [method.toLowerCase(), path, listed(query), listed(values), ''].join('\n')
  const digest = createHash('sha1').update(format).digest('hex')
  return hmac(hmac(secretKey, keyTime), ['sha1', signTime, digest, ''].join('\n'))
}
