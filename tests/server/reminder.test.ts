import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { dayOf, startOf } from '#src/domain/time/day.ts'
import { LEASE_MS } from '#server/jobs/runner.ts'
import { createPush, isPushService, type Push } from '#server/outside/push.ts'
import { putReminders } from '#server/reminder/job.ts'
import { isDayDone } from '#server/study/dayDone.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { answerOp, syncAs } from '#tests/support/ops.ts'
import { type PushServer, startPushServer } from '#tests/support/pushServer.ts'
import { decide, pushHere, remind, reminded, startReminding, workOff } from '#tests/support/reminders.ts'
import type { TestServer } from '#tests/support/server.ts'

const DAY = dayOf(Date.UTC(2026, 10, 21, 4))
const at = (hour: number, minute = 0, day = DAY) => startOf(day) + (hour * 60 + minute) * 60_000

let server: TestServer
let service: PushServer
let push: Push
beforeAll(async () => {
  service = await startPushServer()
  // The keys are in the database: whoever makes this again has the same.
  server = await startReminding(() => push)
  push = await pushHere(server.db)
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'R', chapters: 1, perChapter: 4 }))
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
const subscriptions = () => server.db.selectFrom('push_subscription').selectAll().execute()
const results = async () =>
  (await server.db.selectFrom('job').select('result').orderBy('id').execute()).map(({ result }) => result)

describe('a student who wants to be reminded', () => {
  test('gets one message at the chosen time of Asia/Shanghai, and the next one the day after', async () => {
    const { browser } = await reminded(server, service)
    await tick(at(19, 59))
    expect(browser.messages).toEqual([])
    await tick(at(20))
    await tick(at(20, 1))
    await tick(at(21))
    expect(browser.messages).toHaveLength(1)
    await tick(at(20, 0, DAY + 1))
    expect(browser.messages).toHaveLength(2)
  })

  test('reads what anybody may read, which is thrown away when the night begins', async () => {
    const { browser, uid, mobile } = await reminded(server, service, {
      reminderAt: '20:00',
      reminderQuiet: '21:30-07:00',
    })
    await tick(at(20, 10))
    const [message] = browser.messages
    expect(JSON.parse(message?.text ?? '')).toEqual({
      title: '砺剑军考',
      body: '今天的学习任务还没完成，来练几分钟吧',
    })
    expect(message?.text).not.toMatch(new RegExp(`${uid}|${mobile}`))
    expect(message).toMatchObject({ ttl: 80 * 60, topic: 'daily' })
  })

  test('is told on each of their devices, and not once more when the time is moved or a device is turned on again', async () => {
    const student = await reminded(server, service)
    const { token } = await server.student(student.mobile)
    const second = service.browser(push.publicKey)
    await server.call(contract.reminder.subscribe, second.subscription, token)
    await tick(at(20))
    expect([student.browser.messages.length, second.messages.length]).toEqual([1, 1])
    server.clock.now = at(20, 5)
    await decide(server, student, { reminderAt: '20:30' })
    await server.call(contract.reminder.subscribe, second.subscription, token)
    await tick(at(20, 30))
    expect([student.browser.messages.length, second.messages.length]).toEqual([1, 1])
  })

  test.each<[string, Record<string, string | number>, () => number]>([
    ['in quiet hours that end the next day', { reminderAt: '21:50' }, () => at(22, 5)],
    ['in quiet hours of the day', { reminderAt: '13:00', reminderQuiet: '13:00-14:00' }, () => at(13)],
    ['more than three hours late', { reminderAt: '16:00' }, () => at(19, 1)],
    ['for a time that has not come', { reminderAt: '20:01' }, () => at(20)],
  ])('gets nothing %s', async (_, settings, now) => {
    const { browser } = await reminded(server, service, settings)
    await tick(now())
    expect(browser.messages).toEqual([])
  })

  test('is told late when the server was away for less', async () => {
    const { browser } = await reminded(server, service, { reminderAt: '16:00' })
    await tick(at(19))
    expect(browser.messages).toHaveLength(1)
  })

  test('after the chosen moment begins tomorrow', async () => {
    server.clock.now = at(20, 10)
    const { browser } = await reminded(server, service)
    await tick(at(20, 20))
    expect(browser.messages).toEqual([])
    await tick(at(20, 0, DAY + 1))
    expect(browser.messages).toHaveLength(1)
  })

  test('is not reminded of what is done', async () => {
    const student = await reminded(server, service)
    const answers = ['R_q1', 'R_q2'].map((no, i) => answerOp(no, true, { seq: i + 1, at: server.clock.now }))
    await syncAs(server, student, answers)
    await decide(server, student, { dayGoal: 2, dailyDone: DAY })
    await tick(at(20))
    expect(student.browser.messages).toEqual([])
    expect(await results()).toEqual([{ done: 1 }])
    await tick(at(20, 0, DAY + 1))
    expect(student.browser.messages).toHaveLength(1)
  })
})

