import { createHmac, timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { isLessonFile, lessonType } from '#server/content/lessonTypes.ts'
import { sendFile } from '#server/http/ranges.ts'

/** An address outlives the lesson by this much, and lasts at least half an hour: pauses are part of learning. */
const PAUSES_S = 10 * 60
const LEAST_S = 30 * 60

interface Addressed {
  lesson: string
  rev: string
  /** How long the lesson is. */
  seconds: number
}

const signatureOf = (secret: string, lesson: string, rev: string, until: string): string =>
  createHmac('sha256', secret).update(`${lesson}/${rev}/${until}`).digest('base64url')

/**
 * Where a lesson's files are, for a while. The signature stands in the path, so names that a playlist gives relative to itself
 * have it, too.
 */
export function addressOf(secret: string, { lesson, rev, seconds }: Addressed, now: number) {
  const end = Math.ceil(now / 1000) + Math.max(seconds + PAUSES_S, LEAST_S)
  const until = end.toString(36)
  const base = `/media/lesson/${until}.${signatureOf(secret, lesson, rev, until)}/${lesson}/${rev}/`
  return { base, until: end * 1000 }
}

/** The second in which a signed address ends; null: it is not one of ours. */
function endOf(secret: string, signed: string, lesson: string, rev: string): number | null {
  const [, until = '', signature = ''] = /^([0-9a-z]{1,8})\.([\w-]{43})$/.exec(signed) ?? []
  const right = signatureOf(secret, lesson, rev, until)
  const same = signature !== '' && timingSafeEqual(Buffer.from(signature), Buffer.from(right))
  return same ? Number.parseInt(until, 36) : null
}

interface Parts {
  mediaDir: string
  secret: string
  now: () => number
}
type Params = { signed: string; lesson: string; rev: string; '*': string }

/** Files of lessons by signed address. Who may have one was decided when the address was made: the database is not asked. */
export function serveLessons(app: FastifyInstance, { mediaDir, secret, now }: Parts): void {
  app.get<{ Params: Params }>('/media/lesson/:signed/:lesson/:rev/*', async (request, reply) => {
    const { signed, lesson, rev, '*': name } = request.params
    const refuse = (code: number, text: string) =>
      reply.code(code).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)
    const left = (endOf(secret, signed, lesson, rev) ?? 0) - Math.floor(now() / 1000)
    if (left <= 0) return refuse(403, '播放地址已失效，请重新打开这一课')
    const at = path.join(mediaDir, 'lesson', rev, name)
    const found = isLessonFile(name) && (await stat(at).catch(() => null))
    if (!found || !found.isFile()) return refuse(404, '不存在')
    void reply.type(lessonType(name) ?? '').header('cache-control', `private, max-age=${left}`)
    return sendFile(request, reply, { at, size: found.size, etag: `"${rev}"` })
  })
}
