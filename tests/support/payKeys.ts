import { createSign, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}
export const newKeys = (bits = 2048): KeyPair => generateKeyPairSync('rsa', { modulusLength: bits })

/** RSA with SHA-256, as both providers sign; made without their libraries, so that those are checked by something else. */
export const sign = (text: string, key: KeyObject): string => createSign('RSA-SHA256').update(text).sign(key, 'base64')
export const isSignedBy = (text: string, signature: string, key: KeyObject): boolean =>
  createVerify('RSA-SHA256').update(text).verify(key, signature, 'base64')

export interface Asked {
  method: string
  /** With its query. */
  path: string
  headers: http.IncomingHttpHeaders
  body: string
}
export interface Said {
  status: number
  headers?: Record<string, string>
  body: string
}

/** A server on a free port of this machine that answers as told; null: it never answers. */
export async function listen(
  answer: (asked: Asked) => Said | null,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const said = answer({ method, path, headers, body: Buffer.concat(parts).toString() })
      if (said) response.writeHead(said.status, said.headers).end(said.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
