import { randomUUID } from 'node:crypto'
import { contract } from '#src/contract/index.ts'
import { runJob } from '#server/jobs/runner.ts'
import { createPush, type Push } from '#server/outside/push.ts'
import { putReminders, reminderJob } from '#server/reminder/job.ts'
import { isDayDone } from '#server/study/dayDone.ts'
import type { Db } from '#server/db/open.ts'
import { opOf } from './ops.ts'
import type { Browser, PushServer } from './pushServer.ts'
import { startServer, type TestServer } from './server.ts'

/** Messages to services of tests: those of this machine. */
export const pushHere = (db: Db, callMs = 5_000): Promise<Push> =>
  createPush({ db, takes: (endpoint) => endpoint.startsWith('http://127.0.0.1:'), callMs })

/** Starts a server that gives its key and takes addresses as `push` does, which is made of the server's own database. */
export const startReminding = (push: () => Push): Promise<TestServer> =>
  startServer({
    push: {
      get publicKey() {
        return push().publicKey
      },
      takes: (endpoint) => push().takes(endpoint),
      send: (...message) => push().send(...message),
    },
  })

/** One look of one server at the clock, and all work that is there. */
export async function remind(db: Db, push: Push, now: () => number): Promise<void> {
  await putReminders(db, now())
  await workOff(db, push, now)
}
export async function workOff(db: Db, push: Push, now: () => number): Promise<void> {
  const kinds = [reminderJob({ db, push, now, productName: '砺剑军考', isDayDone })]
  const failed = (error: unknown) => {
    throw error
  }
  while (await runJob({ db, kinds, now, stop: new AbortController().signal, failed }));
}

type Student = Awaited<ReturnType<TestServer['student']>>
/** Settings of the plan, decided now, and so after whatever was decided before. */
export const decide = async (
  server: TestServer,
  { uid, token }: Student,
  settings: Record<string, string | number>,
): Promise<void> => {
  server.clock.now++
  const ops = Object.entries(settings).map(([name, value], i) => ({
    ...opOf('setting', { name: 'examDate', value: '' }, { seq: i + 1, at: server.clock.now }),
    stream: `setting:${name}`,
    payload: { name, value },
  }))
  const batch = { device: randomUUID(), owner: uid, proto: 1 as const, sentAt: server.clock.now, cursor: 0, ops }
  const { verdicts } = await server.call(contract.study.sync, batch, token)
  for (const { verdict } of verdicts) if (verdict !== 'applied') throw new Error(JSON.stringify(verdicts))
}

/** A student whose browser takes messages, to be reminded at a time. */
export async function reminded(
  server: TestServer,
  service: PushServer,
  settings: Record<string, string | number> = { reminderAt: '20:00' },
): Promise<Student & { browser: Browser }> {
  const student = await server.student()
  const { publicKey } = await server.call(contract.reminder.state, {}, student.token)
  const browser = service.browser(publicKey)
  await server.call(contract.reminder.subscribe, browser.subscription, student.token)
  await decide(server, student, settings)
  return { ...student, browser }
}
