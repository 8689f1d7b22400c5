import { beginning } from '#tests/support/drafts.ts'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { done } from '#src/offline/device/idb.ts'
import { type DeadOp, openRecord, type WaitingOp } from '#src/offline/device/rows.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { tap } from '#tests/support/tap.ts'
import { connect, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let student: Awaited<ReturnType<TestServer['student']>>
let wire: Wire
let app: { close: () => void } | null = null
let sets = 0
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 3 }))
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  const { offline } = await import('#src/offline/index.ts')
  // Before the sync begins: one that reaches nobody waits longer from try to try.
  wire = connect(server)
  offline.start()
})
afterAll(() => server.close())
beforeEach(() => {
  wire = connect(server)
})
afterEach(() => {
  app?.close()
  wire.restore()
})

const engine = async () => (await import('#src/offline/index.ts')).offline
const attempts = async () => {
  const { rows } = await sql<{ score: number }>`
    select (body ->> 'score')::int as score from study_record
    where uid = ${student.uid} and kind = 'attempt' and body -> 'paper' ->> 'no' = ${`H${sets}`}`.execute(server.db)
  return rows
}
const answers = async () =>
  (await sql`select from study_op where kind = 'answer' and verdict = 'applied'`.execute(server.db)).rows.length

/** Two of three questions answered rightly and handed in, of which the server has heard nothing yet. */
async function handIn(): Promise<string> {
  const no = `H${++sets}`
  await publish(server.db, setJson({ no, papers: [[['L_q1', 'L_q2', 'L_q3']]] }))
  const { openApp, prepareDevice } = await import('#tests/support/app.tsx')
  const { chooseMode } = await import('#src/sitting/engine/chosenMode.ts')
  prepareDevice(student)
  await chooseMode(`${no}_1`, 'exam')
  const address = `/question_set/question_set_study/${no}/${no}_1/x`
  // From the first answer on: none of them may have gone up by itself.
  wire.fault = ({ path }) => (path.endsWith('study/sync') ? Promise.reject(new TypeError('Failed to fetch')) : null)
  app = await openApp(address)
  await userEvent.click(await screen.findByRole('radio', { name: /^B．/ }))
  await tap('下一题')
  await screen.findByRole('heading', { level: 1, name: /^第2题/ })
  await userEvent.click(await screen.findByRole('radio', { name: /^B．/ }))
  await tap('交卷')
  await tap('确定交卷')
  await screen.findByRole('heading', { name: '成绩报告' })
  expect(screen.queryByText(/交卷没有成功/)).toBeNull()
  return address
}
async function sent(): Promise<void> {
  wire.fault = null
  const offline = await engine()
  await offline.syncNow()
  await expect.poll(async () => (await offline.waiting()).length).toBe(0)
}

test('a hand-in that was refused says why, after a reload too, and can be handed in again', async () => {
  const address = await handIn()
  const { rows } = await sql<{
    row: object
  }>`delete from set_snapshot where item_no = ${`H${sets}_1`} returning to_json(set_snapshot) as row`.execute(server.db)
  await sent()
  expect(await screen.findByText(/这次交卷没有成功：试卷不存在或已下架。答案都在这台设备上/)).toBeTruthy()
  expect(await attempts()).toEqual([])
  app?.close()
  app = await (await import('#tests/support/app.tsx')).openApp(address)
  await screen.findByText(/这次交卷没有成功/)
  await sql`insert into set_snapshot select * from json_populate_recordset(null::set_snapshot, ${JSON.stringify(rows.map(({ row }) => row))}::json)`.execute(
    server.db,
  )
  const before = await answers()
  await tap('再次交卷')
  await sent()
  expect(await attempts()).toEqual([{ score: 300 }])
  expect(await answers(), 'what the server has is not answered twice').toBe(before)
  expect(screen.queryByText(/交卷没有成功/)).toBeNull()
  expect(await (await engine()).dead()).toEqual([])
})

/** Days later, one of its answers is gone from the device: the server refuses it. Gives back the row of that answer. */
async function loseOne(): Promise<WaitingOp | undefined> {
  const offline = await engine()
  const waiting = await offline.waiting()
  const lost = waiting.find(({ kind }) => kind === 'answer')
  await openRecord().run(['ops'], 'readwrite', async (tx) => {
    const ops = tx.objectStore('ops')
    if (lost) ops.delete([lost.owner, lost.seq])
    for (const { measured: _measured, ...op } of waiting)
      if (op.kind === 'handIn') ops.put({ ...op, clientAt: op.clientAt - 8 * 86_400_000 })
  })
  // A try that has read these ops as they were ends without a network, too.
  await offline.syncNow()
  await sent()
  expect(await screen.findByText(/这次交卷没有成功：缺少这次交卷的部分作答/)).toBeTruthy()
  return lost
}

test('one of whose answers was lost on the way is handed in again with it, and the others do not count twice', async () => {
  const before = await answers()
  await handIn()
  await loseOne()
  expect(await answers()).toBe(before + 1)
  await tap('再次交卷')
  await sent()
  expect(await attempts()).toEqual([{ score: 300 }])
  expect(await answers()).toBe(before + 2)
  expect(screen.queryByText(/交卷没有成功/)).toBeNull()
  // The player that goes on has the new ids.
  await tap('查看全部解析')
  await tap('下一题')
  await screen.findByRole('heading', { level: 1, name: /^第2题/ })
  const [handed] = await sql<{ named: string[] }>`
    select payload -> 'answers' as named from study_op where kind = 'handIn' and verdict = 'applied'
      and payload -> 'paper' ->> 'no' = ${`H${sets}`}`
    .execute(server.db)
    .then(({ rows }) => rows)
  const kept = async () => JSON.stringify(await (await engine()).drafts(beginning('handed')))
  for (const opId of handed?.named ?? []) await expect.poll(kept).toContain(opId)
})

test('an old refusal, which names no answers, gives again those that this device set aside', async () => {
  const before = await answers()
  await handIn()
  const lost = await loseOne()
  await openRecord().run(['dead'], 'readwrite', async (tx) => {
    const dead = tx.objectStore('dead')
    const rows: DeadOp[] = await done(dead.getAll())
    for (const { missing: _, ...op } of rows) dead.put(op)
    dead.put({ ...lost, code: 'damaged', msg: '这条记录已损坏，无法上传', diedAt: 1 })
  })
  await tap('再次交卷')
  await sent()
  expect(await attempts()).toEqual([{ score: 300 }])
  expect(await answers()).toBe(before + 2)
  await (await engine()).dismiss(lost?.opId ?? '')
})

test('a full device says that it was not handed in again, and can be asked once more', async () => {
  await handIn()
  await loseOne()
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await tap('再次交卷')
  await screen.findByText(/还没有交卷/)
  full.mockRestore()
  await tap('知道了')
  expect(await screen.findByText(/这次交卷没有成功/)).toBeTruthy()
  await tap('再次交卷')
  await sent()
  expect(await attempts()).toEqual([{ score: 300 }])
})
