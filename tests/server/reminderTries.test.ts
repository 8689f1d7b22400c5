import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { dayOf, startOf } from '#src/domain/time/day.ts'
import { LEASE_MS, runJob } from '#server/jobs/runner.ts'
import type { Push } from '#server/outside/push.ts'
import { putReminders, reminderJob } from '#server/reminder/job.ts'
import { type PushServer, startPushServer } from '#tests/support/pushServer.ts'
import { pushHere, remind, reminded, startReminding, workOff } from '#tests/support/reminders.ts'
import type { TestServer } from '#tests/support/server.ts'

const DAY = dayOf(Date.UTC(2026, 10, 21, 4))
const at = (hour: number, minute = 0, day = DAY) => startOf(day) + (hour * 60 + minute) * 60_000

let server: TestServer
let service: PushServer
let push: Push
beforeAll(async () => {
  service = await startPushServer()
  server = await startReminding(() => push)
  push = await pushHere(server.db)
})
afterAll(async () => {
  await server.close()
  await service.stop()
})
beforeEach(async () => {
  for (const table of ['job', 'reminded', 'push_subscription'] as const) await server.db.deleteFrom(table).execute()
  service.answer(null)
  service.asked.length = 0
  server.clock.now = at(12)
})
const tick = (now: number) => {
  server.clock.now = now
  return remind(server.db, push, () => server.clock.now)
}
/** Looks at the clock each minute of a time. */
const watch = async (from: number, to: number) => {
  for (let now = from; now <= to; now += 60_000) await tick(now)
}
/** A server from before messages were tried again claims a student's day as it did. */
const claimAsBefore = (uid: string, day: number) =>
  sql`insert into reminded (uid, day) select uid, ${day}::int from student where uid = ${uid}
    on conflict (uid) do update set day = excluded.day where reminded.day < excluded.day`.execute(server.db)

