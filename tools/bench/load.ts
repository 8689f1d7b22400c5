import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpRecord } from '#src/contract/study.ts'
import { percentile } from './figures.ts'
import type { Student } from './product.ts'

export interface Load {
  /** Units done per second: answers, or calls. */
  perSecond: number
  /** Latency of a call, ms. */
  p50: number
  p99: number
  calls: number
  /** Units done in the warm-up and after the end as well. */
  all: number
  /** Calls that were not answered as they should be, and what the first said. */
  errors: number
  firstError: string
}
const WARM_UP_MS = 1_000

/**
 * `workers` call one after another, with a pause between calls. `once` makes one call and tells how many units it did.
 * Workers begin spread over one pause.
 */
export async function underLoad(
  workers: number,
  ms: number,
  once: (worker: number) => Promise<number>,
  pauseMs = 0,
): Promise<Load> {
  const times: number[] = []
  const begin = performance.now() + WARM_UP_MS
  let units = 0
  let all = 0
  let errors = 0
  let firstError = ''
  const work = async (worker: number) => {
    await pause((pauseMs * worker) / workers)
    for (;;) {
      const started = performance.now()
      if (started > begin + ms) return
      const done = await once(worker).catch((error: unknown) => {
        firstError ||= String(error)
        errors++
        return 0
      })
      const ended = performance.now()
      all += done
      // By its end: counted by its beginning, the calls under way at both ends of the window would be work without a count.
      if (ended >= begin && ended <= begin + ms) {
        times.push(ended - started)
        units += done
      }
      if (pauseMs > 0) await pause(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
  return {
    perSecond: units / (ms / 1000),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    calls: times.length,
    all,
    errors,
    firstError,
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** One call as the app makes it. Resolves with the body as sent. @throws when the status is not 200. */
export function post(url: string, path: string, form: string, token = ''): Promise<Buffer> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(form),
    ...(token && { authorization: token }),
  }
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/pcapi/${path}`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks))
        else reject(new Error(`HTTP ${response.statusCode}`))
      })
    })
    request.on('error', reject)
    request.end(form)
  })
}

/** A device of a student that answers one question after another and keeps its place in the student's changes. */
export class Device {
  readonly id = randomUUID()
  private readonly url: string
  private readonly student: Student
  private seq = 0
  private cursor = 0

  constructor(url: string, student: Student) {
    this.url = url
    this.student = student
  }

  /**
   * Sends one batch. Returns how many the server applied. @throws when that is not all of them.
   * The load shares its cores with what it measures, and students bring phones of their own: so a form is put together from
   * escaped pieces, and an answer is searched, not parsed. The server gets and sends the same bytes as with the app.
   */
  async answer(questionNos: readonly string[]): Promise<number> {
    const now = Date.now()
    const ops = questionNos.map((no) => escapedOp(no, ++this.seq, now)).join('%2C')
    const form = `device=${this.id}&owner=${this.student.uid}&proto=1&sentAt=${now}&cursor=${this.cursor}&ops=%5B${ops}%5D`
    const text = (await post(this.url, 'study/sync', form, this.student.token)).toString()
    if (!text.startsWith('{"status":1,')) throw new Error(`study/sync: ${text.slice(0, 200)}`)
    this.cursor = Number(/"cursor":(\d+)/.exec(text)?.[1])
    const applied = text.match(/"verdict":"applied"/g)?.length ?? 0
    if (applied !== questionNos.length) throw new Error(`study/sync applied ${applied} of ${questionNos.length}`)
    return applied
  }
}

/** The escaped text of an op between its five values, which are letters and digits: `encodeURIComponent` leaves `~` alone. */
const OP = encodeURIComponent(JSON.stringify({ ...makeOp('~no~', 0, 0), opId: '~id~', seq: '~seq~', clientAt: '~at~' }))
  .replace(/%22~(seq|at)~%22/g, '~$1~')
  .split('~')

function escapedOp(no: string, seq: number, at: number): string {
  const values: Record<string, string | number> = { no, seq, at, id: randomUUID() }
  return OP.map((piece, i) => (i % 2 === 0 ? piece : values[piece])).join('')
}

/** A right answer (B throughout, tests/support/bank.ts) as it is on the wire. */
export function makeOp(questionNo: string, seq: number, clientAt: number): OpRecord {
  return {
    opId: randomUUID(),
    seq,
    stream: `q:${questionNo}`,
    kind: 'answer',
    v: 1,
    payload: { questionNo, response: { kind: 'choice', ids: ['B'] }, spentMs: 4000, from: 'library' },
    ctx: { sg_key: 'jg', area: '0', key: 'jg' },
    clientAt,
  }
}
