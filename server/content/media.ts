import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendFile } from '../http/ranges.ts'

export const PICTURE_TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
}
const TYPES: Record<string, string> = { ...PICTURE_TYPES, pdf: 'application/pdf' }

/**
 * Pictures and documents by content hash. SVG and PDF may hold script, so they are served in a sandbox where nothing runs, for
 * whoever opens one by its own address.
 */
export function serveMedia(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { name: string } }>('/media/:name', async (request, reply) => {
    const { name } = request.params
    const type = TYPES[name.split('.')[1] ?? '']
    const at = path.join(folder, name)
    const found = /^[a-f0-9]{16,64}\.[a-z]+$/.test(name) && type && (await stat(at).catch(() => null))
    if (!found || !found.isFile()) return reply.code(404).type('text/plain; charset=utf-8').send('不存在')
    void reply
      .type(type ?? 'application/octet-stream')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    // No browser's own viewer opens it in our origin: ours shows it (/pdf/…), from its bytes.
    if (type === TYPES.pdf) void reply.header('content-disposition', `attachment; filename="${name}"`)
    // Its name is the hash of its content.
    return sendFile(request, reply, { at, size: found.size, etag: `"${name.split('.')[0]}"` })
  })
}
