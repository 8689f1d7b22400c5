import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { textOf } from './faults.ts'
import { sendFile } from './ranges.ts'

export const PICTURE_TYPES: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
/** Of a picture's name, as it is served; null: no picture that every browser shows. */
export function pictureEnding(name: string): string | null {
  const ending = path.extname(name).slice(1).toLowerCase().replace('jpeg', 'jpg')
  return Object.hasOwn(PICTURE_TYPES, ending) ? ending : null
}
/** The one kind of recording: every phone plays it. */
export const RECORDING_ENDING = 'mp3'
/** Returns the type of a recording by its name; null: no recording that every browser plays. */
export const recordingEnding = (name: string): string | null =>
  path.extname(name).slice(1).toLowerCase() === RECORDING_ENDING ? RECORDING_ENDING : null
const TYPES: Record<string, string> = { ...PICTURE_TYPES, [RECORDING_ENDING]: 'audio/mpeg', pdf: 'application/pdf' }

const FOR_EVER = 'public, max-age=31536000, immutable'

/**
 * Pictures, recordings and documents by content hash.
 * @param isSold whether a document of `/media/` is had by another address alone.
 */
export function serveMedia(app: FastifyInstance, folder: string, isSold: (src: string) => Promise<boolean>): void {
  app.get<{ Params: { name: string } }>('/media/:name', async (request, reply) => {
    const { name } = request.params
    if (typeOf(name) !== TYPES.pdf || !(await isSold(`/media/${name}`)))
      return sendMedia(request, reply, { folder, name, cache: FOR_EVER })
    void reply.code(403).header('cache-control', 'no-store').type('text/plain; charset=utf-8')
    return reply.send('请从课程里打开这份讲义')
  })
}

const typeOf = (name: string): string | undefined =>
  /^[a-f0-9]{16,64}\.[a-z0-9]+$/.test(name) ? TYPES[name.split('.')[1] ?? ''] : undefined

/** SVG and PDF may hold script, so they are served in a sandbox where nothing runs, for whoever opens one by its own address. */
export async function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, name, cache }: { folder: string; name: string; cache: string },
): Promise<FastifyReply> {
  const type = typeOf(name)
  const at = path.join(folder, name)
  const found = type && (await stat(at).catch(() => null))
  if (!found || !found.isFile()) return reply.code(404).type('text/plain; charset=utf-8').send(textOf(404))
  void reply
    .type(type)
    .header('cache-control', cache)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  // No browser's own viewer opens it in our origin: ours shows it (/pdf/…), from its bytes.
  if (type === TYPES.pdf) void reply.header('content-disposition', `attachment; filename="${name}"`)
  // Its name is the hash of its content.
  return sendFile(request, reply, { at, size: found.size, etag: `"${name.split('.')[0]}"` })
}
