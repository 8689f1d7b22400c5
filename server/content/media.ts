import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Pictures by content hash. SVG may hold script, so it is served in a sandbox where nothing runs. */
export const MEDIA_TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
}

export function serveMedia(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { name: string } }>('/media/:name', async (request, reply) => {
    const { name } = request.params
    const type = MEDIA_TYPES[name.split('.')[1] ?? '']
    const at = path.join(folder, name)
    const found = /^[a-f0-9]{16,64}\.[a-z]+$/.test(name) && type && (await stat(at).catch(() => null))
    if (!found || !found.isFile()) return reply.code(404).type('text/plain; charset=utf-8').send('不存在')
    return reply
      .type(type ?? 'application/octet-stream')
      .header('content-length', found.size)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .send(createReadStream(at))
  })
}
