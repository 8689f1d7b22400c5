import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as v from 'valibot'
import type { Db } from '#server/db/open.ts'
import { BadNotice, type Notice, type PayProvider, type Standing } from './pay.ts'
import { same } from './same.ts'

/** A notice as it goes over the wire. */
export interface SignedNotice {
  headers: Record<string, string>
  body: string
}
export interface SandboxOptions {
  db: Db
  secret: string
  /** Brings a notice to our own door; false: it was not taken, and comes again. */
  deliver: (notice: SignedNotice) => Promise<boolean>
  /** Epoch ms. */
  now: () => number
  failed: (error: unknown) => void
}
type Act = 'pay' | 'fail' | 'cancel'
export interface Sandbox extends PayProvider {
  /** Null: the address is not one that we gave out. */
  show: (id: string, sign: string) => Promise<{ title: string; amount: number; state: string } | null>
  act: (id: string, sign: string, act: Act) => Promise<void>
}

const STALE_MS = 5 * 60_000
const Told = v.object({
  id: v.string(),
  state: v.picklist(['paid', 'closed']),
  amount: v.number(),
  at: v.number(),
})

/** 沙箱: plays a provider, with a book of its own and notices that it signs, so that everything but the money is real. */
export function sandbox({ db, secret, deliver, now, failed }: SandboxOptions): Sandbox {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
  const read = (id: string) => db.selectFrom('sandbox_payment').selectAll().where('id', '=', id).executeTakeFirst()
  const find = async (id: string): Promise<Standing> => {
    const row = await read(id)
    if (row?.state === 'paid') return { state: 'paid', amount: row.amount, ref: `SB${id}`, at: row.paid_at ?? 0 }
    return row?.state === 'closed' || (row && row.expires_at <= now()) ? { state: 'closed' } : { state: 'open' }
  }
  const findRefund: PayProvider['findRefund'] = async ({ id, refundId }) =>
    (await read(id))?.refunds.includes(refundId) ? 'done' : 'failed'
  const tell = async (id: string) => {
    const standing = await find(id)
    if (standing.state === 'open') return
    const { amount, at } = standing.state === 'paid' ? standing : { amount: 0, at: now() }
    const body = JSON.stringify({ id, state: standing.state, amount, at } satisfies v.InferInput<typeof Told>)
    const time = String(now())
    const headers = {
      'content-type': 'application/json',
      'sandbox-time': time,
      'sandbox-sign': sign(`${time}.${body}`),
    }
    await deliver({ headers, body }).catch(failed)
  }

  return {
    name: 'sandbox',
    async begin({ id, amount, title, expiresAt, device }) {
      const row = { id, amount, title, expires_at: expiresAt }
      await db
        .insertInto('sandbox_payment')
        .values(row)
        .onConflict((c) => c.doNothing())
        .execute()
      // A path: whichever address the student has reached us by, the page is there.
      const path = `/pay/sandbox/${id}?sign=${sign(id)}`
      return device === 'phone' ? { kind: 'go', url: path } : { kind: 'scan', text: path }
    },
    find,
    async close(id) {
      await db
        .updateTable('sandbox_payment')
        .set({ state: 'closed' })
        .where('id', '=', id)
        .where('state', '=', 'open')
        .execute()
    },
    async refund({ id, refundId, amount }) {
      await sql`update sandbox_payment set refunded = refunded + ${amount}, refunds = refunds || ${refundId}::text
        where id = ${id} and state = 'paid' and refunded + ${amount} <= amount and not ${refundId} = any(refunds)`.execute(
        db,
      )
      return findRefund({ id, refundId })
    },
    findRefund,
    async readNotice(headers, body, at): Promise<Notice> {
      const { 'sandbox-time': time = '', 'sandbox-sign': given = '' } = headers
      if (!same(sign(`${time}.${body}`), given)) throw new BadNotice('the signature is not ours')
      if (Math.abs(at - Number(time)) > STALE_MS) throw new BadNotice('too old')
      const told = v.parse(Told, JSON.parse(body))
      const standing: Standing =
        told.state === 'paid'
          ? { state: 'paid', amount: told.amount, ref: `SB${told.id}`, at: told.at }
          : { state: 'closed' }
      return { kind: 'payment', id: told.id, standing }
    },
    reply: (taken) => ({ status: taken ? 200 : 500, type: 'text/plain', body: taken ? 'ok' : 'again' }),
    async show(id, given) {
      return same(sign(id), given) ? ((await read(id)) ?? null) : null
    },
    async act(id, given, act) {
      if (!same(sign(id), given) || act === 'cancel') return
      const at = now()
      const set = act === 'pay' ? ({ state: 'paid', paid_at: at } as const) : ({ state: 'closed' } as const)
      const open = db.updateTable('sandbox_payment').set(set).where('id', '=', id).where('state', '=', 'open')
      await open.where('expires_at', '>', at).execute()
      await tell(id)
    },
  }
}

