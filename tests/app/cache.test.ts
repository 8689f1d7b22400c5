import { focusManager, MutationObserver, onlineManager, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { entries, set } from 'idb-keyval'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '#src/api/client.ts'
import { OfflineError, RefusedError, ServerFaultError, UnauthorizedError } from '#src/api/errors.ts'
import { query } from '#src/api/query.ts'
import { contract } from '#src/contract/index.ts'
import { createQueryClient, forgetBoot, restoreBoot, watchNetwork } from '#src/offline/device/cache.ts'
import { cacheStore } from '#src/offline/device/cacheStore.ts'
import { connect, json, nobody, page, silence, type Wire } from '#tests/support/wire.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let wire: Wire
let owner: string
let owners = 0
beforeEach(() => {
  localStorage.clear()
  // A student of its own for each test: nothing of one is on another's device.
  owner = `u:cache${++owners}`
  wire = connect()
})
afterEach(() => {
  wire.restore()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const answer = (data: unknown) => () => json({ status: 1, msg: '', data })
const SUBJECTS = [{ no: 'politics', name: '政治' }]
/** One query for each place of keeping. */
const device = () => query(contract.structural.subjectList, {})
const boot = () => query(contract.home.getNotice, {})
const onDisk = async (): Promise<string[]> =>
  (await entries<string, string>(cacheStore(owner))).map(([key]) => key).filter((key) => key.startsWith('q-'))
/** A page that has read the subjects, and whose device has kept them. */
async function keptOnDevice(data: unknown = SUBJECTS): Promise<void> {
  wire.fault = answer(data)
  await createQueryClient(owner).fetchQuery(device())
  await expect.poll(onDisk).toHaveLength(1)
}

describe('how long an answer serves', () => {
  test('five minutes without asking again, five more in memory', async () => {
    const client = createQueryClient(owner)
    expect(client.getDefaultOptions().queries).toMatchObject({ staleTime: 5 * MINUTE, gcTime: 5 * MINUTE })
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    wire.fault = answer({ text: '' })
    await client.fetchQuery(boot())
    vi.setSystemTime(5 * MINUTE - 1)
    await client.fetchQuery(boot())
    expect(wire.sent).toHaveLength(1)
    vi.setSystemTime(5 * MINUTE)
    await client.fetchQuery(boot())
    expect(wire.sent).toHaveLength(2)
  })
})

describe('asking again after a failure', () => {
  test.each([
    ['a fault of the server: twice', new ServerFaultError(500), 3],
    ['no network', new OfflineError('x'), 1],
    ['a refusal', new RefusedError('x'), 1],
    ['an expired login', new UnauthorizedError(), 1],
    ['a fault of ours', new TypeError('x'), 1],
  ])('%s', async (_, error, times) => {
    vi.useFakeTimers()
    const ask = vi.fn<() => Promise<never>>().mockRejectedValue(error)
    const client = createQueryClient(owner)
    const screen = new QueryObserver(client, { queryKey: ['x'], queryFn: ask })
    const leave = screen.subscribe(() => {})
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(ask).toHaveBeenCalledTimes(times)
    expect(screen.getCurrentResult().error).toBe(error)
    leave()
  })
  test('waits 1 s, 2 s, 4 s …, never more than 30 s', () => {
    const delay = createQueryClient(owner).getDefaultOptions().queries?.retryDelay
    if (typeof delay !== 'function') throw new Error('no back-off')
    const waits = [0, 1, 2, 3, 4, 5, 20].map((attempt) => delay(attempt, new Error('x')))
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })
  test('a failed act of the student is told once', async () => {
    const told = vi.fn<(error: unknown) => void>()
    const client = createQueryClient(owner, told)
    wire.fault = () => page(500)
    const act = new MutationObserver(client, { mutationFn: () => call(contract.user.save, {}) })
    await act.mutate().catch(() => {})
    expect(told.mock.calls.map(([error]) => error)).toEqual([expect.any(ServerFaultError)])
  })
})

describe('what is kept on the device', () => {
  test('is there at the next start, without a network', async () => {
    await keptOnDevice()
    wire.fault = nobody
    await expect(createQueryClient(owner).fetchQuery(device())).resolves.toEqual(SUBJECTS)
  })
  test('never expires: after a year it is shown, and asked for anew behind it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await keptOnDevice()
    vi.setSystemTime(Date.now() + 400 * DAY)
    wire.fault = silence
    const client = createQueryClient(owner)
    const screen = new QueryObserver(client, device())
    const leave = screen.subscribe(() => {})
    await expect.poll(() => wire.sent).toHaveLength(2)
    expect(screen.getCurrentResult()).toMatchObject({ data: SUBJECTS, isFetching: true })
    await client.cancelQueries()
    expect(screen.getCurrentResult().data).toEqual(SUBJECTS)
    leave()
  })
  test('when it is stale, the newer answer replaces it on the screen and on the device', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await keptOnDevice()
    vi.setSystemTime(Date.now() + DAY)
    const newer = [...SUBJECTS, { no: 'history', name: '历史' }]
    wire.fault = answer(newer)
    const seen: unknown[] = []
    const leave = new QueryObserver(createQueryClient(owner), device()).subscribe(({ data }) => seen.push(data))
    await expect.poll(() => seen).toContainEqual(newer)
    expect(seen).toContainEqual(SUBJECTS)
    leave()
    wire.fault = nobody
    const kept = () => createQueryClient(owner).fetchQuery(device())
    await expect.poll(kept).toEqual(newer)
  })
  describe('on a first visit, whose answers index.html has asked for', () => {
    beforeEach(() => {
      window.jkEarly = { '/pcapi/structural/subjectList?another=form': new Promise(() => {}) }
    })
    afterEach(() => {
      delete window.jkEarly
    })
    test('is not looked at before the answer, and keeps it', async () => {
      await keptOnDevice()
      const newer = [{ no: 'history', name: '历史' }]
      wire.fault = answer(newer)
      await expect(createQueryClient(owner).fetchQuery(device())).resolves.toEqual(newer)
      await expect.poll(async () => (await entries<string, string>(cacheStore(owner))).join()).toContain('历史')
    })
    test('serves all the same when nobody answers', async () => {
      await keptOnDevice()
      wire.fault = nobody
      await expect(createQueryClient(owner).fetchQuery(device())).resolves.toEqual(SUBJECTS)
    })
  })
  test('is what the contract says: nothing else goes to IndexedDB', async () => {
    const client = createQueryClient(owner)
    wire.fault = answer({ text: '公告' })
    await client.fetchQuery(boot())
    wire.fault = answer('data:image/png;base64,')
    await client.fetchQuery(query(contract.login.getImgVerifyCode, { mobile: '13800000001' }))
    wire.fault = answer(SUBJECTS)
    await client.fetchQuery(device())
    await expect.poll(onDisk).toEqual([expect.stringContaining('structural/subjectList')])
  })
  test('belongs to its student: another one’s page asks the server', async () => {
    await keptOnDevice()
    wire.fault = nobody
    await expect(createQueryClient('u:other').fetchQuery(device())).rejects.toThrow(OfflineError)
  })
  test('when it cannot be read, the server is asked', async () => {
    await keptOnDevice()
    const [key = ''] = await onDisk()
    await set(key, '{"state":', cacheStore(owner))
    wire.fault = answer([])
    await expect(createQueryClient(owner).fetchQuery(device())).resolves.toEqual([])
  })
})

describe('a device whose storage fails', () => {
  const broken = () =>
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
  test('still shows what the server answers, and is not tried for ever', async () => {
    const open = broken()
    const client = createQueryClient(owner)
    wire.fault = answer(SUBJECTS)
    for (let i = 0; i < 10; i++)
      await expect(client.fetchQuery(query(contract.structural.getPoint, { subject: `s${i}` }))).resolves.toEqual(
        SUBJECTS,
      )
    expect(open.mock.calls.length).toBeLessThanOrEqual(4)
  })
  test('and whose disk never answers holds no screen up for longer than a moment', async () => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => new EventTarget() as IDBOpenDBRequest)
    vi.useFakeTimers()
    wire.fault = answer(SUBJECTS)
    const shown = vi.fn<(data: unknown) => void>()
    void createQueryClient(owner).fetchQuery(device()).then(shown)
    await vi.advanceTimersByTimeAsync(1499)
    expect(shown).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect(shown).toHaveBeenCalledWith(SUBJECTS)
    await vi.advanceTimersByTimeAsync(MINUTE)
  })
})

