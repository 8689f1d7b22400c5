import * as v from 'valibot'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type JobKind, jobKind, LEASE_MS, runJob, type Task } from '#server/jobs/runner.ts'
import { cancelJob, putJob, sweepJobs } from '#server/jobs/store.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const failures: unknown[] = []
beforeEach(async () => {
  failures.length = 0
  await server.db.deleteFrom('job').execute()
})

const Steps = v.object({ steps: v.number() })
type Steps = v.InferOutput<typeof Steps>
const kindOf = (run: (task: Task<Steps>) => Promise<object>): JobKind => jobKind('steps', Steps, run)
/** A server of its own on the same database. */
const runOn = (kind: JobKind, over: { stop?: AbortSignal } = {}) =>
  runJob({
    db: server.db,
    kinds: [kind],
    now: () => server.clock.now,
    stop: new AbortController().signal,
    failed: (error) => failures.push(error),
    ...over,
  })
const put = (steps: unknown = 3, key?: string) =>
  putJob(server.db, { kind: 'steps', args: { steps }, now: server.clock.now, ...(key && { key }) })
const jobs = () => server.db.selectFrom('job').selectAll().orderBy('id').execute()
const job = async () => (await jobs())[0]

/** Each number from the cursor on, one step each. */
const counting = (done: number[], at: (step: number) => unknown = () => null) =>
  kindOf(async ({ args, cursor, save }) => {
    for (let step = Number(cursor ?? 0) + 1; step <= args.steps; step++) {
      done.push(step)
      await at(step)
      await save(String(step), step)
    }
    return { counted: args.steps }
  })

describe('work in the database', () => {
  test('is done once, oldest first, and its result is kept', async () => {
    await put(2)
    await put(1)
    const done: number[] = []
    while (await runOn(counting(done)));
    expect(done).toEqual([1, 2, 1])
    expect(await jobs()).toMatchObject([
      { state: 'done', cursor: '2', progress: 2, result: { counted: 2 }, ended_at: server.clock.now },
      { state: 'done', cursor: '1', progress: 1, result: { counted: 1 } },
    ])
  })

  test('put in twice under one key is one', async () => {
    await Promise.all([put(2, 'today'), put(2, 'today'), put(2, 'today')])
    expect(await jobs()).toHaveLength(1)
  })

  test('of a kind that this server does not know waits for one that does', async () => {
    await putJob(server.db, { kind: 'of a later version', args: {}, now: server.clock.now })
    expect(await runOn(counting([]))).toBe(false)
    expect(await job()).toMatchObject({ state: 'waiting', tries: 0 })
  })

  test('is taken by one server when several ask at once', async () => {
    await put(3)
    const done: number[] = []
    const kind = counting(done)
    const took = await Promise.all([runOn(kind), runOn(kind), runOn(kind), runOn(kind)])
    expect(took.filter(Boolean)).toHaveLength(1)
    expect(done).toEqual([1, 2, 3])
  })

  test('that has ended is forgotten after a month', async () => {
    await put(1)
    await runOn(counting([]))
    await put(1)
    await sweepJobs(server.db, server.clock.now + 29 * 86_400_000)
    expect(await jobs()).toHaveLength(2)
    await sweepJobs(server.db, server.clock.now + 31 * 86_400_000)
    expect(await jobs()).toMatchObject([{ state: 'waiting' }])
  })
})

