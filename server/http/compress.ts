import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { FastifyInstance, RequestPayload } from 'fastify'

const MIN_BYTES = 1024
export const GZIP_LEVEL = 5
const compressed = promisify(gzip)

/** Gzips JSON answers of a kilobyte and more, off the event loop. Files are compressed once, by static.ts. */
export function compressJson(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const json = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
    const asked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (!json || !asked || typeof payload !== 'string' || Buffer.byteLength(payload) < MIN_BYTES) return payload
    void reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').removeHeader('content-length')
    return compressed(payload, { level: GZIP_LEVEL })
  })
}

/** Takes forms that come gzipped. The body limit counts what comes out, so a small bomb is refused like a large form. */
export function unpackForms(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _, payload) => {
    if (request.headers['content-encoding'] !== 'gzip') return payload
    const plain: RequestPayload = createGunzip()
    plain.receivedEncodedLength = 0
    payload.on(
      'data',
      (chunk: Buffer) => (plain.receivedEncodedLength = (plain.receivedEncodedLength ?? 0) + chunk.length),
    )
    payload.on('error', (error) => plain.destroy?.(error))
    // Whoever reads the body hears of it by themselves. Where nobody does, it would be nobody's error, and end the server.
    plain.on('error', () => {})
    return payload.pipe(plain as ReturnType<typeof createGunzip>)
  })
}