describe('the snapshot that the first paint needs', () => {
  const snapshot = () => localStorage.getItem('jk-boot') ?? ''
  async function page1(): Promise<QueryClient> {
    const client = createQueryClient(owner)
    await restoreBoot(client)
    return client
  }
  const written = () => vi.advanceTimersByTimeAsync(1_000)
  beforeEach(() => void vi.useFakeTimers())

  test('is there at the next start at once, without a network and without IndexedDB', async () => {
    wire.fault = answer({ text: '公告' })
    await (await page1()).fetchQuery(boot())
    await written()
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    wire.fault = nobody
    vi.setSystemTime(Date.now() + 400 * DAY)
    expect((await page1()).getQueryData(boot().queryKey)).toEqual({ text: '公告' })
  })
  test('holds nothing but what is marked for it', async () => {
    const client = await page1()
    wire.fault = answer({ text: '公告' })
    await client.fetchQuery(boot())
    client.setQueryData(device().queryKey, SUBJECTS)
    await written()
    expect(snapshot()).toContain('公告')
    expect(snapshot()).not.toContain('politics')
  })
  test('keeps good data that a failed refetch could not replace', async () => {
    const client = await page1()
    wire.fault = answer({ text: '公告' })
    await client.fetchQuery(boot())
    wire.fault = nobody
    await client.fetchQuery({ ...boot(), staleTime: 0 }).catch(() => {})
    expect(client.getQueryState(boot().queryKey)?.status).toBe('error')
    await written()
    expect((await page1()).getQueryData(boot().queryKey)).toEqual({ text: '公告' })
  })
  test('is at most 50,000 characters: what is too large leaves the older one', async () => {
    const client = await page1()
    wire.fault = answer({ text: '公告' })
    await client.fetchQuery(boot())
    await written()
    client.setQueryData(boot().queryKey, { text: '长'.repeat(50_000), at: null })
    await written()
    expect(snapshot()).toContain('公告')
    expect(snapshot().length).toBeLessThan(50_000)
  })
  test('that cannot be read is dropped, and the page starts', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    localStorage.setItem('jk-boot', '{"timestamp":')
    const client = await page1()
    expect(snapshot()).toBe('')
    wire.fault = answer({ text: '公告' })
    await expect(client.fetchQuery(boot())).resolves.toEqual({ text: '公告' })
  })
  test('does not need a storage that works', async () => {
    for (const method of ['getItem', 'setItem', 'removeItem'] as const)
      vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new DOMException('denied', 'SecurityError')
      })
    const client = await page1()
    wire.fault = answer({ text: '公告' })
    await client.fetchQuery(boot())
    await written()
    expect(client.getQueryData(boot().queryKey)).toEqual({ text: '公告' })
    expect(forgetBoot).not.toThrow()
  })
  test('is gone after a logout', async () => {
    wire.fault = answer({ text: '公告' })
    await (await page1()).fetchQuery(boot())
    await written()
    forgetBoot()
    expect((await page1()).getQueryData(boot().queryKey)).toBeUndefined()
  })
})

