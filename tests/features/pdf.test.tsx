import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { storeFiles } from '#server/content/media/mediaFiles.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { handouts } from '#tests/support/handouts.ts'
import { nobody, page } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const ODD = `/media/${'d'.repeat(32)}.pdf`
const GONE = `/media/${'e'.repeat(32)}.pdf`
const stage = setScreens(async (server) => {
  await storeFiles(server.mediaDir, new Map(Object.values(handouts).map(({ name, bytes }) => [name, bytes])))
  writeFileSync(path.join(server.mediaDir, path.basename(ODD)), '<html>this is a page')
})

async function openPdf(url: string): Promise<void> {
  await stage.open(`/pdf/${encodeURIComponent(url)}`)
}
const title = (name: string) => screen.findByRole('heading', { name })
const outsideOfCalls = () => stage.wire.sent.filter((sent) => !sent.path.startsWith('/pcapi/'))

test.each([
  'https://evil.test/media/a.pdf',
  '//evil.test/a.pdf',
  'javascript:alert(1)',
  'http://localhost:3000/media/a.pdf',
])('%s is refused with a reason and a way back, and nothing is asked for', async (url) => {
  await openPdf(url)
  await title('这个地址不属于本站，没有打开')
  expect(screen.getByRole('alert').textContent).toContain('请核对来源')
  expect(outsideOfCalls()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: '返回' }))
  await waitFor(() => expect(window.location.pathname).toBe('/'))
})

test('an address of this site that is no document says so', async () => {
  await openPdf('/pcapi/user/getUserInfo')
  await title('这个地址不是文档')
  expect(stage.wire.sent.filter((sent) => sent.path === '/pcapi/user/getUserInfo')).toEqual([])
})

test.each<[string, string, (() => Response) | null, string]>([
  ['a file that is gone', GONE, null, '文档不存在'],
  ['a file that is no PDF inside', ODD, null, '收到的不是 PDF 文档'],
  ['a captive portal', GONE, () => page(), '收到的不是 PDF 文档'],
  ['a fault of the server', GONE, () => page(502), '服务器开小差了，稍后再试试!'],
  [
    'a file too large for a page',
    GONE,
    () =>
      new Response('', { headers: { 'content-type': 'application/pdf', 'content-length': String(120 * 1024 * 1024) } }),
    '文档太大（120 MB）',
  ],
])('%s: what happened, and what can be done', async (_, address, answer, told) => {
  stage.wire.fault = ({ path }) => (path === address && answer ? answer() : null)
  await openPdf(address)
  await title(told)
  expect(screen.getByRole('button', { name: '返回' })).toBeTruthy()
})

test('without a network a document that was never opened says that it is not here, and comes when asked again', async () => {
  stage.wire.fault = (sent, signal) => (sent.path === GONE ? nobody(sent, signal) : null)
  await openPdf(GONE)
  await title('此内容尚未下载，联网后可查看')
  stage.wire.fault = null
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await title('文档不存在')
})

test('a handout that is sold says what to buy', async () => {
  const row = { ...courseRow({ no: 'SOLD', units: [['SOLD_1']] }), title: '军政冲刺', price: 4_900 }
  const { address: src, size: bytes } = handouts.politics
  await publishCourse(stage.server, { ...row, handouts: [{ title: '讲义', src, bytes }] })
  await openPdf(src)
  await title('购买《军政冲刺》后可以看这份讲义；已经购买的请先登录')
  await publishCourse(stage.server, row)
})

test('opening shows that it goes on, and can be ended and begun again', async () => {
  stage.wire.fault = (sent, signal) => {
    if (sent.path !== GONE) return null
    const headers = { 'content-type': 'application/pdf', 'content-length': '2097152' }
    const start = (stream: ReadableStreamDefaultController) => {
      stream.enqueue(new Uint8Array(524_288))
      signal?.addEventListener('abort', () => stream.error(new DOMException('', 'AbortError')))
    }
    return new Response(new ReadableStream({ start }), { headers })
  }
  await openPdf(GONE)
  await screen.findByText('25% · 0.5 MB / 2.0 MB')
  expect(screen.getByRole('progressbar', { name: '下载进度' }).getAttribute('value')).toBe('524288')
  await userEvent.click(screen.getByRole('button', { name: '取消' }))
  await title('已取消打开')
  stage.wire.fault = null
  await userEvent.click(screen.getByRole('button', { name: '重新打开' }))
  await title('文档不存在')
})

test('a line that breaks says how much has come, and goes on from there by itself', async () => {
  const ETAG = '"one"'
  const ranges: string[] = []
  stage.wire.fault = (sent, signal) => {
    if (sent.path !== GONE) return null
    const headers = { 'content-type': 'application/pdf', etag: ETAG }
    ranges.push(`${sent.headers.range ?? ''} ${sent.headers['if-range'] ?? ''}`)
    if (ranges.length > 1) return nobody(sent, signal)
    const start = (stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(692_061))
    const pull = (stream: ReadableStreamDefaultController) => stream.error(new TypeError('network error'))
    const body = new ReadableStream({ start, pull }, { highWaterMark: 0 })
    return new Response(body, { headers: { ...headers, 'content-length': '2097152' } })
  }
  await openPdf(GONE)
  await title('连接中断，已下载 33%，自动续传')
  expect(screen.getByText('33% · 0.7 MB / 2.0 MB')).toBeTruthy()
  fireEvent(window, new Event('online'))
  await waitFor(() => expect(ranges).toEqual([' ', 'bytes=692061- "one"']))
  await title('连接中断，已下载 33%，自动续传')
  stage.wire.fault = null
  fireEvent(window, new Event('online'))
  await title('文档不存在')
})

test('the handouts of the demo are where they say, named by their content, and no larger than a phone likes', async () => {
  for (const { address, size } of Object.values(handouts)) {
    const response = await stage.server.app.inject({ url: address })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/pdf')
    expect(response.rawPayload.length).toBe(size)
    expect(address).toBe(`/media/${createHash('sha256').update(response.rawPayload).digest('hex').slice(0, 32)}.pdf`)
    expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(size).toBeLessThan(170 * 1024)
  }
})
