import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makePdf } from '#tests/support/pdf.ts'
import { goTo, setStage } from './stage.ts'

const stage = setStage({ worker: false })
const ADDRESS = `/media/${'b'.repeat(32)}.pdf`
const CUT = 300 * 1024
const SLICE = 32 * 1024
const SLICE_MS = 20

/** As fast as a phone's line: what is not read yet when a line breaks is lost to a browser. */
async function trickle(bytes: Buffer, answer: ServerResponse): Promise<void> {
  for (let at = 0; at < bytes.length && !answer.destroyed; at += SLICE) {
    answer.write(bytes.subarray(at, at + SLICE))
    await after(SLICE_MS)
  }
}

/** A proxy before the server: its line breaks after 300 KB of the document, while `left` connections are to break; `asked` are the bytes that requests began with. */
async function lineTo(url: string, file: Buffer) {
  const line = { url: '', asked: [] as number[], left: Number.POSITIVE_INFINITY, close: () => {} }
  const proxy = createServer((asked, answer) => {
    if (asked.url !== ADDRESS) {
      const on = request(new URL(asked.url ?? '', url), { method: asked.method, headers: asked.headers }, (came) => {
        answer.writeHead(came.statusCode ?? 500, came.headers)
        came.pipe(answer)
      })
      on.on('error', () => answer.destroy())
      asked.pipe(on)
      return
    }
    const from = Number(/^bytes=(\d+)-$/.exec(asked.headers.range ?? '')?.[1] ?? 0)
    const rest = file.subarray(from, line.left-- > 0 ? from + CUT : undefined)
    const range = `bytes ${from}-${file.length - 1}/${file.length}`
    answer.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'application/pdf',
      'content-length': file.length - from,
      etag: '"one"',
      ...(from > 0 && { 'content-range': range }),
    })
    line.asked.push(from)
    void trickle(rest, answer).then(() => (rest.length < file.length - from ? answer.destroy() : answer.end()))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  line.url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  line.close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return line
}

test('a document comes over a line that breaks every 300 KB; a browser that is closed on the way goes on from there', async () => {
  const text = makePdf({ pages: ['Hello'] })
  const file = Buffer.concat([
    text.subarray(0, 9),
    Buffer.from(`%${randomBytes(1_000_000).toString('hex')}\n`),
    text.subarray(9),
  ])
  const line = await lineTo(stage.product.url, file)
  const open = () => goTo(stage.phone.page, `${line.url}/pdf/${encodeURIComponent(ADDRESS)}`)
  const broken = () => stage.phone.page.getByRole('heading', { name: /^连接中断，已下载 \d+%，自动续传$/ })
  try {
    await stage.phone.page.addInitScript(() => localStorage.setItem('jk-chosen', '1'))
    await open()
    await broken().waitFor()
    await expect.poll(() => line.asked.filter((from) => from > 0).length).toBeGreaterThan(1)
    await stage.phone.end()
    const before = line.asked.length
    await stage.phone.reopen()
    line.left = 1
    await open()
    await stage.phone.page.getByText('Hello').first().waitFor({ state: 'attached' })
    // The machine decides how much of the last 300 KB a browser had read when the line broke; none of what it read may be asked for again.
    expect(line.asked).toEqual(line.asked.toSorted((a, b) => a - b))
    expect(line.asked.length).toBeGreaterThan(before)
  } finally {
    line.close()
  }
})
