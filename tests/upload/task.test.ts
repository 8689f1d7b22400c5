import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { session } from '#src/session/session.ts'
import { type Upload, type UploadNow, uploadPicture } from '#src/upload/task.ts'
import { faultWords, STATE_WORDS } from '#src/upload/words.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { type StorageServer, startStorageServer } from '#tests/support/storageServer.ts'
import { connect, json, nobody, type Wire } from '#tests/support/wire.ts'

const MB = 1024 * 1024
let server: StorageServer
let wire: Wire
beforeAll(async () => {
  server = await startStorageServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.line.set('ok')
  wire = connect(server)
  server.came.length = 0
  server.onCame = () => {}
})
afterEach(() => {
  wire.restore()
  vi.restoreAllMocks()
})

async function aStudent(): Promise<{ uid: string; token: string }> {
  const student = await server.student()
  prepareDevice(student)
  return student
}
/** A JPEG by its first bytes; each part of it differs from the others. */
function aFile(size: number, name = 'a.jpg', head = [0xff, 0xd8, 0xff, 0xe0]): File {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i += 1000) bytes[i] = i / 1000
  bytes.set(head)
  return new File([bytes], name, { type: 'image/jpeg', lastModified: 1_790_000_000_000 })
}
function begin(file: File): {
  upload: Upload
  told: UploadNow[]
  now: () => UploadNow | undefined
  ends: () => Promise<UploadNow>
} {
  const told: UploadNow[] = []
  const upload = uploadPicture(file, (now) => told.push(now))
  const now = () => told.at(-1)
  const ends = async () => {
    await expect.poll(() => now()?.state).toMatch(/^(error|success|canceled)$/)
    return told.at(-1) as UploadNow
  }
  return { upload, told, now, ends }
}
const statesOf = (told: readonly UploadNow[]): string[] =>
  told.map(({ state }) => state).filter((state, i, all) => state !== all[i - 1])
const bytesAt = async (url: string) => (await server.app.inject(new URL(url).pathname)).rawPayload.length
const keysAsked = () => wire.sent.filter(({ path }) => path === '/pcapi/config/getCosImgSig').length

describe('a picture', () => {
  test('waits, goes up and is there, under its own name behind the student’s prefix and what makes it the only one', async () => {
    await aStudent()
    const { told, ends } = begin(aFile(5_000, '我的 照片(1)#50%.JPG'))
    const { url } = await ends()
    expect(statesOf(told)).toEqual(['waiting', 'uploading', 'success'])
    expect(told.at(-1)).toMatchObject({ part: 1, fault: null })
    const last = '%E6%88%91%E7%9A%84%20%E7%85%A7%E7%89%87%281%29%2350%25.JPG'
    expect(url).toMatch(new RegExp(`^${server.origin}/bucket/u/[0-9a-f]{32}/[0-9a-f]{12}/${last}$`))
    expect(await bytesAt(url ?? '')).toBe(5_000)
    expect(server.came.map(({ method }) => method)).toEqual(['PUT'])
  })

  test('of the same name with other bytes has another address, with the same bytes the same', async () => {
    await aStudent()
    const urls = await Promise.all([500, 600, 500].map(async (size) => (await begin(aFile(size)).ends()).url))
    expect([urls[0] === urls[1], urls[0] === urls[2]]).toEqual([false, true])
  })

  test.each([
    ['头'.repeat(150) + '.jpg', '头'.repeat(96) + '.jpg'],
    ['a\\b\u202egpj', 'a_b_gpj'],
    ['..', 'picture'],
  ])('%s, which no storage takes, comes as near to its name as can be', async (name, kept) => {
    await aStudent()
    const { url, state } = await begin(aFile(500, name)).ends()
    expect([state, decodeURIComponent(url?.split('/').at(-1) ?? '')]).toEqual(['success', kept])
  })

  test('above a part’s size goes in parts', async () => {
    await aStudent()
    const { told, ends } = begin(aFile(2 * MB + 5))
    const { url } = await ends()
    // What is there of it is looked for first.
    expect(statesOf(told)).toEqual(['waiting', 'checking', 'uploading', 'success'])
    expect(await bytesAt(url ?? '')).toBe(2 * MB + 5)
    expect(server.came.flatMap(({ part }) => (part === null ? [] : [part])).sort((a, b) => a - b)).toEqual([1, 2, 3])
  })

  test('several are sent with the same keys; another student on this phone has others, and another prefix', async () => {
    await aStudent()
    const [one, two] = [await begin(aFile(500, '1.jpg')).ends(), await begin(aFile(500, '2.jpg')).ends()]
    expect(keysAsked()).toBe(1)
    await aStudent()
    const three = await begin(aFile(500, '1.jpg')).ends()
    expect(keysAsked()).toBe(2)
    const prefixes = [one, two, three].map(({ url }) => url?.split('/').at(-3))
    expect(prefixes[0]).toBe(prefixes[1])
    expect(prefixes[2]).not.toBe(prefixes[0])
  })

  test('keys with less than a minute left are asked for anew, however wrong the phone’s clock is', async () => {
    await aStudent()
    const clock = vi.spyOn(Date, 'now')
    const passed = vi.spyOn(performance, 'now')
    const [date, time] = [Date.now(), performance.now()]
    const at = (ms: number) => {
      clock.mockReturnValue(date + 86_400_000 + ms)
      passed.mockReturnValue(time + ms)
    }
    at(0)
    await begin(aFile(500, '1.jpg')).ends()
    at(839_000)
    await begin(aFile(500, '2.jpg')).ends()
    expect(keysAsked()).toBe(1)
    at(841_000)
    expect((await begin(aFile(500, '3.jpg')).ends()).state).toBe('success')
    expect(keysAsked()).toBe(2)
  })
})

