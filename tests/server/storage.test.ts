import { createHmac } from 'node:crypto'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { tencentStorage } from '#server/outside/tencent.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { type Sts, standInSts } from '#tests/support/sts.ts'

const ACCOUNT = { bucket: 'junkao-1250000000', region: 'ap-guangzhou', secretId: 'AKIDexample', secretKey: 'secret' }
const ORIGIN = 'https://junkao-1250000000.cos.ap-guangzhou.myqcloud.com'
const EXPIRES = 1_800_000_000
const GIVEN = {
  Credentials: { TmpSecretId: 'tmp-id', TmpSecretKey: 'tmp-key', Token: 'tmp-token' },
  ExpiredTime: EXPIRES,
  RequestId: 'r',
}

let sts: Sts
let server: TestServer
beforeAll(async () => {
  sts = await standInSts()
  server = await startServer({ cos: { ...ACCOUNT, stsHost: sts.host } })
})
afterAll(async () => {
  await server.close()
  await sts.close()
})

describe('Tencent COS', () => {
  test('gives keys of its STS in the form that the page reads', async () => {
    const { token } = await server.student()
    sts.answer(GIVEN)
    const keys = await server.call(contract.config.getCosImgSig, {}, token)
    expect(keys).toEqual({
      tempKeys: {
        credentials: { tmpSecretId: 'tmp-id', tmpSecretKey: 'tmp-key', sessionToken: 'tmp-token' },
        startTime: EXPIRES - 900,
        expiredTime: EXPIRES,
      },
      cos: {
        bucket: ACCOUNT.bucket,
        region: ACCOUNT.region,
        prefix: expect.stringMatching(/^u\/[0-9a-f]{32}\/$/),
      },
    })
  })

  test('the keys reach the student’s own prefix alone, for uploading alone, for a quarter of an hour', async () => {
    const { token } = await server.student()
    sts.answer(GIVEN)
    const { cos } = await server.call(contract.config.getCosImgSig, {}, token)
    const asked = sts.asked.at(-1)
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      Action: 'GetFederationToken',
      SecretId: ACCOUNT.secretId,
      Region: ACCOUNT.region,
      DurationSeconds: '900',
    })
    expect(JSON.parse(decodeURIComponent(asked?.get('Policy') ?? ''))).toEqual({
      version: '2.0',
      statement: [
        {
          effect: 'allow',
          principal: { qcs: '*' },
          action: [
            'name/cos:PutObject',
            'name/cos:InitiateMultipartUpload',
            'name/cos:ListMultipartUploads',
            'name/cos:ListParts',
            'name/cos:UploadPart',
            'name/cos:CompleteMultipartUpload',
            'name/cos:AbortMultipartUpload',
          ],
          resource: `qcs::cos:ap-guangzhou:uid/1250000000:prefix//1250000000/junkao/${cos.prefix}*`,
        },
      ],
    })
    // As the account signs: the secret key itself never leaves.
    const fields = [...(asked ?? [])].filter(([name]) => name !== 'Signature').sort(([a], [b]) => (a < b ? -1 : 1))
    const text = `POST${sts.host}/?${fields.map(([name, value]) => `${name}=${value}`).join('&')}`
    expect(asked?.get('Signature')).toBe(createHmac('sha1', ACCOUNT.secretKey).update(text).digest('base64'))
    expect(String(asked)).not.toContain('SecretKey')
  })

  test('a refusal of Tencent’s is a fault of ours, told to nobody but the log', async () => {
    const { token } = await server.student()
    sts.answer({ Error: { Code: 'AuthFailure.SecretIdNotFound', Message: 'The SecretId is not found' } })
    await expect(server.ask(contract.config.getCosImgSig, {}, token)).rejects.toThrow('HTTP 500 服务器开小差了')
  })

  test('there is no embedded bucket beside it', async () => {
    expect((await server.app.inject('/bucket/u/x/a.jpg')).statusCode).toBe(404)
    expect((await server.app.inject({ method: 'OPTIONS', url: '/bucket/x' })).statusCode).toBe(404)
  })

  test('an own domain is where the page uploads to, and where portraits are', async () => {
    sts.answer(GIVEN)
    const storage = tencentStorage({ ...ACCOUNT, stsHost: sts.host, domain: 'img.lijian.example' })
    const { cos } = await storage.issue({ uid: 'u', prefix: 'u/x/' }, 0)
    expect(cos.base).toBe('https://img.lijian.example')
    expect(storage.origins).toEqual(['https://img.lijian.example'])
    expect(storage.addressOf('u/x/头像.jpg')).toBe('https://img.lijian.example/u/x/%E5%A4%B4%E5%83%8F.jpg')
    expect(storage.keyOf('https://img.lijian.example/u/x/%E5%A4%B4%E5%83%8F.jpg')).toBe('u/x/头像.jpg')
    expect(storage.keyOf(`${ORIGIN}/u/x/a.jpg`)).toBeNull()
  })

  test.each([
    [`${ORIGIN}/u/x/a.jpg`, 'u/x/a.jpg'],
    [`${ORIGIN}/u/x/a.jpg?x-cos-process=1`, 'u/x/a.jpg'],
    [ORIGIN.replace('https', 'http') + '/u/x/a.jpg', null],
    [`${ORIGIN}.evil.example/u/x/a.jpg`, null],
    [`${ORIGIN}/%zz`, null],
    ['/bucket/u/x/a.jpg', null],
  ])('the key at %s is %s', (address, key) => {
    expect(tencentStorage(ACCOUNT).keyOf(address)).toBe(key)
  })
})

describe('whether a picture is there', () => {
  // Over a wire that is no https: only how the answer is read is at stake.
  const look = async (status: number, headers: Record<string, string>): Promise<boolean> => {
    const real = globalThis.fetch
    const bucket = http.createServer((_, response) => response.writeHead(status, headers).end())
    await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve))
    const address = bucket.address()
    const port = typeof address === 'object' && address ? address.port : 0
    globalThis.fetch = (input, init) =>
      real((typeof input === 'string' ? input : '').replace(ORIGIN, `http://127.0.0.1:${port}`), init)
    try {
      return await tencentStorage(ACCOUNT).holds('u/x/a.jpg')
    } finally {
      globalThis.fetch = real
      await new Promise((resolve) => bucket.close(resolve))
    }
  }

  test.each([
    [200, 'image/jpeg', '2000', true],
    [200, 'image/webp', String(10 * 1024 * 1024), true],
    [200, 'image/jpeg', String(10 * 1024 * 1024 + 1), false],
    [200, 'image/svg+xml', '2000', false],
    [200, 'text/html', '2000', false],
    [404, 'image/jpeg', '2000', false],
    [403, 'image/jpeg', '2000', false],
  ])('%i, %s, %s bytes: %s', async (status, type, length, there) => {
    expect(await look(status, { 'content-type': type, 'content-length': length })).toBe(there)
  })
})