const CSP = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
const Answer = v.object({ act: v.picklist(['pay', 'fail', 'cancel']) })

/** The sandbox's own page, which a student is sent to as to any provider's. */
export function serveSandbox(app: FastifyInstance, box: Sandbox): void {
  type Route = { Params: { id: string }; Querystring: { sign?: string } }
  app.get<Route>('/pay/sandbox/:id', async ({ params: { id }, query: { sign = '' } }, reply) => {
    const payment = await box.show(id, sign)
    return reply
      .code(payment ? 200 : 404)
      .headers({ 'content-security-policy': CSP, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page(payment ? asked(payment) : '<h1>支付链接无效</h1><p>请回到订单重新支付。</p>'))
  })
  app.post<Route>('/pay/sandbox/:id', async ({ params: { id }, query: { sign = '' }, body }, reply) => {
    const answer = v.safeParse(Answer, Object.fromEntries(new URLSearchParams(typeof body === 'string' ? body : '')))
    if (answer.success) await box.act(id, sign, answer.output.act)
    return reply.redirect('/auto_close', 303)
  })
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const STATES: Record<string, string> = { paid: '这笔付款已经完成。', closed: '这笔付款已经关闭，请回到订单重新支付。' }

function asked({ title, amount, state }: { title: string; amount: number; state: string }): string {
  const head = `<h1>沙箱收银台</h1><p>${escaped(title)}</p><p class="sum">¥${(amount / 100).toFixed(2)}</p>`
  if (state !== 'open') return `${head}<p>${STATES[state] ?? ''}</p><p><a href="/auto_close">返回</a></p>`
  return `${head}<form method="post"><button name="act" value="pay" class="main">确认支付</button>
<button name="act" value="fail">模拟支付失败</button><button name="act" value="cancel">放弃支付</button></form>
<p class="note">演示环境：不会扣真实的钱。</p>`
}

const page = (main: string): string => `<!doctype html><html lang="zh-CN"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>沙箱收银台</title><style>
:root{color-scheme:light dark;--ink:#1d2518;--paper:#f6f7f2;--card:#fff;--main:#4d6135;--line:#d6dacb}
@media(prefers-color-scheme:dark){:root{--ink:#e6eadd;--paper:#14170f;--card:#1d2118;--main:#6f8a4c;--line:#363c2c}}
body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:24rem;margin:12vh auto 0;padding:24px;border:1px solid var(--line);border-radius:18px;background:var(--card)}
h1{margin:0;font-size:1.25rem}.sum{margin:8px 0;font-size:2rem;font-weight:700}
button{display:block;width:100%;min-height:48px;margin-top:12px;border:1px solid var(--line);border-radius:14px;font:inherit;color:inherit;background:none}
.main{border-color:transparent;color:#fff;background:var(--main)}.note{font-size:.875rem;opacity:.75}a{color:inherit}
@media(max-width:420px){main{margin:0;min-height:100vh;border:0;border-radius:0;box-sizing:border-box}}
</style><main>${main}</main></html>`
