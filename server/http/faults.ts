import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SERVER_FAULT } from '#src/domain/app/failureWords.ts'
import { type Trouble, troubleOf } from '#server/db/troubles.ts'
import { Busy } from './handlers.ts'

/** Read by a person who opens an address by hand. The app tells a status that is not 200 in its own words (spec §8). */
const TEXTS: Record<number, string> = {
  400: '请求有误，请刷新页面后重试',
  404: '这里没有内容，请返回首页',
  408: '网络太慢，请求没有收完，请稍后再试',
  413: '提交的内容太长，请缩短后再试',
  429: '操作太频繁，请稍后再试',
  414: '这个地址太长，请返回首页',
  431: '请求太长，请返回首页重试',
}
export const textOf = (status: number): string => TEXTS[status] ?? (status >= 500 ? SERVER_FAULT : (TEXTS[400] ?? ''))

const STATUS_OF: Record<string, number> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }
/** Answers what is no request at all, or one that never came to its end: the framework would answer it in English. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const status = STATUS_OF[error.code ?? ''] ?? 400
    const body = textOf(status)
    const head = ['content-type: text/plain; charset=utf-8', `content-length: ${Buffer.byteLength(body)}`]
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, 'connection: close', '', body]
    socket.write(lines.join('\r\n'))
  }
  socket.destroy(error)
}

/** Answers an address that no route can take, such as one with a part that is too long. */
export const answerBadAddress = (error: FastifyError, _: FastifyRequest, reply: FastifyReply): void => {
  const status = error.statusCode ?? 400
  void reply.code(status).type('text/plain; charset=utf-8').send(textOf(status))
}

/** How soon a device asks again, and what a person who reads the answer is told. */
const ANSWERS: Record<Trouble, { afterS: number; text: string }> = {
  away: { afterS: 2, text: '服务器暂时不可用，请稍后再试' },
  full: { afterS: 30, text: '服务器磁盘已满，暂时不能保存，请稍后再试' },
}
const LOGGED: Record<Trouble, string> = {
  away: '数据库暂时连不上，稍后自动重试',
  full: '磁盘已满，写入失败：请清理磁盘，情况见 npm run doctor',
}
/** Thousands of requests meet the same trouble; the log needs it once in a while. */
const LOG_EVERY_MS = 60_000

export type LogTrouble = (log: FastifyBaseLogger, error: unknown, trouble: Trouble) => void
/** Logs each kind of trouble once a minute, however often it is met. */
export function troubleLog(now: () => number): LogTrouble {
  const loggedAt = new Map<Trouble, number>()
  return (log, err, trouble) => {
    if (now() - (loggedAt.get(trouble) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return
    loggedAt.set(trouble, now())
    log.error({ err }, LOGGED[trouble])
  }
}

/**
 * The one place that shapes a fault. A trouble that passes is a 503 with the time to come again, so that a device keeps what it
 * sent; what was not meant for the student is logged with the request's id and hidden.
 */
export function reportErrors(app: FastifyInstance, logTrouble: LogTrouble): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    void reply.type('text/plain; charset=utf-8')
    if (error instanceof Busy)
      return reply.code(error.statusCode).header('retry-after', error.afterS).send(textOf(error.statusCode))
    const trouble = troubleOf(error)
    if (trouble !== null) {
      logTrouble(request.log, error, trouble)
      const { afterS, text } = ANSWERS[trouble]
      return reply.code(503).header('retry-after', afterS).send(text)
    }
    const status = error.statusCode ?? 500
    if (status >= 500)
      request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed')
    return reply.code(status).send(textOf(status))
  })
}