describe('a message that has not reached its student', () => {
  test.each([429, 500, 503])(
    'because its service cannot take it for now (%i) comes the same evening',
    async (status) => {
      const { browser } = await reminded(server, service)
      service.answer({ status })
      await tick(at(20))
      service.answer(null)
      await tick(at(20, 4))
      expect(browser.messages).toEqual([])
      await watch(at(20, 5), at(22))
      expect(browser.messages).toHaveLength(1)
      expect(service.asked).toHaveLength(2)
    },
  )

  test('because its service was not reached comes the same evening', async () => {
    const { browser } = await reminded(server, service)
    const closed = await startPushServer()
    const { endpoint } = closed.browser(push.publicKey).subscription
    await closed.stop()
    const well = push
    push = { ...well, send: (to, ...message) => well.send({ ...to, endpoint }, ...message) }
    await tick(at(20))
    push = well
    await watch(at(20, 1), at(20, 6))
    expect(browser.messages).toHaveLength(1)
  })

  test('because its service has not answered comes the same evening', async () => {
    const { browser } = await reminded(server, service)
    service.answer('silent')
    push = await pushHere(server.db, 200)
    await tick(at(20))
    push = await pushHere(server.db)
    service.answer(null)
    await watch(at(20, 1), at(20, 6))
    expect(browser.messages).toHaveLength(1)
  })

  test('is tried three times more, later and later, and then the next day', async () => {
    const { browser } = await reminded(server, service, { reminderAt: '19:00' })
    service.answer({ status: 503 })
    const tries: number[] = []
    for (let minute = 0; minute <= 175; minute++) {
      const before = service.asked.length
      await tick(at(19, minute))
      if (service.asked.length > before) tries.push(minute)
    }
    expect(tries).toEqual([0, 5, 20, 65])
    service.answer(null)
    await tick(at(19, 0, DAY + 1))
    await tick(at(19, 10, DAY + 1))
    expect(browser.messages).toHaveLength(1)
  })

  test('does not come in the quiet hours that have begun meanwhile', async () => {
    await reminded(server, service, { reminderAt: '21:58' })
    service.answer({ status: 503 })
    await tick(at(21, 58))
    service.answer(null)
    await watch(at(22), at(22, 30))
    expect(service.asked).toHaveLength(1)
  })

  test('does not come on the next day besides the message of that day', async () => {
    const { browser } = await reminded(server, service, { reminderAt: '23:58', reminderQuiet: '01:00-02:00' })
    service.answer({ status: 503 })
    await tick(at(23, 58))
    service.answer(null)
    await watch(at(0, 0, DAY + 1), at(0, 30, DAY + 1))
    expect(service.asked).toHaveLength(1)
    await tick(at(23, 58, DAY + 1))
    expect(browser.messages).toHaveLength(1)
  })

  test('is not tried again where another device of the student has taken it', async () => {
    const student = await reminded(server, service)
    const { token } = await server.student(student.mobile)
    const other = await startPushServer()
    try {
      const second = other.browser(push.publicKey)
      await server.call(contract.reminder.subscribe, second.subscription, token)
      service.answer({ status: 503 })
      await tick(at(20))
      service.answer(null)
      await watch(at(20, 1), at(20, 30))
      expect([student.browser.messages.length, second.messages.length]).toEqual([0, 1])
    } finally {
      await other.stop()
    }
  })

  test('comes once, whichever of two servers tries again', async () => {
    const students = await Promise.all(Array.from({ length: 30 }, () => reminded(server, service)))
    service.answer({ status: 503 })
    await tick(at(20))
    service.answer(null)
    server.clock.now = at(20, 6)
    await putReminders(server.db, at(20, 5))
    const run = (minute: number) => remind(server.db, push, () => at(20, minute))
    await Promise.all([run(6), run(6), run(7)])
    expect(students.map(({ browser }) => browser.messages.length)).toEqual(students.map(() => 1))
  })

  test('because the server was killed with it comes some minutes later', async () => {
    const { browser } = await reminded(server, service)
    service.answer('silent')
    const script = path.resolve(import.meta.dirname, '../support/reminderProcess.ts')
    const child = spawn(process.execPath, [script, server.socketFolder, server.database, String(at(20))], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await service.heard(1)
    child.kill('SIGKILL')
    await once(child, 'exit')
    service.answer(null)
    await workOff(server.db, push, () => at(20) + LEASE_MS)
    expect(browser.messages).toEqual([])
    await watch(at(20, 2), at(20, 30))
    expect(browser.messages).toHaveLength(1)
  })

  test('because something else went wrong is reported, and comes the same evening; the others get theirs', async () => {
    const unlucky = await reminded(server, service)
    const well = await reminded(server, service)
    server.clock.now = at(20)
    const broken = new Error('no memory of that student')
    const isDayDone = (_: unknown, uid: string) =>
      uid === unlucky.uid ? Promise.reject(broken) : Promise.resolve(false)
    const kinds = [
      reminderJob({ db: server.db, push, now: () => server.clock.now, productName: '砺剑军考', isDayDone }),
    ]
    const failed: unknown[] = []
    await putReminders(server.db, at(20))
    await runJob({
      db: server.db,
      kinds,
      now: () => server.clock.now,
      stop: new AbortController().signal,
      failed: (error) => void failed.push(error),
    })
    expect(failed).toEqual([broken])
    expect([unlucky.browser.messages.length, well.browser.messages.length]).toEqual([0, 1])
    await watch(at(20, 1), at(20, 30))
    expect([unlucky.browser.messages.length, well.browser.messages.length]).toEqual([1, 1])
  })
})

describe('a server from before, beside this one', () => {
  test.each([
    [20, 0, '22:00-07:00'],
    [23, 58, '01:00-02:00'],
  ])(
    'that has claimed the day is left to it, whatever this one has written the day before (%i:%i)',
    async (hour, minute, reminderQuiet) => {
      const reminderAt = `${hour}:${String(minute).padStart(2, '0')}`
      const { uid } = await reminded(server, service, { reminderAt, reminderQuiet })
      service.answer({ status: 503 })
      await tick(at(hour, minute))
      service.answer(null)
      await claimAsBefore(uid, DAY + 1)
      await tick(at(hour, minute, DAY + 1))
      await tick(at(hour, minute + 1, DAY + 1))
      expect(service.asked).toHaveLength(1)
    },
  )

  test('that finds the day claimed leaves the other try to this one', async () => {
    const { uid, browser } = await reminded(server, service)
    service.answer({ status: 503 })
    await tick(at(20))
    service.answer(null)
    await claimAsBefore(uid, DAY)
    await watch(at(20, 1), at(20, 10))
    expect(browser.messages).toHaveLength(1)
  })
})

describe('a setting that is stored and says nothing', () => {
  const store = (uid: string, name: string, value: unknown) =>
    sql`update study_record set body = jsonb_set(body::jsonb, '{value}', ${JSON.stringify(value)}::jsonb)
      where uid = ${uid} and kind = 'setting' and id = ${name}`.execute(server.db)

  test.each(['16:xx', '1', '18:99', 19, null, ''])(
    'as a time (%j) leaves its student alone, and the others are told',
    async (value) => {
      const broken = await reminded(server, service)
      const well = await reminded(server, service)
      await store(broken.uid, 'reminderAt', value)
      await tick(at(20))
      expect([broken.browser.messages.length, well.browser.messages.length]).toEqual([0, 1])
    },
  )

  test('as quiet hours counts as not decided, and the device stays', async () => {
    const settings = { reminderAt: '20:00', reminderQuiet: '21:00-07:00' }
    const { uid, browser } = await reminded(server, service, settings)
    await store(uid, 'reminderQuiet', 'at night')
    await tick(at(20))
    expect(browser.messages).toHaveLength(1)
    expect(browser.messages[0]?.ttl).toBe(120 * 60)
  })
})