describe('when it goes wrong', () => {
  const failing = async (file: File) => {
    const { ends } = begin(file)
    const { state, fault } = await ends()
    return [state, fault && faultWords(fault)]
  }

  test('cut off in the middle, it goes on with what was missing', async () => {
    await aStudent()
    let parts = 0
    server.onCame = ({ part }) => {
      if (part !== null && ++parts === 4) void server.line.set('down')
    }
    const { upload, ends, now } = begin(aFile(6 * MB))
    expect(await ends()).toMatchObject({ state: 'error', fault: { kind: 'offline' }, url: null })
    const rows = await server.db.selectFrom('bucket_part').select('part').execute()
    const here = rows.map(({ part }) => part)
    expect(here.length).toBeGreaterThan(0)
    expect(here.length).toBeLessThan(6)
    server.came.length = 0
    await server.line.set('ok')
    upload.retry()
    await expect.poll(() => now()?.state).toBe('success')
    const again = server.came.flatMap(({ part }) => (part === null ? [] : [part]))
    expect(again.filter((part) => here.includes(part))).toEqual([])
    expect(new Set(again).size).toBe(again.length)
    // Not always all the others: one that had come when the line broke may have been stored a moment after we looked.
    expect(again.length).toBeGreaterThan(0)
    expect(await bytesAt(now()?.url ?? '')).toBe(6 * MB)
  })

  test('no network at all is found out before anything of the storage is asked for', async () => {
    await aStudent()
    wire.fault = nobody
    const { upload, ends, now } = begin(aFile(500))
    const { state, fault } = await ends()
    expect([state, fault && faultWords(fault)]).toEqual(['error', '当前没有网络，图片还在这里，联网后点“重试”。'])
    expect(server.came).toEqual([])
    wire.fault = null
    upload.retry()
    await expect.poll(() => now()?.state).toBe('success')
  })

  test('keys that have expired are told, and a retry brings others', async () => {
    await aStudent()
    await begin(aFile(500, '1.jpg')).ends()
    const { now } = server.clock
    try {
      server.clock.now = now + 901_000
      const two = begin(aFile(500, '2.jpg'))
      const { fault } = await two.ends()
      expect(fault && faultWords(fault)).toBe('上传凭证已过期，请点“重试”。')
      two.upload.retry()
      await expect.poll(() => two.now()?.state).toBe('success')
      expect(keysAsked()).toBe(2)
    } finally {
      server.clock.now = now
    }
  })

  test('too large, no picture, no room left: each in its own words', async () => {
    const { uid } = await aStudent()
    expect(await failing(aFile(10 * MB + 1))).toEqual(['error', '图片超过 10 MB，请换一张小一些的。'])
    expect(server.came).toEqual([])
    expect(await failing(aFile(500, 'a.jpg', [0x3c, 0x68]))).toEqual([
      'error',
      '只支持 JPG、PNG、WebP 图片，请换一张。',
    ])
    const full = { uid, file: uid, type: 'image/jpeg', etag: '', upload_id: null, at: 0, size: 200 * MB }
    await server.db
      .insertInto('bucket_object')
      .values({ ...full, key: uid })
      .execute()
    expect(await failing(aFile(500))).toEqual(['error', '你的上传空间已满，无法再上传图片。'])
    const today = { key: `received:${uid}`, window_start: server.clock.now, hits: 400 * 1024 }
    await server.db.deleteFrom('bucket_object').where('uid', '=', uid).execute()
    await server.db
      .insertInto('rate')
      .values(today)
      .onConflict((c) => c.column('key').doUpdateSet(today))
      .execute()
    expect(await failing(aFile(500))).toEqual(['error', '今天上传的图片太多了，请明天再试。'])
  })

  test('a broken bucket is the server’s trouble, after three more tries', async () => {
    await aStudent()
    await begin(aFile(500)).ends()
    server.came.length = 0
    renameSync(server.bucketDir, `${server.bucketDir}-away`)
    writeFileSync(server.bucketDir, 'no folder')
    try {
      expect(await failing(aFile(500, '2.jpg'))).toEqual(['error', '服务器开小差了，稍后再试试!'])
    } finally {
      rmSync(server.bucketDir)
      renameSync(`${server.bucketDir}-away`, server.bucketDir)
    }
    expect(server.came).toHaveLength(4)
  })

  test('no keys, for whatever reason, is told in the server’s own words, never the library’s', async () => {
    await aStudent()
    wire.fault = () => json({ status: 0, msg: '上传过于频繁，请1小时后再试', data: null })
    expect(await failing(aFile(500))).toEqual(['error', '上传过于频繁，请1小时后再试'])
    wire.fault = () => json('broken', 500)
    expect(await failing(aFile(500))).toEqual(['error', '服务器开小差了，稍后再试试!'])
    wire.fault = null
    session.login('revoked', 'nobody')
    expect(await failing(aFile(500))).toEqual(['error', '登录已过期，请重新登录'])
  })
})

