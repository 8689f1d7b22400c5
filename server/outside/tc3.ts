import { createHash, createHmac } from 'node:crypto'

const ALGORITHM = 'TC3-HMAC-SHA256'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** A POST to the root of a service of Tencent Cloud. */
export interface Tc3Request {
  secretId: string
  secretKey: string
  service: string
  /** All of them are signed. Names are in small letters; content-type and host must be among them. */
  headers: Record<string, string>
  body: string
  /** Epoch seconds, as the header X-TC-Timestamp says it. */
  timestamp: number
}

/** The header Authorization by Tencent's signature v3 (cloud.tencent.com/document/api/382/52072). */
export function tc3Authorization({ secretId, secretKey, service, headers, body, timestamp }: Tc3Request): string {
  const names = Object.keys(headers).toSorted()
  const signedHeaders = names.join(';')
  const lines = names.map((name) => `${name}:${headers[name]?.trim().toLowerCase()}\n`).join('')
  const request = ['POST', '/', '', lines, signedHeaders, sha256(body)].join('\n')
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const text = [ALGORITHM, timestamp, scope, sha256(request)].join('\n')
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), service), 'tc3_request')
  const signature = hmac(key, text).toString('hex')
  return `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}
