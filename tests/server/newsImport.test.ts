import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { givePublished, takePublished } from '#server/bin/publishCommands.ts'
import { judgeNews, readNews, type NewsFileInput } from '#server/content/publish/newsFile.ts'
import { publishedIn } from '#server/content/publish/paperFile.ts'
import { pictureSize } from '#server/content/media/pictureSize.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { articleJson, newsJson, publishNews } from '#tests/support/news.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { list, detail } = contract.news
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-news-'))
const saved = (name: string, content: unknown): string => {
  const file = path.join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360"/></svg>'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  saved('cover.svg', SVG)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('news').execute()
  await server.db.deleteFrom('calendar_entry').execute()
})
const faultsOf = async (json: unknown, file = path.join(folder, 'news.json')) =>
  (await judgeNews(server.db, readNews(file, json))).findings.map(({ level, at, reason }) => `${level} ${at} ${reason}`)
const entry = { no: 'E1', title: '笔试', kind: 'exam' as const, from: '2027-06-07', source: '预计' }

describe('an article', () => {
  const checked = (html: string) =>
    judgeNews(server.db, readNews('x.json', newsJson({ articles: [articleJson('A', { html })] })))
  test.each([
    ['a script', '<p>正文</p><script>alert(1)</script>'],
    ['a handler', '<p onclick="alert(1)" style="position:fixed">正文</p>'],
    ['an address that acts', '<p><a href="javascript:alert(1)">正文</a></p>'],
    ['a frame', '<iframe src="https://evil.test"></iframe><p>正文</p>'],
  ])('loses %s', async (_, html) => {
    expect(await checked(html)).toMatchObject({ news: { articles: [{ html: '<p>正文</p>' }] }, findings: [] })
  })
  test.each([
    ['that is broken and acts', '<img src=x onerror=alert(1)>'],
    ['of data', '<img src="data:image/png;base64,AAAA">'],
    ['from an address that acts', '<img src="javascript:alert(1)">'],
    ['from above its folder', '<img src="../../etc/passwd.png">'],
  ])('may not have a picture %s', async (_, picture) => {
    const { news, findings } = await checked(`<p>正文</p>${picture}`)
    expect(news?.articles[0]?.html).toBe('<p>正文</p>')
    expect(findings).toMatchObject([
      { level: 'fault', at: 'articles[0].html', reason: expect.stringContaining('图片不可用') },
    ])
  })
  test('keeps the size of its pictures, read from the files that lie beside it, and serves them by their hash', async () => {
    const html = '<p>看图</p><img src="cover.svg" alt="示意图"><img src="cover.svg" width="320" height="180">'
    const json = newsJson({ articles: [articleJson('P', { html, cover: 'cover.svg' })] })
    await publishNews(server, json, saved('news.json', json))
    const article = await server.call(detail, { id: 'P' })
    expect(article.cover).toMatchObject({ width: 640, height: 360 })
    const [first, second] = [...article.html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag)
    expect(first).toMatch(/^<img src="\/media\/[a-f0-9]{32}\.svg" alt="示意图" width="640" height="360" \/>$/)
    expect(second).toContain('width="320" height="180"')
    const served = await server.app.inject(article.cover?.src ?? '')
    expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  })
  test('has a summary from its text when none is written', async () => {
    const { summary: _, ...bare } = articleJson('S', { html: `<h3>开头</h3><p>${'复习'.repeat(60)}</p>` })
    await publishNews(server, newsJson({ articles: [bare] }))
    const [head] = (await server.call(list, {})).items
    expect(head?.summary).toMatch(/^开头 (复习)+复?…$/)
    expect(head?.summary.length).toBe(81)
  })
})