describe('what the student does', () => {
  /** As soon as this many parts have come. */
  const after = (count: number, act: () => void) => {
    let parts = 0
    server.onCame = ({ part }) => void (part !== null && ++parts === count && act())
  }

  test('a pause is one, and what follows goes on with what was missing', async () => {
    await aStudent()
    const one = begin(aFile(6 * MB))
    after(4, one.upload.pause)
    await expect.poll(() => one.now()?.state).toBe('paused')
    expect(STATE_WORDS[one.now()?.state ?? 'error']).toBe('已暂停')
    const before = server.came.length
    one.upload.resume()
    expect((await one.ends()).state).toBe('success')
    const again = server.came.slice(before).flatMap(({ part }) => (part === null ? [] : [part]))
    expect(again.length).toBeLessThan(6)
    expect(await bytesAt(one.now()?.url ?? '')).toBe(6 * MB)
  })

  test('given up, nothing of it stays in the bucket; tried again, it is sent whole', async () => {
    const { uid } = await aStudent()
    const one = begin(aFile(6 * MB))
    after(4, one.upload.cancel)
    expect(await one.ends()).toMatchObject({ state: 'canceled', url: null, fault: null })
    const left = () => server.db.selectFrom('bucket_upload').select('id').where('uid', '=', uid).execute()
    await expect.poll(left).toEqual([])
    one.upload.retry()
    await expect.poll(() => one.now()?.state).toBe('success')
  })

  test('left with its screen, its parts stay for the next time', async () => {
    const { uid } = await aStudent()
    const one = begin(aFile(6 * MB))
    after(4, one.upload.leave)
    await one.ends()
    const left = await server.db.selectFrom('bucket_upload').select('id').where('uid', '=', uid).execute()
    expect(left).toHaveLength(1)
    server.came.length = 0
    server.onCame = () => {}
    expect((await begin(aFile(6 * MB)).ends()).state).toBe('success')
    expect(server.came.filter(({ part }) => part !== null).length).toBeLessThan(6)
  })
})
