import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { UploadKeys } from '#src/contract/config.ts'
import { sweepBucket } from '#server/bucket/embedded.ts'
import { filesIn } from '#server/bucket/files.ts'
import { isKeyOf } from '#server/bucket/store.ts'
import { bucketUploads } from '#server/bucket/uploads.ts'
import type { Tx } from '#server/db/open.ts'
import { aPicture, askBucket, type Asked, inXml, pathTo, signed } from '#tests/support/bucket.ts'
import { during } from '#tests/support/during.ts'
import { givePassword } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const MB = 1024 * 1024
const PASSWORD = 'the old password'
let server: TestServer
let bucket: ReturnType<typeof askBucket>
beforeAll(async () => {
  server = await startServer()
  bucket = askBucket(server)
})
afterAll(() => server.close())

const files = (): string[] => readdirSync(server.bucketDir)
/** As whoever adds to a student's files does. */
const holdOwner = (tx: Tx, uid: string) =>
  tx.selectFrom('upload_prefix').select('uid').where('uid', '=', uid).forUpdate().execute()
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')
async function aHolder(): Promise<{ keys: UploadKeys; token: string; uid: string }> {
  const { token, uid } = await server.student()
  return { keys: await bucket.keysOf(token), token, uid }
}
const begin = async (keys: UploadKeys, name: string): Promise<string> => {
  const answer = await bucket.ask(keys, { method: 'POST', key: keys.cos.prefix + name, query: { uploads: '' } })
  expect(answer.statusCode).toBe(200)
  return inXml(answer.body, 'UploadId')
}
const sendPart = (keys: UploadKeys, name: string, uploadId: string, partNumber: number, body: Buffer) =>
  bucket.ask(keys, {
    method: 'PUT',
    key: keys.cos.prefix + name,
    query: { partNumber: String(partNumber), uploadId },
    body,
  })
const complete = (keys: UploadKeys, name: string, uploadId: string, parts: readonly [number, string][]) => {
  const list = parts.map(([n, etag]) => `<Part><PartNumber>${n}</PartNumber><ETag>&quot;${etag}&quot;</ETag></Part>`)
  const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
  const headers = { 'content-type': 'application/xml' }
  return bucket.ask(keys, { method: 'POST', key: keys.cos.prefix + name, query: { uploadId }, body, headers })
}

describe('config/getCosImgSig', () => {
  test('gives keys for a quarter of an hour and a prefix that stays the student’s own', async () => {
    const { keys, token } = await aHolder()
    const now = Math.floor(server.clock.now / 1000)
    expect(keys).toEqual({
      tempKeys: {
        credentials: {
          tmpSecretId: expect.any(String),
          tmpSecretKey: expect.any(String),
          sessionToken: expect.any(String),
        },
        startTime: now,
        expiredTime: now + 900,
      },
      cos: {
        bucket: 'lijian-1',
        region: 'default',
        prefix: expect.stringMatching(/^u\/[0-9a-f]{32}\/$/),
        base: '/bucket',
      },
    })
    expect((await bucket.keysOf(token)).cos.prefix).toBe(keys.cos.prefix)
    expect((await aHolder()).keys.cos.prefix).not.toBe(keys.cos.prefix)
  })

  test('is for students, and not without end', async () => {
    expect(await server.ask(contract.config.getCosImgSig, {})).toMatchObject({ status: 2 })
    const { token } = await server.student()
    for (let i = 0; i < 60; i++) await bucket.keysOf(token)
    expect(await server.ask(contract.config.getCosImgSig, {}, token)).toMatchObject({
      status: 0,
      msg: '上传过于频繁，请1小时后再试',
    })
  })
})

