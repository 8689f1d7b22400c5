import { createHmac, timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { isLessonFile, lessonType } from '#server/http/lessonTypes.ts'
import { sendMedia } from '#server/http/media.ts'
import { textOf } from '#server/http/faults.ts'
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

/** @param what of a lesson its number and rev; a handout's begins with a slash, which no number does. */
const signatureOf = (secret: string, what: string, until: string): string =>
  createHmac('sha256', secret).update(`${what}/${until}`).digest('base64url')

function sign(secret: string, what: string, seconds: number, now: number) {
  const end = Math.ceil(now / 1000) + Math.max(seconds, LEAST_S)
  const until = end.toString(36)
  return { signed: `${until}.${signatureOf(secret, what, until)}`, until: end * 1000 }
}

/**
 * Where a lesson's files are, for a while. The signature stands in the path, so names that a playlist gives relative to itself
 * have it, too.
 */
export function addressOf(secret: string, { lesson, rev, seconds }: Addressed, now: number) {
  const { signed, until } = sign(secret, `${lesson}/${rev}`, seconds + PAUSES_S, now)
  return { base: `/media/lesson/${signed}/${lesson}/${rev}/`, until }
}

/** Where a handout's file is, for a while. */
export function handoutAddress(secret: string, src: string, now: number) {
  const name = path.posix.basename(src)
  const { signed, until } = sign(secret, `/${name}`, 0, now)
  return { src: `/media/handout/${signed}/${name}`, until }
}

/** Seconds that are left of a signed address; 0: it is over, or not one of ours. */
function leftOf(secret: string, signed: string, what: string, now: number): number {
  const [, until = '', signature = ''] = /^([0-9a-z]{1,8})\.([\w-]{43})$/.exec(signed) ?? []
  const right = signatureOf(secret, what, until)
  const same = signature !== '' && timingSafeEqual(Buffer.from(signature), Buffer.from(right))
  return same ? Math.max(0, Number.parseInt(until, 36) - Math.floor(now / 1000)) : 0
}

interface Parts {
  mediaDir: string
  secret: string
  now: () => number
}
const refuse = (reply: FastifyReply, code: number, text: string): FastifyReply =>
  reply.code(code).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)

type Params = { signed: string; lesson: string; rev: string; '*': string }

/** Files of lessons by signed address. Who may have one was decided when the address was made: the database is not asked. */
export function serveLessons(app: FastifyInstance, { mediaDir, secret, now }: Parts): void {
  app.get<{ Params: Params }>('/media/lesson/:signed/:lesson/:rev/*', async (request, reply) => {
    const { signed, lesson, rev, '*': name } = request.params
    const left = leftOf(secret, signed, `${lesson}/${rev}`, now())
    if (left === 0) return refuse(reply, 403, '播放地址已失效，请重新打开这个课时')
    const at = path.join(mediaDir, 'lesson', rev, name)
    const found = isLessonFile(name) && (await stat(at).catch(() => null))
    if (!found || !found.isFile()) return refuse(reply, 404, textOf(404))
    void reply.type(lessonType(name) ?? '').header('cache-control', `private, max-age=${left}`)
    return sendFile(request, reply, { at, size: found.size, etag: `"${rev}"` })
  })
}

/** The same for handouts of courses that are not free: `/media/` itself refuses these (server/http/media.ts). */
export function serveHandouts(app: FastifyInstance, { mediaDir, secret, now }: Parts): void {
  app.get<{ Params: { signed: string; name: string } }>('/media/handout/:signed/:name', async (request, reply) => {
    const { signed, name } = request.params
    const left = leftOf(secret, signed, `/${name}`, now())
    if (left === 0) return refuse(reply, 403, '讲义地址已失效，请从课程里重新打开')
    return sendMedia(request, reply, { folder: mediaDir, name, cache: `private, max-age=${left}` })
  })
}