describe('a server that', () => {
  test('ends leaves the work at its cursor, and the next one goes on there at once', async () => {
    await put(4)
    const stop = new AbortController()
    const done: number[] = []
    await runOn(
      counting(done, (step) => step === 2 && stop.abort()),
      { stop: stop.signal },
    )
    expect(await job()).toMatchObject({ state: 'waiting', cursor: '2', tries: 0 })
    expect(await runOn(counting(done), { stop: stop.signal })).toBe(false)
    await runOn(counting(done))
    expect(done).toEqual([1, 2, 3, 4])
    expect(failures).toEqual([])
  })

  test('is killed leaves it too: another takes it after the lease, and not before', async () => {
    await put(5)
    const script = path.resolve(import.meta.dirname, '../support/jobProcess.ts')
    const child = spawn(process.execPath, [script, server.socketFolder, server.database, '3'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const held = await job()
    expect(held).toMatchObject({ state: 'running', cursor: '3' })

    const done: number[] = []
    server.clock.now = (held?.lease_until ?? 0) - 1
    expect(await runOn(counting(done))).toBe(false)
    server.clock.now++
    expect(await runOn(counting(done))).toBe(true)
    expect(done).toEqual([4, 5])
    expect(await job()).toMatchObject({ state: 'done', result: { counted: 5 } })
  })

  test('was only slow learns that another has its work, and writes nothing more', async () => {
    await put(3)
    const slow: number[] = []
    const quick: number[] = []
    const [begun, step] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let other: Promise<unknown> = Promise.resolve()
    const takeOver = () => {
      server.clock.now += LEASE_MS
      other = runOn(
        counting(quick, () => {
          begun.resolve()
          return step.promise
        }),
      )
      return begun.promise
    }
    await runOn(counting(slow, (at) => (at === 2 ? takeOver() : null)))
    expect(slow).toEqual([1, 2])
    // The other one is at its first step, and has the work still.
    expect(await job()).toMatchObject({ state: 'running', cursor: '1' })
    step.resolve()
    await other
    expect(quick).toEqual([2, 3])
    expect(await job()).toMatchObject({ state: 'done', cursor: '3' })
    expect(failures).toEqual([])
  })

  test('is at a long step keeps its lease by a heartbeat', async () => {
    await put(1)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const [begun, step] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const running = runOn(
      counting([], () => {
        begun.resolve()
        return step.promise
      }),
    )
    await begun.promise
    const before = (await job())?.lease_until ?? 0
    server.clock.now += LEASE_MS - 1
    vi.advanceTimersByTime(15_000)
    vi.useRealTimers()
    await expect.poll(async () => (await job())?.lease_until).toBe(before + LEASE_MS - 1)
    server.clock.now++
    expect(await runOn(counting([]))).toBe(false)
    step.resolve()
    await running
  })
})

describe('work that fails', () => {
  test('is tried again later and later, and given up after the sixth time', async () => {
    await put(1)
    const failing = kindOf(() => Promise.reject(new Error('no luck')))
    const waits: number[] = []
    for (let tries = 1; tries < 6; tries++) {
      expect(await runOn(failing)).toBe(true)
      expect(await runOn(failing)).toBe(false)
      const until = (await job())?.lease_until ?? 0
      waits.push(until - server.clock.now)
      server.clock.now = until
    }
    await runOn(failing)
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000])
    expect(await job()).toMatchObject({ state: 'failed', result: { error: 'Error: no luck' } })
    expect(failures).toHaveLength(6)
  })

  test('after a step begins to count anew', async () => {
    await put(3)
    for (let tries = 1; tries <= 5; tries++) {
      await runOn(kindOf(() => Promise.reject(new Error('no luck'))))
      server.clock.now += 86_400_000
    }
    await runOn(
      counting([], (step) => {
        if (step === 2) throw new Error('no luck either')
      }),
    )
    expect(await job()).toMatchObject({ state: 'waiting', cursor: '1', tries: 1 })
  })

  test('by killing its server is given up, too', async () => {
    await put(1)
    const began: number[] = []
    for (let tries = 1; tries <= 7; tries++) {
      // A killed process leaves it so.
      await server.db
        .updateTable('job')
        .set({ tries: tries - 1, lease_until: 0 })
        .execute()
      await runOn(
        kindOf(async () => {
          began.push(tries)
          await server.db.updateTable('job').set({ holder: 'killed' }).execute()
          return {}
        }),
      )
    }
    expect(began).toEqual([1, 2, 3, 4, 5, 6])
    expect(await job()).toMatchObject({ state: 'failed' })
  })

  test('because its arguments are none does so without being begun', async () => {
    await put('three')
    const done: number[] = []
    await runOn(counting(done))
    expect(done).toEqual([])
    expect(failures).toHaveLength(1)
  })
})

describe('work that is cancelled', () => {
  test('before anybody has begun it never begins', async () => {
    await put(3)
    await cancelJob(server.db, (await job())?.id ?? 0)
    const done: number[] = []
    await runOn(counting(done))
    expect(done).toEqual([])
    expect(await job()).toMatchObject({ state: 'cancelled', ended_at: server.clock.now })
  })

  test('stops after the step that is under way', async () => {
    await put(3)
    const id = (await job())?.id ?? 0
    const done: number[] = []
    await runOn(counting(done, (step) => (step === 2 ? cancelJob(server.db, id) : null)))
    expect(done).toEqual([1, 2])
    expect(await job()).toMatchObject({ state: 'cancelled', cursor: '2' })
    expect(failures).toEqual([])
  })

  test('after its end stays as it ended', async () => {
    await put(1)
    await runOn(counting([]))
    await cancelJob(server.db, (await job())?.id ?? 0)
    expect(await job()).toMatchObject({ state: 'done', cancel: false })
  })
})