describe('a picture in one go', () => {
  test('is put with the SDK’s signature and read by everybody, as what its bytes are', async () => {
    const { keys } = await aHolder()
    const picture = aPicture()
    const put = await bucket.put(keys, '0123456789ab/头像 (1).html', picture)
    expect([put.statusCode, put.headers.etag]).toEqual([200, `"${md5(picture)}"`])
    const got = await server.app.inject(pathTo(`${keys.cos.prefix}0123456789ab/头像 (1).html`))
    expect(got.rawPayload.equals(picture)).toBe(true)
    expect(got.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `inline; filename*=UTF-8''%E5%A4%B4%E5%83%8F%20%281%29.html`,
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${md5(picture)}"`,
    })
    const head = await server.app.inject({
      method: 'HEAD',
      url: pathTo(`${keys.cos.prefix}0123456789ab/头像 (1).html`),
    })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '2000', ''])
  })

  test.each([
    ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png'],
    ['webp', [0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x45, 0x42, 0x50], 'image/webp'],
  ])('%s is taken, too', async (name, head, type) => {
    const { keys } = await aHolder()
    await bucket.put(keys, name, Buffer.from([...head, ...Buffer.alloc(50)]))
    expect((await server.app.inject(pathTo(keys.cos.prefix + name))).headers['content-type']).toBe(type)
  })

  test.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with script in it', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['a GIF', 'GIF89a-and-more-of-it'],
    ['nothing', ''],
  ])('%s is no picture, whatever it calls itself, and leaves nothing behind', async (_, text) => {
    const { keys } = await aHolder()
    const before = files()
    const put = await bucket.put(keys, 'a.jpg', Buffer.from(text))
    expect([put.statusCode, inXml(put.body, 'Code')]).toEqual([400, 'InvalidPictureType'])
    expect(files()).toEqual(before)
    const got = await server.app.inject(pathTo(`${keys.cos.prefix}a.jpg`))
    expect([got.statusCode, inXml(got.body, 'Code')]).toEqual([404, 'NoSuchKey'])
  })

  test('a page that begins like a picture is shown as a picture, in a sandbox, and read as nothing else', async () => {
    const { keys } = await aHolder()
    const page = Buffer.concat([aPicture(20), Buffer.from('<!doctype html><script>alert(1)</script>')])
    const headers = { 'content-type': 'text/html' }
    const put = await bucket.ask(keys, { method: 'PUT', key: `${keys.cos.prefix}a.html`, body: page, headers })
    expect(put.statusCode).toBe(200)
    for (const range of [undefined, 'bytes=20-'])
      expect(
        (await bucket.send({ method: 'GET', key: `${keys.cos.prefix}a.html` }, range ? { range } : {})).headers,
      ).toMatchObject({
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
  })

  test('a new one takes the place of the old, on the disk, too', async () => {
    const { keys } = await aHolder()
    await bucket.put(keys, 'a.jpg', aPicture(300, 1))
    const before = files().length
    await bucket.put(keys, 'a.jpg', aPicture(300, 2))
    expect(files()).toHaveLength(before)
    expect((await server.app.inject(pathTo(`${keys.cos.prefix}a.jpg`))).rawPayload.equals(aPicture(300, 2))).toBe(true)
  })

  test('goes from the disk with the account, and so do parts of one that never became whole', async () => {
    const { keys, token, uid } = await aHolder()
    await bucket.put((await aHolder()).keys, 'a.jpg', aPicture())
    const before = files()
    await givePassword(server.db, uid, PASSWORD)
    await bucket.put(keys, 'a.jpg', aPicture())
    await sendPart(keys, 'b.jpg', await begin(keys, 'b.jpg'), 1, aPicture())
    expect(files()).toHaveLength(before.length + 2)
    await server.call(contract.user.close, { word: '注销', oldPassword: PASSWORD }, token)
    expect(files()).toEqual(before)
  })

  test('of more than 10 MB is refused before it is read', async () => {
    const { keys } = await aHolder()
    const put = await bucket.put(keys, 'a.jpg', aPicture(10 * MB + 1))
    expect([put.statusCode, inXml(put.body, 'Code')]).toEqual([400, 'EntityTooLarge'])
  })
})

