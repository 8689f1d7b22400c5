import COS from 'cos-js-sdk-v5'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { STORAGE_OPTIONS } from '#src/upload/cos/cos.ts'

const MB = 1024 * 1024
const AT = { Bucket: 'lijian-1', Region: 'default', Key: 'u/x/a.jpg' }
const CACHE = 'cos_sdk_upload_cache'

interface Asked {
  method: string
  url: string
  qs?: Record<string, string>
}
interface Answer {
  statusCode: number
  headers?: Record<string, string>
  body?: string
  error?: Error
}
/** The SDK as we set it up, over whatever stands in for the network; null: no answer ever. */
function client(answer: (asked: Asked) => Answer | null, keys: () => Partial<COS.Credentials> = () => ({})) {
  const given = vi.fn<() => Partial<COS.Credentials>>(keys)
  const asked: Asked[] = []
  const request = (opt: Asked, done: (answer: Answer) => void) => {
    asked.push(opt)
    const said = answer(opt)
    if (said) queueMicrotask(() => done({ headers: {}, body: '', ...said }))
    return { abort: () => {} }
  }
  const options: COS.COSOptions & { Request: typeof request } = {
    ...STORAGE_OPTIONS,
    Domain: '127.0.0.1/bucket',
    Protocol: 'http:',
    Request: request,
    getAuthorization: (_, give) => {
      const now = Math.round(Date.now() / 1000)
      const good = {
        TmpSecretId: 'id',
        TmpSecretKey: 'key',
        SecurityToken: 'token',
        StartTime: now,
        ExpiredTime: now + 900,
      }
      give({ ...good, ...given() })
    },
  }
  return { cos: new COS(options), asked, given }
}
const put = (cos: COS): Promise<COS.CosError> =>
  new Promise((resolve) => cos.putObject({ ...AT, Body: new Blob(['x']) }, (error) => resolve(error)))
const upload = (cos: COS, size: number, key = AT.Key): Promise<COS.CosError> =>
  new Promise((resolve) => cos.uploadFile({ ...AT, Key: key, Body: aFile(size) }, (error) => resolve(error)))
function aFile(size: number): File {
  const file = new File([new Uint8Array(size)], 'a.jpg', { lastModified: 1 })
  Object.defineProperty(file, 'lastModifiedDate', { value: new Date(1) })
  return file
}
const OK: Answer = { statusCode: 200, headers: { etag: '"e"' } }
const LIST = '<ListMultipartUploadsResult></ListMultipartUploadsResult>'
const BEGUN = '<InitiateMultipartUploadResult><UploadId>new</UploadId></InitiateMultipartUploadResult>'
const isPart = ({ qs }: Asked): boolean => qs?.partNumber !== undefined
/** Up to the parts everything is answered. */
const begun = ({ method, url }: Asked): Answer | null => {
  if (!url.includes('?uploads')) return null
  return { statusCode: 200, body: method === 'GET' ? LIST : BEGUN }
}

beforeEach(() => localStorage.clear())
afterEach(() => vi.useRealTimers())