test('nobody is reminded who has not asked for it, on that device', async () => {
  const off = await server.student()
  await decide(server, off, { reminderAt: '20:00' })
  const timeless = await server.student()
  const browser = service.browser(push.publicKey)
  await server.call(contract.reminder.subscribe, browser.subscription, timeless.token)
  await tick(at(20))
  expect(service.asked).toEqual([])
  expect(await results()).toEqual([])
})

describe('the task of a day is done', () => {
  const done = (uid: string) => isDayDone(server.db, uid, DAY)

  test('with the goal, 每日一练 and what is due; not with two of them', async () => {
    const student = await server.student()
    const yesterday = server.clock.now - 86_400_000
    await decide(server, student, { dayGoal: 1 })
    await syncAs(server, student, [answerOp('R_q1', false, { seq: 1, at: yesterday })])
    await decide(server, student, { dailyDone: DAY })
    expect(await done(student.uid)).toBe(false)
    await syncAs(server, student, [answerOp('R_q2', true, { seq: 1, at: server.clock.now })])
    // The goal is reached, and R_q1 is due.
    expect(await done(student.uid)).toBe(false)
    await syncAs(server, student, [answerOp('R_q1', true, { seq: 1, at: server.clock.now })])
    expect(await done(student.uid)).toBe(true)
    await decide(server, student, { dailyDone: DAY - 1 })
    expect(await done(student.uid)).toBe(false)
  })

  test('without 每日一练 for whoever studies nothing that is in a library', async () => {
    const student = await server.student()
    await decide(server, student, { dayGoal: 1 })
    await importBank(server.db, server.mediaDir, bankJson({ prefix: 'S', chapters: 1, perChapter: 1 }))
    // It stands in a set alone.
    const alone = { library_no: null, chapter_no: null }
    await server.db.updateTable('answerable').set(alone).where('no', '=', 'S_q1').execute()
    await syncAs(server, student, [answerOp('S_q1', true, { seq: 1, at: server.clock.now })])
    expect(await done(student.uid)).toBe(true)
    await syncAs(server, student, [answerOp('R_q1', true, { seq: 1, at: server.clock.now })])
    expect(await done(student.uid)).toBe(false)
  })

  test('when as much was reviewed as the day has room for, however much is left', async () => {
    const student = await server.student()
    const yesterday = server.clock.now - 86_400_000
    const nos = ['R_q1', 'R_q2', 'R_q3']
    const slow = (op: ReturnType<typeof answerOp>) => ({
      ...op,
      payload: { ...(op.payload as object), spentMs: 600_000 },
    })
    await syncAs(
      server,
      student,
      nos.map((no, i) => slow(answerOp(no, false, { seq: i + 1, at: yesterday }))),
    )
    await decide(server, student, { dayGoal: 1, dailyDone: DAY, minutesADay: 5 })
    await syncAs(server, student, [slow(answerOp('R_q1', true, { seq: 1, at: server.clock.now }))])
    expect(await done(student.uid)).toBe(false)
    await syncAs(server, student, [slow(answerOp('R_q2', true, { seq: 1, at: server.clock.now }))])
    expect(await done(student.uid)).toBe(true)
  })
})