describe('what is refused', () => {
  const asked = (keys: UploadKeys, more: Partial<Asked> = {}): Asked => ({
    method: 'PUT',
    key: `${keys.cos.prefix}a.jpg`,
    body: aPicture(),
    headers: { 'content-length': '2000' },
    ...more,
  })
  const codeOf = async (headers: Record<string, string>, request: Asked): Promise<string> => {
    const answer = await bucket.send(request, headers)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    return inXml(answer.body, 'Code')
  }

  test('the SDK’s own request is taken: what follows differs from it in one thing each', async () => {
    const { keys } = await aHolder()
    const request = asked(keys)
    expect((await bucket.send(request, signed(keys, request))).statusCode).toBe(200)
  })

  test('no signature, a token of nobody, one that was altered', async () => {
    const { keys } = await aHolder()
    const request = asked(keys)
    const headers = signed(keys, request)
    const token = headers['x-cos-security-token'] ?? ''
    expect(await codeOf({ 'content-length': '2000' }, request)).toBe('InvalidAccessKeyId')
    expect(await codeOf({ ...headers, authorization: '' }, request)).toBe('InvalidAccessKeyId')
    for (const other of ['', 'x', 'x.y', `${token}x`, token.replace(/^./, 'Z')])
      expect(await codeOf({ ...headers, 'x-cos-security-token': other }, request)).toBe('InvalidAccessKeyId')
  })

  test('a wrong key, and another’s', async () => {
    const [{ keys }, { keys: others }] = [await aHolder(), await aHolder()]
    const request = asked(keys)
    const wrong = structuredClone(keys)
    wrong.tempKeys.credentials.tmpSecretKey = others.tempKeys.credentials.tmpSecretKey
    expect(await codeOf(signed(wrong, request), request)).toBe('SignatureDoesNotMatch')
    const mixed = structuredClone(others)
    mixed.tempKeys.credentials.sessionToken = keys.tempKeys.credentials.sessionToken
    expect(await codeOf(signed(mixed, request), request)).toBe('InvalidAccessKeyId')
  })

  test('another method, key, host or parameter than was signed', async () => {
    const { keys } = await aHolder()
    const request = asked(keys)
    const headers = signed(keys, request)
    expect(await codeOf(headers, { ...request, method: 'POST' })).toBe('SignatureDoesNotMatch')
    expect(await codeOf(headers, { ...request, key: `${keys.cos.prefix}b.jpg` })).toBe('SignatureDoesNotMatch')
    expect(await codeOf({ ...headers, host: 'elsewhere.example' }, request)).toBe('SignatureDoesNotMatch')
    expect(await codeOf(headers, { ...request, query: { uploads: '' } })).toBe('AccessDenied')
    const unsigned = (headers.authorization ?? '').replace(
      'q-header-list=content-length;host',
      'q-header-list=content-length',
    )
    expect(unsigned).not.toBe(headers.authorization)
    expect(await codeOf({ ...headers, authorization: unsigned }, request)).toBe('AccessDenied')
  })

  test('what has expired or is not good yet, with the server’s time to set one’s clock by', async () => {
    const { keys } = await aHolder()
    const request = asked(keys)
    const now = Math.floor(server.clock.now / 1000)
    const past = signed(keys, request, `${now - 100};${now - 1}`)
    expect(await codeOf(past, request)).toBe('AccessDenied')
    expect(inXml((await bucket.send(request, past)).body, 'Message')).toBe('Request has expired')
    const future = signed(keys, request, `${now + 31};${now + 931}`)
    expect(await codeOf(future, request)).toBe('RequestTimeTooSkewed')
    expect(inXml((await bucket.send(request, future)).body, 'ServerTime')).toBe(
      new Date(server.clock.now).toISOString(),
    )
    expect((await bucket.send(request, signed(keys, request, `${now + 29};${now + 900}`))).statusCode).toBe(200)
  })

  test('keys that have ended, though the signature says it were good for longer', async () => {
    const { keys } = await aHolder()
    const request = asked(keys)
    const { now } = server.clock
    const { startTime, expiredTime } = keys.tempKeys
    try {
      server.clock.now = now + 899_000
      expect((await bucket.send(request, signed(keys, request))).statusCode).toBe(200)
      server.clock.now = now + 901_000
      expect(await codeOf(signed(keys, request), request)).toBe('AccessDenied')
      expect(await codeOf(signed(keys, request, `${startTime};${expiredTime + 900}`), request)).toBe('ExpiredToken')
    } finally {
      server.clock.now = now
    }
  })

  test.each(['', '../', 'u/', '/', './'])('a name of another student’s, or a way to it: %j', async (way) => {
    const [{ keys }, { keys: others }] = [await aHolder(), await aHolder()]
    const other = others.cos.prefix.slice(2)
    for (const key of [
      `${others.cos.prefix}a.jpg`,
      `${keys.cos.prefix}${way}../${other}a.jpg`,
      `${keys.cos.prefix}${way}`,
    ]) {
      const request = asked(keys, { key })
      expect(await codeOf(signed(keys, request), request)).toMatch(/AccessDenied|SignatureDoesNotMatch/)
    }
    // As typed by hand, with the dots and strokes encoded.
    const request = asked(keys, { key: `${keys.cos.prefix}../${other}a.jpg` })
    const answer = await server.app.inject({
      method: 'PUT',
      url: `/bucket/${keys.cos.prefix}%2e%2e%2f${other}a.jpg`,
      headers: signed(keys, request),
      payload: aPicture(),
    })
    expect([answer.statusCode, inXml(answer.body, 'Code')]).toEqual([403, 'AccessDenied'])
    expect((await server.app.inject(pathTo(`${others.cos.prefix}a.jpg`))).statusCode).toBe(404)
  })

  test.each(['a/b.jpg', '0123456789ab/c/d.jpg', 'a\\b.jpg', 'a\0.jpg', 'a'.repeat(101), ''])(
    'a name that is none: %j',
    async (name) => {
      const { keys } = await aHolder()
      const request = asked(keys, { key: keys.cos.prefix + name })
      expect(await codeOf(signed(keys, request), request)).toBe('AccessDenied')
    },
  )

  test('a name that a browser takes for a folder', () => {
    const prefix = 'u/x/'
    expect(['.', '..', '0123456789ab/..', '..jpg'].map((name) => isKeyOf(prefix, prefix + name))).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  test('addresses outside of the bucket, and broken ones, give no file of the server', async () => {
    writeFileSync(path.join(server.mediaDir, 'secret.txt'), 'secret')
    for (const url of [
      '/bucket/../secret.txt',
      '/bucket/%2e%2e%2fsecret.txt',
      '/bucket/..%5csecret.txt',
      '/bucket/%00',
      '/bucket/%zz',
      '/bucket/',
    ]) {
      const answer = await server.app.inject(url)
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(answer.body).not.toContain('secret\n')
    }
  })

  test('deleting and reading lists of others: the keys are for uploading alone', async () => {
    const [{ keys }, { keys: others }] = [await aHolder(), await aHolder()]
    await bucket.put(keys, 'a.jpg', aPicture())
    const gone = await bucket.ask(keys, { method: 'DELETE', key: `${keys.cos.prefix}a.jpg` })
    expect(inXml(gone.body, 'Code')).toBe('MethodNotAllowed')
    const list = { method: 'GET', key: '', query: { uploads: '', prefix: `${others.cos.prefix}a.jpg` } } as const
    expect(inXml((await bucket.ask(keys, list)).body, 'Code')).toBe('AccessDenied')
    expect(inXml((await bucket.ask(keys, { ...list, query: { uploads: '' } })).body, 'Code')).toBe('AccessDenied')
  })

  test('the prefix in other letters, or encoded twice, is not the prefix', async () => {
    const { keys } = await aHolder()
    const { prefix } = keys.cos
    for (const key of [
      prefix.toUpperCase() + 'a.jpg',
      prefix.replace('u/', 'ｕ/') + 'a.jpg',
      prefix.replace('/', '%2f') + 'a.jpg',
      `${prefix}%2e%2e/a.jpg`,
      `${prefix}a\u202e.jpg`,
      ` ${prefix}a.jpg`,
      prefix.slice(0, -2) + '/a.jpg',
    ]) {
      const request = asked(keys, { key })
      expect(await codeOf(signed(keys, request), request)).toBe('AccessDenied')
    }
  })

  test('more bytes than were said, or another length than was signed', async () => {
    const { keys } = await aHolder()
    const before = files()
    const request = asked(keys)
    const headers = signed(keys, request)
    expect(await codeOf({ ...headers, 'content-length': '1999' }, request)).toBe('SignatureDoesNotMatch')
    const none = { ...asked(keys), headers: {} }
    const packed = { ...signed(keys, none), 'content-encoding': 'gzip' }
    expect(await codeOf(packed, none)).toBe('InvalidArgument')
    expect(files()).toEqual(before)
  })

  test('more than a student’s share, by bytes and by number', async () => {
    const { keys, uid } = await aHolder()
    const row = { uid, file: `full-${uid}`, type: 'image/jpeg', etag: '', upload_id: null, at: 0 }
    await server.db
      .insertInto('bucket_object')
      .values({ ...row, key: `${keys.cos.prefix}full`, size: 200 * MB - 2_000 })
      .execute()
    expect((await bucket.put(keys, 'fits.jpg', aPicture(2_000))).statusCode).toBe(200)
    expect(inXml((await bucket.put(keys, 'not.jpg', aPicture(100))).body, 'Code')).toBe('QuotaExceeded')
    const many = await aHolder()
    const rows = Array.from({ length: 200 }, (_, i) => ({
      ...row,
      uid: many.uid,
      file: `n${i}-${many.uid}`,
      key: `${many.keys.cos.prefix}${i}`,
      size: 1,
    }))
    await server.db.insertInto('bucket_object').values(rows).execute()
    expect(inXml((await bucket.put(many.keys, 'x.jpg', aPicture())).body, 'Code')).toBe('QuotaExceeded')
    const upload = { method: 'POST', key: `${many.keys.cos.prefix}x.jpg`, query: { uploads: '' } } as const
    expect(inXml((await bucket.ask(many.keys, upload)).body, 'Code')).toBe('QuotaExceeded')
  })

  test('more than a day’s share, though it takes the place of what is there; the next day goes on', async () => {
    const { keys, token, uid } = await aHolder()
    await server.db
      .insertInto('rate')
      .values({ key: `received:${uid}`, window_start: server.clock.now, hits: 400 * 1024 - 18 - 16 })
      .execute()
    expect((await bucket.put(keys, 'a.jpg', aPicture(2_000))).statusCode).toBe(200)
    const before = files()
    const more = await bucket.put(keys, 'a.jpg', aPicture(1_000, 2))
    expect([more.statusCode, inXml(more.body, 'Code')]).toEqual([403, 'TooMuchToday'])
    const upload = { method: 'POST', key: `${keys.cos.prefix}b.jpg`, query: { uploads: '' } } as const
    expect(inXml((await bucket.ask(keys, upload)).body, 'Code')).toBe('TooMuchToday')
    expect(files()).toEqual(before)
    const { now } = server.clock
    server.clock.now = now + 86_400_000
    expect((await bucket.put(await bucket.keysOf(token), 'a.jpg', aPicture(1_000, 2))).statusCode).toBe(200)
    server.clock.now = now
  })

  test('keys that outlive the account: nothing is taken, nothing is left', async () => {
    const { keys, token, uid } = await aHolder()
    await givePassword(server.db, uid, PASSWORD)
    const id = await begin(keys, 'b.jpg')
    await server.call(contract.user.close, { word: '注销', oldPassword: PASSWORD }, token)
    const before = files()
    const put = await bucket.put(keys, 'a.jpg', aPicture())
    expect([put.statusCode, inXml(put.body, 'Code')]).toEqual([403, 'AccessDenied'])
    const upload = { method: 'POST', key: `${keys.cos.prefix}c.jpg`, query: { uploads: '' } } as const
    expect(inXml((await bucket.ask(keys, upload)).body, 'Code')).toBe('AccessDenied')
    expect(inXml((await sendPart(keys, 'b.jpg', id, 1, aPicture())).body, 'Code')).toBe('NoSuchUpload')
    expect(files()).toEqual(before)
  })

  test('puts at the same moment cannot both take the last room', async () => {
    const { keys, uid } = await aHolder()
    const full = { uid, file: `f-${uid}`, type: 'image/jpeg', etag: '', upload_id: null, at: 0 }
    await server.db
      .insertInto('bucket_object')
      .values({ ...full, key: `${keys.cos.prefix}full`, size: 199 * MB })
      .execute()
    const before = files().length
    const puts = await Promise.all([1, 2, 3, 4].map((n) => bucket.put(keys, `${n}.jpg`, aPicture(MB, n))))
    expect(puts.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(files()).toHaveLength(before + 1)
  })
})

describe('a picture in parts', () => {
  test('goes on where it was, part by part, and is whole in the end; the answer can be asked for again', async () => {
    const { keys } = await aHolder()
    const parts = [aPicture(MB, 1), Buffer.alloc(MB, 2), Buffer.alloc(5_000, 3)]
    const id = await begin(keys, 'big.jpg')
    const etags: [number, string][] = parts.map((part, i) => [i + 1, md5(part)])
    for (const i of [2, 0])
      expect((await sendPart(keys, 'big.jpg', id, i + 1, parts[i] as Buffer)).headers.etag).toBe(`"${etags[i]?.[1]}"`)
    // As after a reload: which uploads are under way, and what of them is here.
    const list = await bucket.ask(keys, {
      method: 'GET',
      key: '',
      query: { uploads: '', prefix: `${keys.cos.prefix}big.jpg` },
    })
    expect([inXml(list.body, 'Key'), inXml(list.body, 'UploadId')]).toEqual([`${keys.cos.prefix}big.jpg`, id])
    const here = await bucket.ask(keys, { method: 'GET', key: `${keys.cos.prefix}big.jpg`, query: { uploadId: id } })
    expect([...here.body.matchAll(/<PartNumber>(\d+)</g)].map(([, n]) => n)).toEqual(['1', '3'])
    expect(here.body).toContain(`<ETag>&quot;${etags[0]?.[1]}&quot;</ETag><Size>${MB}</Size>`)
    expect((await server.app.inject(pathTo(`${keys.cos.prefix}big.jpg`))).statusCode).toBe(404)
    expect(inXml((await complete(keys, 'big.jpg', id, etags)).body, 'Code')).toBe('InvalidPart')
    await sendPart(keys, 'big.jpg', id, 2, parts[1] as Buffer)
    const whole = await complete(keys, 'big.jpg', id, etags)
    expect(inXml(whole.body, 'ETag')).toMatch(/^&quot;[0-9a-f]{32}-3&quot;$/)
    const got = await server.app.inject(pathTo(`${keys.cos.prefix}big.jpg`))
    expect(got.rawPayload.equals(Buffer.concat(parts))).toBe(true)
    expect((await complete(keys, 'big.jpg', id, etags)).body).toBe(whole.body)
    expect(inXml((await sendPart(keys, 'big.jpg', id, 1, parts[0] as Buffer)).body, 'Code')).toBe('NoSuchUpload')
  })

  test('is refused when the parts make no picture, too large a one, or come in no order', async () => {
    const { keys } = await aHolder()
    const id = await begin(keys, 'a.jpg')
    const [text, big] = [Buffer.from('<html>'), aPicture(10 * MB)]
    await sendPart(keys, 'a.jpg', id, 1, text)
    await sendPart(keys, 'a.jpg', id, 2, big)
    const code = async (parts: [number, string][]) => inXml((await complete(keys, 'a.jpg', id, parts)).body, 'Code')
    expect(await code([[1, md5(text)]])).toBe('InvalidPictureType')
    expect(
      await code([
        [1, md5(text)],
        [2, md5(big)],
      ]),
    ).toBe('EntityTooLarge')
    expect(
      await code([
        [2, md5(big)],
        [1, md5(text)],
      ]),
    ).toBe('InvalidPartOrder')
    expect(await code([])).toBe('MalformedXML')
    expect(inXml((await sendPart(keys, 'a.jpg', id, 101, text)).body, 'Code')).toBe('InvalidArgument')
  })

  test('of another student, or of another name, is none', async () => {
    const [{ keys }, { keys: others }] = [await aHolder(), await aHolder()]
    const id = await begin(keys, 'a.jpg')
    expect(inXml((await sendPart(others, 'a.jpg', id, 1, aPicture())).body, 'Code')).toBe('NoSuchUpload')
    expect(inXml((await sendPart(keys, 'b.jpg', id, 1, aPicture())).body, 'Code')).toBe('NoSuchUpload')
  })

  describe('completed twice at the same moment', () => {
    const PARTS = [aPicture(MB, 1), Buffer.alloc(500, 2)]
    const ETAGS: [number, string][] = PARTS.map((part, i) => [i + 1, md5(part)])
    async function sent() {
      const holder = await aHolder()
      const id = await begin(holder.keys, 'a.jpg')
      for (const [i, part] of PARTS.entries()) await sendPart(holder.keys, 'a.jpg', id, i + 1, part)
      const key = `${holder.keys.cos.prefix}a.jpg`
      return { ...holder, id, key, owner: { uid: holder.uid, key }, before: files().length - PARTS.length }
    }
    type Sent = Awaited<ReturnType<typeof sent>>
    const whole = async ({ key }: Sent) => (await server.app.inject(pathTo(key))).rawPayload
    /** The bucket of another server, which comes to the files when somebody has been at them. */
    const after = (act: () => Promise<unknown>) => {
      const disk = filesIn(server.bucketDir)
      const late = async (file: string) => {
        await act()
        return disk.head(file)
      }
      return bucketUploads(server.db, { ...disk, head: late }, () => server.clock.now)
    }
    const wanted = ETAGS.map(([part, etag]) => ({ part, etag }))

    test('both are told the same, and there is one file', async () => {
      const upload = await sent()
      const twice = () => Promise.all([1, 2].map(() => complete(upload.keys, 'a.jpg', upload.id, ETAGS)))
      const [one, two] = await during(server.db, (tx) => holdOwner(tx, upload.uid), twice)
      expect([one?.statusCode, two?.body]).toEqual([200, one?.body])
      expect(files()).toHaveLength(upload.before + 1)
      expect((await whole(upload)).equals(Buffer.concat(PARTS))).toBe(true)
    })

    test('also when the parts are gone under the reading of the second', async () => {
      const upload = await sent()
      let first = ''
      const late = after(async () => {
        first ||= inXml((await complete(upload.keys, 'a.jpg', upload.id, ETAGS)).body, 'ETag')
      })
      expect(`&quot;${await late.complete(upload.owner, upload.id, wanted)}&quot;`).toBe(first)
      expect(files()).toHaveLength(upload.before + 1)
    })

    test('given up meanwhile, there is no upload, and nothing of it', async () => {
      const upload = await sent()
      const { abort } = bucketUploads(server.db, filesIn(server.bucketDir), () => server.clock.now)
      let given = false
      const late = after(async () => {
        if (!given) await abort(upload.owner, upload.id)
        given = true
      })
      await expect(late.complete(upload.owner, upload.id, wanted)).rejects.toMatchObject({ code: 'NoSuchUpload' })
      expect(files()).toHaveLength(upload.before)
    })

    /** Part 1 comes once more, while the parts are read. */
    const duringAgain = (upload: Sent, part: Buffer) => {
      let again = false
      return after(async () => {
        if (!again) await sendPart(upload.keys, 'a.jpg', upload.id, 1, part)
        again = true
      }).complete(upload.owner, upload.id, wanted)
    }

    test('a part that comes anew while they are read, the same, is as good', async () => {
      const upload = await sent()
      await duringAgain(upload, PARTS[0] ?? Buffer.alloc(0))
      expect(files()).toHaveLength(upload.before + 1)
      expect((await whole(upload)).equals(Buffer.concat(PARTS))).toBe(true)
    })

    test('another in its place is not the one that was named', async () => {
      const upload = await sent()
      await expect(duringAgain(upload, aPicture(300, 9))).rejects.toMatchObject({ code: 'InvalidPart' })
      expect(files()).toHaveLength(upload.before + 2)
    })

    test('a file that the disk has lost is a fault, not an endless search, and leaves nothing half-made', async () => {
      const upload = await sent()
      const [lost] = await server.db
        .selectFrom('bucket_part')
        .select('file')
        .where('upload_id', '=', upload.id)
        .where('part', '=', 2)
        .execute()
      rmSync(path.join(server.bucketDir, lost?.file ?? ''))
      const { complete } = bucketUploads(server.db, filesIn(server.bucketDir), () => server.clock.now)
      await expect(complete(upload.owner, upload.id, wanted)).rejects.toMatchObject({ code: 'ENOENT' })
      expect(files()).toHaveLength(upload.before + 1)
    })
  })

  test('one number sent several times at once is one part, and one file', async () => {
    const { keys } = await aHolder()
    const id = await begin(keys, 'a.jpg')
    const before = files().length
    const sent = await Promise.all([1, 2, 3, 4].map((n) => sendPart(keys, 'a.jpg', id, 1, aPicture(400, n))))
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const rows = server.db.selectFrom('bucket_part').select(['file', 'etag']).where('upload_id', '=', id)
    const [part, ...more] = await rows.execute()
    expect([more, files()]).toEqual([[], expect.arrayContaining([part?.file])])
    expect(files()).toHaveLength(before + 1)
    expect((await complete(keys, 'a.jpg', id, [[1, part?.etag ?? '']])).statusCode).toBe(200)
  })

  test('that is given up leaves nothing; neither does one that was left for a day, nor a server that died', async () => {
    const { keys } = await aHolder()
    const before = files()
    const [given, left] = [await begin(keys, 'a.jpg'), await begin(keys, 'b.jpg')]
    await sendPart(keys, 'a.jpg', given, 1, aPicture(500, 1))
    await sendPart(keys, 'b.jpg', left, 1, aPicture(500, 2))
    const aborted = await bucket.ask(keys, {
      method: 'DELETE',
      key: `${keys.cos.prefix}a.jpg`,
      query: { uploadId: given },
    })
    expect(aborted.statusCode).toBe(204)
    expect(files()).toHaveLength(before.length + 1)
    const old = new Date(server.clock.now - 86_400_001)
    mkdirSync(server.bucketDir, { recursive: true })
    for (const name of ['dead', 'young']) writeFileSync(path.join(server.bucketDir, name), 'x')
    utimesSync(path.join(server.bucketDir, 'dead'), old, old)
    for (const name of before) utimesSync(path.join(server.bucketDir, name), old, old)
    const young = new Date(server.clock.now)
    utimesSync(path.join(server.bucketDir, 'young'), young, young)
    await sweepBucket(server.db, server.bucketDir, server.clock.now)
    expect(files()).toContain('young')
    expect(files()).not.toContain('dead')
    expect(files()).toHaveLength(before.length + 2)
    const { now } = server.clock
    server.clock.now = now + 86_400_001
    await sweepBucket(server.db, server.bucketDir, server.clock.now)
    server.clock.now = now
    const objects = await server.db.selectFrom('bucket_object').select('file').execute()
    expect(files().sort()).toEqual(objects.flatMap(({ file }) => (before.includes(file) ? [file] : [])).sort())
    expect(await server.db.selectFrom('bucket_part').select('file').execute()).toEqual([])
  })
})

describe('CORS', () => {
  test('every page may upload with keys, and read what the SDK needs of the answer, of a refusal, too', async () => {
    const asking = { origin: 'https://app.example', 'access-control-request-method': 'PUT' }
    const { statusCode, headers } = await bucket.send({ method: 'OPTIONS', key: 'u/x/a.jpg' }, asking)
    expect(statusCode).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
    })
    for (const name of [
      'authorization',
      'x-cos-security-token',
      'content-type',
      'content-md5',
      'cache-control',
      'x-cos-sdk-retry',
    ])
      expect(String(headers['access-control-allow-headers']).split(', ')).toContain(name)
    const { keys } = await aHolder()
    for (const answer of [await bucket.put(keys, 'a.jpg', aPicture()), await bucket.put(keys, '.no', aPicture())])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringMatching(/ETag.*Content-Length.*x-cos-request-id/),
        'x-cos-request-id': expect.any(String),
      })
  })
})