describe('a file', () => {
  test('has articles that fit a phone, and says how long one is that does not', async () => {
    const of = (chars: number) =>
      newsJson({ articles: [articleJson('L', { html: `<p>${'字'.repeat(chars - 7)}</p>` })] })
    expect(await faultsOf(of(50_000))).toEqual([])
    expect(await faultsOf(of(50_001))).toEqual([
      'fault articles[0].html 正文过长：50001 字符（连同标签与公式），最多 50000；请分成几篇',
    ])
  })

  test('says of every fault where it is and why, and nothing of it is taken', async () => {
    const json = {
      ...newsJson({
        articles: [
          articleJson('A'),
          articleJson('A', { category: 'nowhere' }),
          articleJson('B', { cover: 'none.svg', html: '<img src="https://example.com/x.png"><p>图</p>' }),
          articleJson('C', { html: '<script>1</script>' }),
        ],
        calendar: [{ ...entry, no: 'A' }],
      }),
    }
    expect(await faultsOf(json)).toEqual([
      'fault articles[2].html 图片不可用：https://example.com/x.png',
      'fault articles[2].cover 图片不可用：none.svg',
      'fault articles[3].html 正文里没有可以显示的文字',
      'fault articles[1].no 编号 A 与 articles[0].no 重复',
      'fault calendar[0].no 编号 A 与 articles[0].no 重复',
      'fault articles[1].category 分类 nowhere 不存在，请写在 categories 里',
    ])
    await expect(publishNews(server, json)).rejects.toThrow('articles[2].html')
    expect((await server.call(list, {})).items).toEqual([])
  })
  test.each<[string, Partial<Record<keyof NewsFileInput, unknown>>, RegExp]>([
    ['a day that does not exist', { calendar: [{ ...entry, from: '2027-02-30' }] }, /calendar\[0\]\.from 没有这个日期/],
    ['a day in words', { calendar: [{ ...entry, from: '6月7日' }] }, /calendar\[0\]\.from 日期应写成/],
    ['an end before its beginning', { calendar: [{ ...entry, to: '2027-06-01' }] }, /calendar\[0\] to 不能早于 from/],
    [
      'an hour that does not exist',
      { articles: [articleJson('A', { publishedAt: '2026-11-31 09:00' })] },
      /publishedAt/,
    ],
    ['an empty text', { articles: [articleJson('A', { html: ' ' })] }, /articles\[0\]\.html 正文不能为空/],
    ['another format', { format: 'lijian-news/2' }, /format format 应为 "lijian-news\/1"/],
  ])('with %s is not read', async (_, rest, fault) => {
    expect((await faultsOf({ ...newsJson(), ...rest })).join()).toMatch(fault)
  })
  test('may not take a number of something else', async () => {
    await importBank(server.db, server.mediaDir, bankJson({ prefix: 'N', chapters: 1, perChapter: 1 }))
    await publish(server.db, setJson({ no: 'SET', papers: [[['N_q1']]] }))
    await publishNews(server, newsJson({ articles: [articleJson('MINE')] }))
    const taken = newsJson({ articles: [articleJson('SET')], calendar: [{ ...entry, no: 'MINE' }] })
    expect(await faultsOf(taken)).toEqual([
      'fault articles[0].no 编号 SET 已被题集使用',
      'fault calendar[0].no 编号 MINE 已被资讯使用',
    ])
    const set = publish(server.db, setJson({ no: 'MINE', papers: [[['N_q1']]] }))
    await expect(set).rejects.toThrow('已被资讯使用')
  })
  test('taken again changes nothing but what differs', async () => {
    const json = newsJson({ articles: [articleJson('A'), articleJson('B')], calendar: [entry] })
    expect(await publishNews(server, json)).toEqual({ added: 3, changed: 0 })
    await server.db.updateTable('news').set({ views: 7 }).execute()
    expect(await publishNews(server, json)).toEqual({ added: 0, changed: 0 })
    const other = newsJson({ articles: [articleJson('A', { title: '改了' })], calendar: [{ ...entry, note: '改了' }] })
    expect(await publishNews(server, other)).toEqual({ added: 0, changed: 2 })
    const { items } = await server.call(list, {})
    expect(new Map(items.map(({ title, views }) => [title, views]))).toEqual(
      new Map([
        ['B 标题', 7],
        ['改了', 7],
      ]),
    )
  })
})

test('the operator’s commands check, import, and give back what would publish the same again', async () => {
  const json = newsJson({ articles: [articleJson('A', { cover: 'cover.svg' })], calendar: [entry] })
  const file = { file: saved('import.json', json), kind: 'news' as const }
  expect(await publishedIn(file.file)).toBe('news')
  const take = (command: string, files = [file]) => takePublished(server.db, command, files, false, server.mediaDir)
  expect(await take('check')).toEqual({ code: 0, lines: [`${file.file}：资讯，共 2 条，错误 0，提醒 0`] })
  expect((await server.call(list, {})).items).toEqual([])
  const twice = { ...file, file: saved('twice.json', newsJson({ articles: [articleJson('A')] })) }
  const refused = await take('import', [file, twice])
  expect([refused.code, refused.lines.join()]).toEqual([1, expect.stringContaining('资讯编号 A 在')])
  expect((await take('import')).lines.at(-1)).toBe(`${file.file}：新增 2 条，更新 0`)
  expect(
    readdirSync(server.mediaDir).filter((name) => readFileSync(path.join(server.mediaDir, name), 'utf8') === SVG),
  ).toHaveLength(1)

  const out = path.join(folder, 'export.json')
  expect((await givePublished(server.db, 'news', out, server.mediaDir)).code).toBe(0)
  expect((await take('import', [{ ...file, file: out }])).lines.at(-1)).toBe(`${out}：新增 0 条，更新 0`)
  expect(JSON.parse((await givePublished(server.db, 'A', undefined, server.mediaDir)).lines[0] ?? '')).toMatchObject({
    articles: [{ no: 'A', publishedAt: '2026-11-01 09:00', cover: { width: 640, height: 360 } }],
    calendar: [],
  })
  expect((await givePublished(server.db, 'NONE', undefined, server.mediaDir)).code).toBe(1)
})

