import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Trouble, troubleOf } from '#server/db/troubles.ts'
import { Busy } from './handlers.ts'

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
    if (error instanceof Busy) return reply.code(error.statusCode).header('retry-after', error.afterS).send('Busy')
    const trouble = troubleOf(error)
    if (trouble !== null) {
      logTrouble(request.log, error, trouble)
      const { afterS, text } = ANSWERS[trouble]
      return reply.code(503).header('retry-after', afterS).send(text)
    }
    const status = error.statusCode ?? 500
    if (status >= 500)
      request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed')
    return reply.code(status).send(status >= 500 ? 'Internal Server Error' : 'Bad Request')
  })
}