describe('the network as the page knows it', () => {
  const look = () => document.dispatchEvent(new Event('visibilitychange'))
  test('coming back to the page refreshes, at most every five seconds, every time', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: DAY })
    watchNetwork()
    const focused = vi.fn<(focused: boolean) => void>()
    const stop = focusManager.subscribe(focused)
    const after = (ms: number) => {
      vi.setSystemTime(DAY + ms)
      look()
      return focused.mock.calls.length
    }
    expect([after(0), after(4_999), after(5_000), after(9_999), after(10_000), after(60_000)]).toEqual([
      1, 1, 2, 2, 3, 4,
    ])
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    expect(after(120_000)).toBe(4)
    stop()
  })
  test('is lost with a call that reaches nobody, and back with the first answer of any kind', async () => {
    watchNetwork()
    const ask = () => call(contract.home.getNotice, {}).catch(() => {})
    wire.fault = nobody
    await ask()
    expect(onlineManager.isOnline()).toBe(false)
    wire.fault = () => page(500)
    await ask()
    expect(onlineManager.isOnline()).toBe(true)
  })
  test('is found back within five seconds by a page that somebody looks at, and a gateway’s answer is none', async () => {
    vi.useFakeTimers()
    watchNetwork()
    wire.fault = nobody
    await call(contract.home.getNotice, {}).catch(() => {})
    for (const fault of [nobody, () => page(502), () => page(503), () => page(504), () => page(200)]) {
      wire.fault = fault
      await vi.advanceTimersByTimeAsync(20_000)
      expect(onlineManager.isOnline()).toBe(false)
    }
    wire.fault = () => page(500)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(onlineManager.isOnline()).toBe(true)
    const { length } = wire.sent
    await vi.advanceTimersByTimeAsync(60_000)
    expect(wire.sent).toHaveLength(length)
    vi.useRealTimers()
  })
  test('is there while only the server behind a gateway is away, which is found back as soon', async () => {
    vi.useFakeTimers()
    watchNetwork()
    wire.fault = () => page(502)
    await call(contract.home.getNotice, {}).catch(() => {})
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onlineManager.isOnline()).toBe(true)
    wire.fault = () => page(500)
    const { length: before } = wire.sent
    await vi.advanceTimersByTimeAsync(5_000)
    const { length } = wire.sent
    expect(length).toBeGreaterThan(before)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(wire.sent).toHaveLength(length)
    vi.useRealTimers()
  })
  test('without it a first read fails at once instead of waiting for ever', async () => {
    onlineManager.setOnline(false)
    wire.fault = nobody
    await expect(createQueryClient(owner).fetchQuery(device())).rejects.toThrow(OfflineError)
    onlineManager.setOnline(true)
  })
})