describe('the size of a picture', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
  /** 38×22, two to the right and three down. */
  const GIF_FRAME = [0x2c, 2, 0, 3, 0, 38, 0, 22, 0, 0]
  test.each<[string, string, Buffer, [number, number] | null]>([
    [
      'SVG with a size',
      'svg',
      bytes('<?xml version="1.0"?><svg width="120px" height=\'80\' viewBox="0 0 1 1">'),
      [120, 80],
    ],
    ['SVG with a viewBox', 'svg', bytes(SVG), [640, 360]],
    ['SVG by percent', 'svg', bytes('<svg width="100%" height="100%">'), null],
    ['PNG', 'png', bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 44, 0, 0, 0, 200]), [300, 200]],
    [
      'JPEG behind other segments',
      'jpg',
      bytes([255, 216, 255, 224, 0, 4, 0, 0, 255, 196, 0, 4, 0, 0, 255, 192, 0, 17, 8, 0, 90, 0, 160, 3]),
      [160, 90],
    ],
    [
      'WebP with loss',
      'webp',
      bytes('RIFF\0\0\0\0WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 157, 1, 42, 64, 1, 180, 0]),
      [320, 180],
    ],
    [
      'WebP without loss',
      'webp',
      bytes('RIFF\0\0\0\0WEBPVP8L', [0, 0, 0, 0, 47, 63, 193, 44, 0, 0, 0, 0, 0, 0]),
      [320, 180],
    ],
    [
      'WebP with more',
      'webp',
      bytes('RIFF\0\0\0\0WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 63, 1, 0, 179, 0, 0]),
      [320, 180],
    ],
    ['GIF', 'gif', bytes('GIF89a', [44, 1, 200, 0, 0, 0, 0], GIF_FRAME), [300, 200]],
    [
      'GIF behind colours and a comment',
      'gif',
      bytes('GIF87a', [44, 1, 200, 0, 0x80, 0, 0, 0, 0, 0, 9, 9, 9, 0x21, 0xfe, 2], 'ab', [1], 'c', [0], GIF_FRAME),
      [300, 200],
    ],
    ['GIF whose first frame alone has a size', 'gif', bytes('GIF89a', [0, 0, 0, 0, 0, 0, 0], GIF_FRAME), [40, 25]],
    ['GIF of no size', 'gif', bytes('GIF89a', [0, 0, 0, 0, 0, 0, 0, 0x2c, ...Array<number>(9).fill(0)]), null],
    ['GIF without a frame', 'gif', bytes('GIF89a', [44, 1, 200, 0, 0, 0, 0, 0x3b]), null],
    ['GIF cut off in its head', 'gif', bytes('GIF89a', [44, 1, 200]), null],
    ['GIF cut off in its colours', 'gif', bytes('GIF89a', [44, 1, 200, 0, 0x87, 0, 0, 1, 2, 3]), null],
    ['GIF cut off in a comment', 'gif', bytes('GIF89a', [44, 1, 200, 0, 0, 0, 0, 0x21, 0xfe, 255, 1]), null],
    ['GIF cut off in its first frame', 'gif', bytes('GIF89a', [44, 1, 200, 0, 0, 0, 0, 0x2c, 0, 0]), null],
    ['GIF of a version that there is not', 'gif', bytes('GIF90a', [44, 1, 200, 0, 0, 0, 0], GIF_FRAME), null],
    ['GIF named as PNG', 'png', bytes('GIF89a', [44, 1, 200, 0, 0, 0, 0], GIF_FRAME), null],
    ['PNG named as GIF', 'gif', bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 44, 0, 0, 0, 200]), null],
    ['SVG that begins late', 'svg', bytes(' '.repeat(70_000), SVG), null],
    ['a file cut off', 'png', bytes('\x89PNG\r\n'), null],
    ['JPEG cut off', 'jpg', bytes([255, 216, 255, 224, 0, 200]), null],
    ['a text of that name', 'webp', bytes('not a picture at all, but long enough'), null],
  ])('of %s', (_, ending, file, size) => {
    expect(pictureSize(file, ending)).toEqual(size && { width: size[0], height: size[1] })
  })
})
