import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { createEngine, type Engine } from '#src/offline/engine.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { readFigures } from '#src/offline/record/figures.ts'
import { dealtOn, keepDealt } from '#src/offline/record/reviews.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'

/** One student with two phones and more to review than a day holds, by way of the real server. */
const MISSED = 50
const A_DAY = 40
const DONE = 15
const DAY = 86_400_000

let server: TestServer
const phones: Engine[] = []
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: MISSED }))
})
afterEach(() => {
  for (const phone of phones.splice(0)) phone.close()
})
afterAll(() => server.close())

async function openPhone({ uid, token }: { uid: string; token: string }): Promise<Engine> {
  indexedDB = new IDBFactory()
  const phone = createEngine({
    db: openRecord(),
    owner: `u:${uid}`,
    loggedIn: () => true,
    scope: () => ({ sg_key: 'jg', area: '0', key: 'jg' }),
    send: (input) => server.call(contract.study.sync, input, token),
    now: () => server.clock.now,
    steady: () => server.clock.now,
    random: () => 0.5,
  })
  phones.push(phone)
  phone.start()
  await meet(phone)
  return phone
}
async function meet(phone: Engine): Promise<void> {
  await phone.syncNow()
  await expect.poll(() => phone.status()).toMatchObject({ state: 'synced', waiting: 0 })
}
const numbers = Array.from({ length: MISSED }, (_, i) => `L_q${i + 1}`)
const answerAll = async (phone: Engine, nos: readonly string[], right: boolean) => {
  for (const questionNo of nos)
    await phone.add({
      kind: 'answer',
      payload: {
        questionNo,
        response: { kind: 'choice', ids: [right ? 'B' : 'A'] },
        spentMs: 20_000,
        from: 'error',
        version: 1,
      },
      place: placeIn('L', 'L_c1'),
      right,
    })
}
const planned = async (phone: Engine) => (await readFigures(phone, server.clock.now)).plan[0]?.planned

test('the day’s reviews go on at a second phone where they stopped, though more than a day’s are due', async () => {
  const who = await server.student()
  const [first, second] = [await openPhone(who), await openPhone(who)]
  await answerAll(first, numbers, false)
  server.clock.now += 3 * DAY
  await meet(first)
  await meet(second)
  expect(await Promise.all([first, second].map(planned))).toEqual([A_DAY, A_DAY])

  const today = dayOf(server.clock.now)
  const dealt = numbers.slice(0, A_DAY)
  await keepDealt(first, today, new Map(dealt.map((no) => [no, 30_000])))
  await answerAll(first, dealt.slice(0, DONE), true)
  await meet(first)
  await meet(second)
  expect(await Promise.all([first, second].map(planned))).toEqual([A_DAY - DONE, A_DAY - DONE])

  await answerAll(second, dealt.slice(DONE), true)
  await meet(second)
  await meet(first)
  expect(await Promise.all([first, second].map(planned))).toEqual([0, 0])
  // The next day has a list of its own.
  server.clock.now += DAY
  expect((await dealtOn(second, dayOf(server.clock.now))).nos).toEqual([])
})