describe('two servers', () => {
  test('that look at the clock together send each message once', async () => {
    const students = await Promise.all(Array.from({ length: 50 }, () => reminded(server, service)))
    server.clock.now = at(20)
    const other = await pushHere(server.db)
    const run = (by: Push) => remind(server.db, by, () => server.clock.now)
    await Promise.all([run(push), run(other), run(push), run(other)])
    expect(students.map(({ browser }) => browser.messages.length)).toEqual(students.map(() => 1))
  })

  test('put in no minute while an earlier one is open: the next one takes its part', async () => {
    const early = await reminded(server, service)
    const late = await reminded(server, service, { reminderAt: '20:01' })
    await putReminders(server.db, at(20))
    await putReminders(server.db, at(20, 1))
    await putReminders(server.db, at(20, 2))
    expect(await results()).toHaveLength(1)
    await workOff(server.db, push, () => at(20, 2))
    expect([early.browser.messages.length, late.browser.messages.length]).toEqual([1, 0])
    await tick(at(20, 3))
    expect(late.browser.messages).toHaveLength(1)
  })

  test('whose minutes overlap send each message once', async () => {
    const students = await Promise.all(Array.from({ length: 30 }, () => reminded(server, service)))
    const run = (minute: number) => remind(server.db, push, () => at(20, minute))
    await Promise.all([run(0), run(1), run(2)])
    expect(students.map(({ browser }) => browser.messages.length)).toEqual(students.map(() => 1))
  })

  test('of which one is killed in the middle: the other goes on at its cursor, and nobody is told twice', async () => {
    const students = await Promise.all(Array.from({ length: 45 }, () => reminded(server, service)))
    students.sort((a, b) => (a.uid < b.uid ? -1 : 1))
    const script = path.resolve(import.meta.dirname, '../support/reminderProcess.ts')
    const heard = service.heard(20)
    const child = spawn(process.execPath, [script, server.socketFolder, server.database, String(at(20))], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await heard
    // The first step was answered. The second one has begun, and its messages are at a service that says nothing.
    service.answer('silent')
    await service.heard(40)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await server.db.selectFrom('job').select(['state', 'progress']).execute()).toEqual([
      { state: 'running', progress: 20 },
    ])

    service.answer(null)
    await workOff(server.db, push, () => at(20) + LEASE_MS)
    expect(service.asked).toHaveLength(45)
    expect(new Set(service.asked).size).toBe(45)
    expect(students.slice(40).map(({ browser }) => browser.messages.length)).toEqual([1, 1, 1, 1, 1])
    expect(await server.db.selectFrom('job').select(['state', 'progress']).execute()).toEqual([
      { state: 'done', progress: 25 },
    ])
  })

  test('know the site by the same keys, which are in the database', async () => {
    const [one, two] = await Promise.all([createPush({ db: server.db }), createPush({ db: server.db })])
    expect(one.publicKey).toBe(two.publicKey)
    expect(Buffer.from(one.publicKey, 'base64url')).toHaveLength(65)
    const { value } = await server.db
      .selectFrom('setting')
      .select('value')
      .where('key', '=', 'push.keys')
      .executeTakeFirstOrThrow()
    expect(value).toContain(one.publicKey)
  })
})

describe('an address that takes no more messages', () => {
  test.each([404, 410])('and says so by %i is forgotten', async (status) => {
    await reminded(server, service)
    service.answer({ status })
    await tick(at(20))
    expect(await subscriptions()).toEqual([])
    expect(await results()).toEqual([{ gone: 1 }])
  })

  test.each([400, 403])('for now (%i) is kept, and tried the next day', async (status) => {
    const { browser } = await reminded(server, service)
    service.answer({ status })
    await tick(at(20))
    service.answer(null)
    await tick(at(20, 30))
    expect(browser.messages).toEqual([])
    await tick(at(20, 0, DAY + 1))
    expect(browser.messages).toHaveLength(1)
  })

  test('because its keys are none is forgotten, and the others get theirs', async () => {
    const broken = await reminded(server, service)
    const well = await reminded(server, service)
    const p256dh = Buffer.alloc(65, 4).toString('base64url')
    await server.call(contract.reminder.subscribe, { ...broken.browser.subscription, p256dh }, broken.token)
    await tick(at(20))
    expect(await results()).toEqual([{ gone: 1, sent: 1 }])
    expect(well.browser.messages).toHaveLength(1)
  })

  test('because nobody answers does not hold up the rest for ever', async () => {
    await reminded(server, service)
    service.answer('silent')
    push = await pushHere(server.db, 200)
    await tick(at(20))
    push = await pushHere(server.db)
    expect(await results()).toEqual([{ silent: 1 }])
  })

  test('because nobody answers at its service: the service is left out of the run, and others are told', async () => {
    const other = await startPushServer()
    try {
      const away = await Promise.all(Array.from({ length: 25 }, () => reminded(server, service)))
      const well = await Promise.all(Array.from({ length: 25 }, () => reminded(server, other)))
      service.answer('silent')
      // The other service must answer within it on a busy machine, too.
      push = await pushHere(server.db, 1_500)
      await tick(at(20))
      push = await pushHere(server.db)
      expect(well.map(({ browser }) => browser.messages.length)).toEqual(well.map(() => 1))
      expect(await results()).toEqual([{ silent: away.length, sent: well.length }])
      // The calls of one step leave together.
      expect(service.asked.length).toBeLessThanOrEqual(20)
    } finally {
      await other.stop()
    }
  })
})

