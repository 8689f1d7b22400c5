import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partOf } from '#server/http/ranges.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const TEXT = '0123456789'.repeat(10)
const HASH = 'a'.repeat(32)
const FILE = `/media/${HASH}.pdf`

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  const put = (name: string, text: string) => writeFileSync(path.join(server.mediaDir, name), text)
  put(`${HASH}.pdf`, TEXT)
  put(`${HASH}.svg`, '<svg xmlns="http://www.w3.org/2000/svg"/>')
  put(`${HASH}.mp3`, TEXT)
  put(`${'b'.repeat(32)}.pdf`, '')
  put(`${HASH}.html`, '<script>alert(1)</script>')
  put('private.pdf', 'not by its hash')
})
afterAll(() => server.close())
const ask = (headers: Record<string, string> = {}, url = FILE, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.inject({ url, method, headers })

describe('which part of 100 bytes is asked for', () => {
  test.each<[string | undefined, ReturnType<typeof partOf>]>([
    [undefined, 'whole'],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
    ['bytes=90-5000', { start: 90, end: 99 }],
    ['bytes=0-99999999999999999999999', { start: 0, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-5000', { start: 0, end: 99 }],
    ['BYTES=5-6', { start: 5, end: 6 }],
    ['bytes= 5-6 ', { start: 5, end: 6 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=9-5', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=0-1,', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=', 'whole'],
    ['bytes', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=1.5-3', 'whole'],
    ['bytes=+1-3', 'whole'],
    ['bytes=--5', 'whole'],
    ['bytes=0x1-3', 'whole'],
    ['lines=0-5', 'whole'],
    ['0-5', 'whole'],
  ])('%s', (header, part) => expect(partOf(header, 100)).toEqual(part))

  test('an empty file is always answered whole', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=5-']) expect(partOf(header, 0)).toBe('whole')
  })
})

describe('a file by its content hash', () => {
  test('comes whole, for ever, and says that it can be had in parts', async () => {
    const response = await ask()
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe(TEXT)
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '100',
      'accept-ranges': 'bytes',
      etag: `"${HASH}"`,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  test.each([
    ['bytes=10-19', 'bytes 10-19/100', TEXT.slice(10, 20)],
    ['bytes=95-', 'bytes 95-99/100', TEXT.slice(95)],
    ['bytes=-7', 'bytes 93-99/100', TEXT.slice(93)],
  ])('%s is that part and no more', async (range, contentRange, text) => {
    const response = await ask({ range })
    expect(response.statusCode).toBe(206)
    expect(response.body).toBe(text)
    expect(response.headers).toMatchObject({
      'content-range': contentRange,
      'content-length': String(text.length),
      'content-type': 'application/pdf',
    })
  })

  test('a recording is served as sound, in parts as players ask for it, for ever', async () => {
    const response = await ask({ range: 'bytes=0-1' }, `/media/${HASH}.mp3`)
    expect(response.statusCode).toBe(206)
    expect(response.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-range': 'bytes 0-1/100',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  test('a part behind its end is refused with its size, and that refusal is not kept for ever', async () => {
    const response = await ask({ range: 'bytes=100-' })
    expect(response.statusCode).toBe(416)
    expect(response.headers).toMatchObject({ 'content-range': 'bytes */100', 'cache-control': 'no-store' })
    expect(response.body).not.toContain('0123')
  })

  test('several parts at once are answered with the whole', async () => {
    const response = await ask({ range: 'bytes=0-1,5-6' })
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe(TEXT)
    expect(response.headers['content-range']).toBeUndefined()
  })

  test.each([
    ['the same version', `"${HASH}"`, 206],
    ['another version', '"other"', 200],
    ['a weak tag, which promises no bytes', `W/"${HASH}"`, 200],
    ['a date', 'Sat, 21 Nov 2026 04:00:00 GMT', 200],
  ])('who goes on with %s', async (_, ifRange, status) => {
    const response = await ask({ range: 'bytes=0-9', 'if-range': ifRange })
    expect(response.statusCode).toBe(status)
    expect(response.body).toBe(status === 206 ? TEXT.slice(0, 10) : TEXT)
  })

  test.each([`"${HASH}"`, `W/"${HASH}"`, `"x", "${HASH}"`, '*'])(
    'who has it already (%s) is not sent it again',
    async (tag) => {
      const response = await ask({ 'if-none-match': tag, range: 'bytes=0-9' })
      expect(response.statusCode).toBe(304)
      expect(response.body).toBe('')
    },
  )

  test('its size can be asked for without it, whatever part is named', async () => {
    for (const headers of [{}, { range: 'bytes=0-9' }, { range: 'bytes=500-' }] as Record<string, string>[]) {
      const response = await ask(headers, FILE, 'HEAD')
      expect(response.statusCode).toBe(200)
      expect(response.body).toBe('')
      expect(response.headers).toMatchObject({ 'content-length': '100', 'accept-ranges': 'bytes' })
    }
  })

  test('an empty one is empty', async () => {
    const response = await ask({ range: 'bytes=0-' }, `/media/${'b'.repeat(32)}.pdf`)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-length']).toBe('0')
  })

  test('runs no script in our origin, whoever opens it by its address; a document is saved rather than opened', async () => {
    for (const ending of ['pdf', 'svg']) {
      const { headers } = await ask({}, `/media/${HASH}.${ending}`)
      expect(headers['content-security-policy']).toContain('sandbox')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await ask()).headers['content-disposition']).toBe(`attachment; filename="${HASH}.pdf"`)
    expect((await ask({}, `/media/${HASH}.svg`)).headers['content-disposition']).toBeUndefined()
  })

  test.each([
    `/media/${HASH}.html`,
    '/media/private.pdf',
    `/media/${'c'.repeat(32)}.pdf`,
    `/media/..%2f${HASH}.pdf`,
    `/media/${HASH}.pdf%00.svg`,
    `/media/${HASH}.constructor`,
  ])('%s does not exist', async (url) => {
    for (const headers of [{}, { range: 'bytes=0-9' }] as Record<string, string>[])
      expect((await ask(headers, url)).statusCode).toBe(404)
  })
})
