import type { FastifyInstance } from 'fastify'
import { BadNotice } from '#server/outside/pay.ts'
import { type Desk, settle } from './payments.ts'
import { changePayment } from './store.ts'

/** Where providers tell us what became of a payment. Whoever else knocks is turned away, whatever they say. */
export function serveNotices(app: FastifyInstance, desk: Desk, now: () => number): void {
  void app.register(async (door) => {
    door.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    door.post<{ Params: { provider: string } }>('/pay/notify/:provider', async (request, reply) => {
      const provider = [...desk.providers.values()].find(({ name }) => name === request.params.provider)
      if (!provider) return reply.code(404).send()
      const answer = async (taken: boolean, status?: number) => {
        const { type, body, ...said } = provider.reply(taken)
        return reply
          .code(status ?? said.status)
          .type(type)
          .send(body)
      }
      try {
        const body = typeof request.body === 'string' ? request.body : ''
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        )
        const notice = await provider.readNotice(headers, body, now())
        if (notice.kind === 'payment') await settle(desk, provider.name, notice.id, notice.standing, now())
        // It may speak of what was given back by hand: the job asks for the refund that is ours.
        else await changePayment(desk.db, notice.id, { refund_at: now() })
        return await answer(true)
      } catch (error) {
        const bad = error instanceof BadNotice
        request.log[bad ? 'warn' : 'error']({ err: error, provider: provider.name }, 'notice not taken')
        return answer(false, bad ? 400 : undefined)
      }
    })
  })
}