describe('whoever would have the server call other addresses', () => {
  test.each([
    'http://fcm.googleapis.com/fcm/send/x',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost:8787/pcapi/user/close',
    'https://10.0.0.8/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://intranet/',
    'https://fcm.googleapis.com:8443/',
    'https://fcm.googleapis.com@evil.example/',
    'https://root:toor@fcm.googleapis.com/',
    'https://fcm.googleapis.com.evil.example/',
    'https://evilfcm.googleapis.com.cn/',
    'https://evil.example/#.push.apple.com',
    'https://evil.example/?fcm.googleapis.com',
    'https://push.apple.com.evil.example/',
    'https://a.b.push.apple.com/',
    'https://notify.windows.com.evil.example/',
    'https://ｆcm.googleapis.com.evil.example/',
    'file:///etc/passwd',
    'gopher://fcm.googleapis.com/',
    'data:text/plain,x',
    'fcm.googleapis.com',
    '',
  ])('%s is refused', (endpoint) => {
    expect(isPushService(endpoint)).toBe(false)
  })

  test.each([
    'https://fcm.googleapis.com/fcm/send/c1K:APA91',
    'https://fcm.googleapis.com:443/wp/c1K',
    // A backslash is a slash in such an address: it leads to the service.
    'https://fcm.googleapis.com\\@evil.example/',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYA',
    'https://web.push.apple.com/QGuQyavXutnMH',
  ])('%s is a browser’s', (endpoint) => {
    expect(isPushService(endpoint)).toBe(true)
  })

  test('is told so in Chinese, and nothing is kept', async () => {
    const student = await server.student()
    const { subscription } = service.browser(push.publicKey)
    const endpoint = 'https://169.254.169.254/latest/meta-data/'
    const envelope = await server.ask(contract.reminder.subscribe, { ...subscription, endpoint }, student.token)
    expect(envelope).toEqual({ status: 0, msg: '暂不支持这个浏览器的推送，请改用日历提醒', data: null })
    expect(await subscriptions()).toEqual([])
  })

  test.each([
    ['endpoint', 'x'.repeat(1025), '推送地址有误'],
    ['p256dh', 'short', '推送密钥有误'],
    ['auth', '<script>', '推送密钥有误'],
  ])('by a wrong %s is refused, too', async (field, value, msg) => {
    const student = await server.student()
    const { subscription } = service.browser(push.publicKey)
    const envelope = await server.ask(contract.reminder.subscribe, { ...subscription, [field]: value }, student.token)
    expect(envelope).toEqual({ status: 0, msg, data: null })
  })

  test('by an answer that leads elsewhere is not followed', async () => {
    await reminded(server, service)
    service.answer({ status: 307, headers: { location: '/inner' } })
    await tick(at(20))
    expect(service.asked).toHaveLength(1)
    expect(await results()).toEqual([{ failed: 1 }])
  })

  test('with an address from before it was known as one of theirs is not served, and it goes', async () => {
    const { uid } = await reminded(server, service)
    await server.db
      .updateTable('push_subscription')
      .set({ endpoint: 'https://10.0.0.8/' })
      .where('uid', '=', uid)
      .execute()
    await tick(at(20))
    expect(service.asked).toEqual([])
    expect(await subscriptions()).toEqual([])
  })
})

describe('a device that is reminded', () => {
  test('is on the list of its student, without its address', async () => {
    const student = await reminded(server, service)
    const { devices } = await server.call(contract.reminder.state, {}, student.token)
    expect(devices).toEqual([{ device: '', service: '127.0.0.1', since: at(12), current: true }])
    const other = await server.student()
    expect((await server.call(contract.reminder.state, {}, other.token)).devices).toEqual([])
  })

  test('is no more once its student turns it off, logs out, or ends its session from another one', async () => {
    const { token } = await reminded(server, service)
    await server.call(contract.reminder.unsubscribe, {}, token)
    expect(await subscriptions()).toEqual([])

    const leaver = await reminded(server, service)
    await server.call(contract.login.logout, {}, leaver.token)
    expect(await subscriptions()).toEqual([])

    const ended = await reminded(server, service)
    const again = await server.student(ended.mobile)
    await server.call(contract.user.endDevices, {}, again.token)
    expect(await subscriptions()).toEqual([])
  })

  test('is not told once its session has run out', async () => {
    const { uid, browser } = await reminded(server, service)
    await server.db
      .updateTable('session')
      .set({ expires_at: at(19) })
      .where('uid', '=', uid)
      .execute()
    await tick(at(20))
    expect(browser.messages).toEqual([])
  })

  test('belongs to the student who asked last', async () => {
    const first = await reminded(server, service)
    const second = await server.student()
    await server.call(contract.reminder.subscribe, first.browser.subscription, second.token)
    expect(await subscriptions()).toMatchObject([{ uid: second.uid }])
    await tick(at(20))
    expect(first.browser.messages).toEqual([])
  })

  test('asks twice at once, and is one', async () => {
    const student = await server.student()
    const { subscription } = service.browser(push.publicKey)
    const ask = () => server.call(contract.reminder.subscribe, subscription, student.token)
    await Promise.all([ask(), ask(), ask()])
    expect(await subscriptions()).toHaveLength(1)
  })
})
