import { expect, test } from 'vitest'
import { judgeHandout } from '#server/content/handout/handoutFile.ts'
import { openPdf } from '#server/content/handout/openPdf.ts'
import { handouts } from '#tests/support/handouts.ts'
import { lockedPdf, makePdf } from '#tests/support/pdf.ts'
import { busyPdf, inflatingPdf, nestedPdf, wordyPdf } from '#tests/support/pdfBombs.ts'

/** What the importer says of a file, and whether it takes it. */
async function judged(bytes: Uint8Array): Promise<{ taken: boolean; said: string[] }> {
  const said: string[] = []
  const taken = await judgeHandout('讲义.pdf', Buffer.from(bytes), (level, reason) => said.push(`${level} ${reason}`))
  return { taken, said }
}
const refused = (reason: string) => ({ taken: false, said: [`fault 讲义.pdf ${reason}`] })
const { bytes: whole } = handouts.politics

test('a handout that opens is taken without a word', async () => {
  for (const { bytes } of Object.values(handouts)) expect(await judged(bytes)).toEqual({ taken: true, said: [] })
  expect(await judged(makePdf({ pages: ['封面'], chinese: true }))).toEqual({ taken: true, said: [] })
})

test.each([
  ['a half of a PDF', whole.subarray(0, whole.length / 2), '不完整：没有结尾，可能没有复制完，请重新复制'],
  [
    'the begin of a PDF that says how long it is',
    Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n<< /Linearized 1 /L 4000000 >>\nendobj\n'), whole]),
    '不完整：应有 3.8 MB，只有 0.1 MB，可能没有复制完，请重新复制',
  ],
  ['noise after the head', Buffer.from(`%PDF-1.7\n${'noise '.repeat(999)}\n%%EOF`), '已损坏，打不开，请重新导出'],
  [
    'a page of the web',
    Buffer.from('<!DOCTYPE html><title>登录</title>'),
    '是网页，不是 PDF，可能下载时没有登录网盘，请重新下载',
  ],
  ['a document of Word', Buffer.from('PK\x03\x04word'), '是 Word、PPT 或压缩文件，不是 PDF，请打开后另存为 PDF'],
  ['a picture', Buffer.from('\x89PNG\r\n', 'latin1'), '是图片，不是 PDF，请转为 PDF'],
  ['nothing', Buffer.alloc(0), '是空文件，请重新复制'],
])('%s is refused, and why', async (_, bytes, reason) => {
  expect(await judged(bytes)).toEqual(refused(reason))
})

test('a password, more than 30 MB and more than 2,000 pages are warned of', async () => {
  expect(await judged(lockedPdf())).toEqual({
    taken: true,
    said: ['warning 讲义.pdf 有打开密码，学生要输入密码才能看，请去掉密码，或者在标题里告诉学生'],
  })
  const one = makePdf({ pages: ['One'] })
  const large = await judged(Buffer.concat([one.subarray(0, 9), Buffer.alloc(31 * 1024 ** 2, '%\n'), one.subarray(9)]))
  expect(large).toEqual({ taken: true, said: [expect.stringMatching(/^warning 讲义\.pdf 有 31\.0 MB，超过 30\.0 MB/)] })
  const long = await judged(makePdf({ pages: Array.from({ length: 2001 }, (_, i) => `${i}`) }))
  expect(long).toEqual({ taken: true, said: [expect.stringMatching(/^warning 讲义\.pdf 有 2001 页/)] })
})

test.each([
  ['inflates to two gigabytes', inflatingPdf],
  ['inflates twice', nestedPdf],
  ['has millions of words on a page', () => wordyPdf(6_000_000)],
  ['has millions of lines on a page', () => busyPdf(8_000_000)],
])('a small document that %s is refused soon, and takes no memory for long', async (_, make) => {
  const bytes = make()
  const before = process.memoryUsage().rss
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 20)
  const started = performance.now()
  const said = await judged(bytes)
  clearInterval(watch)
  expect(said).toEqual(refused('第 1 页太复杂或展开后太大，手机打不开，请用“打印为 PDF”重新导出'))
  expect(performance.now() - started).toBeLessThan(30_000)
  expect(most).toBeLessThan(1024 ** 3)
})

test('a document on which a page takes too long is given up; one that only is long is believed', async () => {
  expect(await openPdf(busyPdf(1_000_000), { pieceMs: 1 })).toEqual({ is: 'heavy', page: 0 })
  const long = makePdf({ pages: Array.from({ length: 3000 }, (_, i) => `${i}`) })
  expect(await openPdf(long, { wholeMs: 3000 })).toMatchObject({ is: 'open', pages: 3000 })
})
