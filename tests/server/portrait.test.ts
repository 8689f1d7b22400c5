import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { aPicture, askBucket, pathTo, signed } from '#tests/support/bucket.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const ORIGIN = 'https://lijian.example'
const { save, getUserInfo } = contract.user
let server: TestServer
let bucket: ReturnType<typeof askBucket>
beforeAll(async () => {
  server = await startServer({ origin: ORIGIN })
  bucket = askBucket(server)
})
afterAll(() => server.close())

/** A student who has uploaded a picture; its address is the one that the page makes of the SDK's Location. */
async function withPicture(name = '我-1.jpg', salt = 1) {
  const student = await server.student()
  const keys = await bucket.keysOf(student.token)
  const again = async (name: string, salt: number) => {
    const key = keys.cos.prefix + name
    const headers = signed(keys, { method: 'PUT', key, headers: { Host: 'lijian.example' } })
    const url = pathTo(key)
    // A proxy stands before the server and calls it by a name of its own.
    await server.app.inject({
      method: 'PUT',
      url,
      headers: { ...headers, host: 'inside:8787' },
      payload: aPicture(400, salt),
    })
    return `${ORIGIN}${pathTo(keys.cos.prefix + name)}`
  }
  return { ...student, keys, again, address: await again(name, salt) }
}
describe('a portrait', () => {
  test('is the student’s own picture, uploaded through PUBLIC_URL whatever host is behind it; pages name it by its path', async () => {
    const { token, address, keys } = await withPicture()
    expect(keys.cos.base).toBe(`${ORIGIN}/bucket`)
    const portrait = new URL(address).pathname
    expect(await server.ask(save, { portrait: address }, token)).toMatchObject({ status: 1, data: { portrait } })
    expect(await server.call(getUserInfo, {}, token)).toMatchObject({ portrait })
    expect((await server.app.inject(portrait)).headers['content-type']).toBe('image/jpeg')
  })

  test('leaves nickname and password alone, and is left alone by them', async () => {
    const { token, address } = await withPicture()
    await server.call(save, { nickname: '先改名' }, token)
    await server.call(save, { portrait: address }, token)
    expect(await server.call(save, { nickname: '再改名' }, token)).toMatchObject({
      nickname: '再改名',
      portrait: new URL(address).pathname,
    })
  })

  test('that is replaced or removed is gone from the bucket; the same one again stays', async () => {
    const { token, address, again } = await withPicture()
    const statusOf = async (at: string) => (await server.app.inject(new URL(at).pathname)).statusCode
    await server.call(save, { portrait: address }, token)
    await server.call(save, { portrait: address }, token)
    expect(await statusOf(address)).toBe(200)
    const next = await again('我-2.jpg', 2)
    await server.call(save, { portrait: next }, token)
    expect([await statusOf(address), await statusOf(next)]).toEqual([404, 200])
    expect(await server.call(save, { portrait: '' }, token)).toMatchObject({ portrait: '' })
    expect(await statusOf(next)).toBe(404)
  })

  test.each([
    ['elsewhere', () => 'https://evil.example/x.jpg'],
    ['elsewhere, with a path like ours', (own: string) => own.replace(ORIGIN, 'https://evil.example')],
    ['elsewhere, with our name in front', (own: string) => own.replace(ORIGIN, `${ORIGIN}.evil.example`)],
    [
      'elsewhere, with our name as a user',
      (own: string) => own.replace('https://', 'https://lijian.example@evil.example/'),
    ],
    ['the same site, not the bucket', () => `${ORIGIN}/media/0123456789abcdef.svg`],
    ['a way out of the own prefix', (own: string) => own.replace('/bucket/', '/bucket/x/../../bucket/../')],
    ['script', () => 'javascript:alert(1)'],
    ['data', () => 'data:image/svg+xml,<svg/>'],
    ['a broken address', (own: string) => `${own}%zz`],
    ['no address', () => '头像'],
  ])('is never %s', async (_, made) => {
    const { token, address } = await withPicture()
    expect(await server.ask(save, { portrait: made(address), nickname: '不应保存' }, token)).toMatchObject({
      status: 0,
      msg: '请上传自己的图片作为头像',
    })
    expect(await server.call(getUserInfo, {}, token)).toMatchObject({
      portrait: '',
      nickname: expect.stringMatching(/^学员/),
    })
  })

  test('is never another student’s picture, and theirs stays', async () => {
    const [me, other] = [await withPicture(), await withPicture()]
    expect(await server.ask(save, { portrait: other.address }, me.token)).toMatchObject({ status: 0 })
    expect((await server.app.inject(new URL(other.address).pathname)).statusCode).toBe(200)
  })

  test('that has not arrived is refused, and the one before stays', async () => {
    const { token, address } = await withPicture()
    await server.call(save, { portrait: address }, token)
    const missing = address.replace('-1.jpg', '-2.jpg')
    expect(await server.ask(save, { portrait: missing }, token)).toMatchObject({
      status: 0,
      msg: '头像还没有上传成功，请重新上传',
    })
    expect((await server.app.inject(new URL(address).pathname)).statusCode).toBe(200)
  })

  test('is changed sixty times an hour at most', async () => {
    const { token, address } = await withPicture()
    for (let i = 0; i < 60; i++) await server.call(save, { portrait: address }, token)
    expect(await server.ask(save, { portrait: address }, token)).toMatchObject({
      msg: '更换头像过于频繁，请1小时后再试',
    })
  })
})
