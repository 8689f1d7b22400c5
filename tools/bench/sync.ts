import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { refoldKey } from '#src/offline/device/rows.ts'
import { workerReady } from '#tests/e2e/browser.ts'
import { bankJson } from '#tests/support/bank.ts'
import { placeIn } from '#tests/support/states.ts'
import type { Figure } from './figures.ts'
import { makeOp } from './load.ts'
import { type Product, startProduct, type Student } from './product.ts'
import { logIn, newPhone } from './visit.ts'

const CHAPTER = 50
const MANY = 10_000
const GIVE_UP_MS = 120_000
/** Rare enough to leave the machine to the product. */
const LOOK_MS = 50

interface Replay {
  /** From the network being back to the last answer in the server's database. */
  ms: number
  requests: number
  bytesUp: number
  /** Of the page, while it sent. */
  longestTask: number
}

/** Answers that were given without a network: how long until the server has them all, and what that costs. */
export async function sync(): Promise<Figure[]> {
  const product = await startProduct()
  product.importBank(bankJson({ prefix: 'SYNC', chapters: MANY / CHAPTER, perChapter: CHAPTER }))
  const many = await replay(product, MANY)
  const few = await replay(product, 20)
  const row = (name: string, value: number, unit: Figure['unit'], max: number, note = ''): Figure => ({
    name,
    value,
    unit,
    budget: { max },
    note,
  })
  return [
    row('10,000 waiting answers on the server', many.ms, 'ms', 10_000, `${many.requests} calls`),
    row('the same: longest task of the page', many.longestTask, 'ms', 50),
    row('20 waiting answers: calls', few.requests, '', 1, `on the server after ${Math.round(few.ms)} ms`),
    row('20 waiting answers: form sent up', few.bytesUp / 1024, 'KB', 2),
  ]
}

async function replay(product: Product, count: number): Promise<Replay> {
  const student = await product.student()
  const phone = await newPhone()
  const { page } = phone
  await logIn(page, product.url, student)
  await page.goto(`${product.url}/question/library`, { waitUntil: 'domcontentloaded' })
  await page.locator('main section[aria-labelledby]').first().waitFor()
  await workerReady(page)
  await phone.context.setOffline(true)
  await plant(page, student, count)
  await page.reload({ waitUntil: 'domcontentloaded' })
  await page
    .getByRole('button', { name: new RegExp(`${count} 条待同步`) })
    .first()
    .waitFor({ timeout: GIVE_UP_MS })
  const forms: number[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/study/sync')) forms.push(request.postData()?.length ?? 0)
  })
  await page.evaluate(() => {
    window.bench = { shown: 0, fcp: 0, cls: 0, tasks: [] }
    new PerformanceObserver((list) =>
      list.getEntries().forEach((task) => window.bench?.tasks.push(task.duration)),
    ).observe({ type: 'longtask' })
  })
  const started = performance.now()
  await phone.context.setOffline(false)
  while ((await stored(product, student)) < count) {
    if (performance.now() - started > GIVE_UP_MS) throw new Error(`after ${GIVE_UP_MS} ms not all answers are there`)
    await pause(LOOK_MS)
  }
  const ms = performance.now() - started
  // The last answers of the server are still being taken in.
  await pause(1_000)
  const tasks = (await page.evaluate(() => window.bench?.tasks)) ?? []
  await phone.close()
  return {
    ms,
    requests: forms.length,
    bytesUp: forms.reduce((sum, bytes) => sum + bytes, 0),
    longestTask: Math.max(0, ...tasks),
  }
}

/** Up to which of its answers the server has all of this student's only device; one row, however many there are. */
const stored = async (product: Product, { uid }: Student): Promise<number> =>
  (await sql<{ n: number }>`select ack_seq as n from study_device where uid = ${uid}`.execute(product.db)).rows[0]?.n ??
  0

/** Puts ops and their effect where src/offline/record/record.ts keeps them: what so many taps without a network would have left. */
async function plant(page: Page, student: Student, count: number): Promise<void> {
  const owner = `u:${student.uid}`
  const now = Date.now()
  const ops = Array.from({ length: count }, (_, i) => ({
    ...makeOp(`SYNC_q${i + 1}`, i + 1, now - (count - i) * 5000),
    owner,
    right: true,
    place: placeIn('SYNC', `SYNC_c${Math.floor(i / CHAPTER) + 1}`),
    parked: false,
    acked: 0,
  }))
  // The record itself makes their effect, as after an upgrade of the database.
  await page.evaluate(
    async ({ rows, meta }) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('jk-outbox')
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('no record')))
      })
      await new Promise<void>((resolve, reject) => {
        const tx = db.transaction([...Object.keys(rows), 'meta'], 'readwrite')
        for (const [store, list] of Object.entries(rows)) for (const row of list) tx.objectStore(store).put(row)
        for (const [key, value] of Object.entries(meta)) tx.objectStore('meta').put(value, key)
        tx.addEventListener('complete', () => resolve())
        tx.addEventListener('abort', () => reject(tx.error ?? new Error('could not write')))
      })
      db.close()
    },
    { rows: { ops }, meta: { [`seq:${owner}`]: count, [refoldKey(owner)]: true } },
  )
}