describe('what spec.md §9 says of the storage client', () => {
  test.each([
    ['part size 1 MB', 'ChunkSize', MB],
    ['a file above one part goes in parts', 'SliceSize', MB],
    ['3 parts at a time', 'ChunkParallelLimit', 3],
    ['3 files at a time', 'FileParallelLimit', 3],
    ['retries 2', 'ChunkRetryTimes', 2],
    ['copy part 10 MB', 'CopyChunkSize', 10 * MB],
    ['copied in parts above 10 MB', 'CopySliceSize', 10 * MB],
    ['copy parallelism 20', 'CopyChunkParallelLimit', 20],
    ['at most 10000 parts', 'MaxPartNumber', 10_000],
    ['upload-id cache 50 entries', 'UploadIdCacheLimit', 50],
    ['queue size 10000', 'UploadQueueSize', 10_000],
    ['progress interval 1000 ms', 'ProgressInterval', 1_000],
    ['tracker delay 5000 ms', 'TrackerDelay', 5_000],
    ['clock skew is corrected', 'CorrectClockSkew', true],
  ] as const)('%s', (_, name, value) => {
    expect(STORAGE_OPTIONS[name]).toBe(value)
    expect(Reflect.get(client(() => null).cos, 'options')).toHaveProperty(name, value)
  })

  test('signature validity 900 s', () => {
    const authorization = COS.getAuthorization({ SecretId: 'id', SecretKey: 'key', Method: 'PUT', Key: 'a' })
    const [, from, to] = /q-sign-time=(\d+);(\d+)/.exec(authorization) ?? []
    expect(Number(to) - Number(from)).toBe(900)
  })

  test('upload ids are kept 720 hours, and the newest 50 of them', async () => {
    const hoursAgo = (hours: number) => Math.round(Date.now() / 1000) - hours * 3600
    const many = Array.from({ length: 60 }, (_, i) => [`f${i}`, `id${i}`, hoursAgo(1)])
    localStorage.setItem(CACHE, JSON.stringify([['a', 'kept', hoursAgo(719)], ['b', 'old', hoursAgo(721)], ...many]))
    const { cos, asked } = client(begun)
    void upload(cos, 2 * MB)
    await expect.poll(() => asked.some(isPart)).toBe(true)
    const ids = () => (JSON.parse(localStorage.getItem(CACHE) ?? '[]') as string[][]).map(([, id]) => id)
    await expect.poll(ids).toHaveLength(50)
    expect(ids().slice(0, 3)).toEqual(['new', 'kept', 'id0'])
    expect(ids()).not.toContain('old')
  })

  test('three parts of a file are on their way at a time, and three files', async () => {
    const { cos, asked } = client(begun)
    void upload(cos, 5 * MB)
    await expect.poll(() => asked.filter(isPart).length).toBe(3)
    for (const n of [1, 2, 3]) void upload(cos, 2 * MB, `u/x/${n}.jpg`)
    await expect
      .poll(() => cos.getTaskList().map(({ state }) => state))
      .toEqual(['uploading', 'uploading', 'uploading', 'waiting'])
    expect(asked.filter(isPart)).toHaveLength(7)
  })

  test.each([
    ['a server fault', { statusCode: 500 }],
    ['no network', { statusCode: 0, error: new Error('CORS blocked or network error') }],
    ['a time-out', { statusCode: 0, error: new Error('timeout') }],
  ])('%s is tried again three times', async (_, answer) => {
    const { cos, asked } = client(() => answer)
    expect(await put(cos)).toBeInstanceOf(Error)
    expect(asked).toHaveLength(4)
  })

  test('a refusal is not tried again', async () => {
    const { cos, asked } = client(() => ({ statusCode: 403, body: '<Error><Code>AccessDenied</Code></Error>' }))
    expect(await put(cos)).toMatchObject({ code: 'AccessDenied' })
    expect(asked).toHaveLength(1)
  })

  test('a part is tried two times more, each with its own three', async () => {
    const { cos, asked } = client(
      (one) => begun(one) ?? (Number(one.qs?.partNumber) === 1 ? { statusCode: 500 } : null),
    )
    expect(await upload(cos, 2 * MB)).toMatchObject({ statusCode: 500 })
    expect(asked.filter((one) => Number(one.qs?.partNumber) === 1)).toHaveLength(12)
  })

  test.each([
    [31_000, 2],
    [29_000, 1],
  ])('a clock that is %i ms wrong: %i requests, corrected from 30 s on', async (ms, requests) => {
    // The SDK says so to the console.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.useFakeTimers({ toFake: ['Date'] })
    const date = new Date(Math.floor(Date.now() / 1000) * 1000)
    vi.setSystemTime(date)
    const ServerTime = new Date(date.getTime() + ms).toISOString()
    let first = true
    const { cos, asked } = client(() => {
      if (!first) return OK
      first = false
      return {
        statusCode: 403,
        body: `<Error><Code>RequestTimeTooSkewed</Code><ServerTime>${ServerTime}</ServerTime></Error>`,
      }
    })
    await put(cos)
    expect(asked).toHaveLength(requests)
  })

  test.each([
    [61, 1],
    [59, 2],
  ])('keys with %i s left are asked for %i time(s) over two requests', async (left, times) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const start = Math.floor(Date.now() / 1000)
    vi.setSystemTime(start * 1000)
    const { cos, given } = client(
      () => OK,
      () => ({ StartTime: start, ExpiredTime: start + left }),
    )
    await put(cos)
    await put(cos)
    expect(given).toHaveBeenCalledTimes(times)
  })

  test('progress is told once a second', async () => {
    const told: number[] = []
    const { cos } = client(() => null)
    const Request = ({ onProgress }: { onProgress: (event: object) => void }) => {
      for (let i = 1; i <= 100; i++) onProgress({ loaded: i })
      return { abort: () => {} }
    }
    Object.assign(Reflect.get(cos, 'options'), { Request })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    cos.putObject({ ...AT, Body: new Blob(['x'.repeat(100)]), onProgress: ({ loaded }) => told.push(loaded) }, () => {})
    await vi.advanceTimersByTimeAsync(999)
    expect(told).toEqual([0])
    await vi.advanceTimersByTimeAsync(2)
    expect(told).toEqual([0, 100])
  })
})
