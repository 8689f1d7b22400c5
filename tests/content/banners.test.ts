import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { afterAll, describe, expect, test } from 'vitest'
import { InsidePath } from '#src/contract/home.ts'
import { checkBanners, exportBanners } from '#server/content/publish/bannerFile.ts'
import { storeFiles } from '#server/content/media/mediaFiles.ts'
import { checkPage, exportPage } from '#server/content/publish/pageFile.ts'
import { readPicture } from '#server/content/media/picture.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-banners-'))
const mediaDir = path.join(folder, 'media')
afterAll(() => rmSync(folder, { recursive: true }))
const saved = (name: string, content: string | Buffer) => {
  writeFileSync(path.join(folder, name), content)
  return path.join(folder, name)
}

describe('where a banner leads', () => {
  test.each([
    '/',
    '/question/library',
    '/course/course_list?kind=video&price=free',
    '/question/library_study/math_c1/20/集合',
    '/news/news_detail/12#top',
    '/question/library?q=a:b@c',
    '/exam/exam_detail/X%20a',
  ])('%s is a page of ours', (link) => expect(v.is(InsidePath, link)).toBe(true))
  test.each([
    'javascript:alert(1)',
    ' /question/library',
    'JaVaScRiPt:alert(1)',
    '//evil.example',
    '///evil.example',
    String.raw`/\evil.example`,
    String.raw`\\evil.example`,
    '/\t/evil.example',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/a/..//evil.example',
    '/a/../b',
    '/./a',
    '/%2e%2e/a',
    'https://evil.example/',
    'http://127.0.0.1/',
    'data:text/html,x',
    'question/library',
    '',
    '/pcapi/login/loginByPassword',
    '/media/0123456789abcdef.svg',
    '/a"onclick="x',
    '/<script>',
    '/pdf/javascript:alert(1)',
    '/pdf/javascript%3Aalert(1)',
    '/@evil.example',
    '/%40evil.example',
    `/${'a'.repeat(300)}`,
  ])('%j is none', (link) => expect(v.is(InsidePath, link)).toBe(false))
})

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const png = bytes('\u0089PNG\r\n\u001A\n', [0, 0, 0, 13], 'IHDR', [0, 0, 3, 232, 0, 0, 1, 144])
const gif = bytes('GIF89a', [232, 3, 144, 1, 0, 0, 0], [0x2c, 0, 0, 0, 0, 232, 3, 144, 1, 0])
const svg = (attributes: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><path d="M0 0h1"/></svg>`

describe('a picture of a banner', () => {
  test.each<[string, string | Buffer]>([
    ['a.png', png],
    ['A.GIF', gif],
    ['box.svg', svg('viewBox="0 0 1000 400"')],
  ])('%s has its size and a name by its content', async (name, content) => {
    saved(name, content)
    const picture = await readPicture(name, folder, mediaDir)
    expect(picture).toMatchObject({ width: 1000, height: 400 })
    expect(picture.name).toMatch(/^[a-f0-9]{32}\.(png|gif|svg)$/)
  })
  test.each<[string, string | Buffer, RegExp]>([
    ['text.png', 'no picture', /图片无法识别/],
    ['other.jpg', png, /图片无法识别/],
    ['other.gif', png, /图片无法识别/],
    ['cut.gif', gif.subarray(0, 16), /图片无法识别/],
    ['sizeless.svg', svg(''), /要有 viewBox/],
    ['page.html', '<p>', /只能是 SVG、PNG、JPG、GIF、WebP/],
  ])('%s is refused', async (name, content, told) => {
    saved(name, content)
    await expect(readPicture(name, folder, mediaDir)).rejects.toThrow(told)
  })
  test('a picture outside the folder of its file is not looked at', async () => {
    mkdirSync(path.join(folder, 'inner'), { recursive: true })
    saved('outside.png', png)
    await expect(readPicture('../outside.png', path.join(folder, 'inner'), mediaDir)).rejects.toThrow(
      /放在文件所在的文件夹/,
    )
    await expect(readPicture(path.join(folder, 'outside.png'), path.join(folder, 'inner'), mediaDir)).rejects.toThrow(
      /图片要放在|只能是/,
    )
    await expect(readPicture('/media/../outside.png', folder, mediaDir)).rejects.toThrow(/图片要放在|只能是/)
  })
})

describe('a file of banners', () => {
  const banner = { title: '每天一组', picture: 'banner.svg', link: '/question/library' }
  const check = (banners: object[], format = 'lijian-banners/1') => {
    saved('banner.svg', svg('viewBox="0 0 1000 400"'))
    return checkBanners(saved('banners.json', JSON.stringify({ format, banners })), mediaDir)
  }
  const reasons = async (...given: Parameters<typeof check>) =>
    (await check(...given)).findings.map(({ at, level, reason }) => `${level} ${at} ${reason}`)

  test('becomes rows with pictures by hash and sizes, and is given out again as it was', async () => {
    const given = [
      {
        ...banner,
        note: '断网也能做',
        from: '2026-11-22 08:00',
        until: '2026-12-01 00:00',
        directions: ['jg'],
        areas: ['11'],
      },
      banner,
    ]
    const { banners, pictures, findings } = await check(given)
    expect(findings).toEqual([])
    expect(banners).toMatchObject([
      { title: '每天一组', note: '断网也能做', width: 1000, height: 400, from: Date.parse('2026-11-22T08:00+08:00') },
      { note: '', from: null, until: null, directions: [], areas: [] },
    ])
    await storeFiles(mediaDir, pictures)
    const again = saved(
      'again.json',
      JSON.stringify(exportBanners(banners ?? [])).replaceAll('"picture":"', '"picture":"/media/'),
    )
    expect((await checkBanners(again, mediaDir)).banners).toEqual(banners)
  })
  test.each<[string, object, string]>([
    [
      'a link to elsewhere',
      { link: '//evil.example' },
      'fault banners[0].link 链接应是本站页面的路径，如 /question/library',
    ],
    ['no title', { title: ' ' }, 'fault banners[0].title 标题不能为空'],
    ['a long title', { title: '长'.repeat(21) }, 'fault banners[0].title 标题最多20字'],
    ['a day that there is not', { from: '2026-02-30 08:00' }, 'fault banners[0].from 没有这个时间，请检查日期'],
    [
      'an end before its beginning',
      { from: '2026-12-02 08:00', until: '2026-12-01 08:00' },
      'fault banners[0] 结束时间要晚于开始时间',
    ],
    ['no picture there', { picture: 'none.svg' }, 'fault banners[0] 找不到图片：none.svg'],
  ])('%s is a fault with its place', async (_, fields, told) => {
    expect(await reasons([{ ...banner, ...fields }])).toEqual([told])
    expect((await check([{ ...banner, ...fields }])).banners).toBeNull()
  })
  test('nine banners, another format and no JSON are faults, an odd shape and a heavy picture are warnings', async () => {
    expect(await reasons(Array.from({ length: 9 }, () => banner))).toEqual(['fault banners 首页轮播最多 8 张'])
    expect(await reasons([banner], 'lijian/1')).toEqual(['fault format format 应为 "lijian-banners/1"'])
    expect((await checkBanners(saved('no.json', '{'), mediaDir)).findings).toMatchObject([
      { reason: '文件不存在或不是 JSON' },
    ])
    saved('square.svg', svg('viewBox="0 0 400 400"') + ' '.repeat(120 * 1024))
    expect(await reasons([{ ...banner, picture: 'square.svg' }])).toEqual([
      expect.stringMatching(/^warning banners\[0\] 图片 121 KB/),
      expect.stringMatching(/^warning banners\[0\] 图片 400×400/),
    ])
    saved('huge.svg', svg('viewBox="0 0 1000 400"') + ' '.repeat(1024 * 1024))
    expect(await reasons([{ ...banner, picture: 'huge.svg' }])).toEqual([
      expect.stringMatching(/^fault banners\[0\] 图片 1025 KB/),
    ])
  })
})

describe('a file of the platform’s promise', () => {
  const check = (html: string) => checkPage(saved('promise.html', html), 1_000)
  test('has its title from the first h1, keeps what the page may hold, and loses what may run', async () => {
    const { page, findings } = await check(
      '<html><head><title>别的</title><style>p{}</style></head><body><h1>我们的承诺</h1><h2>一</h2><p onclick="x()">不丢<a href="javascript:x">题</a></p><script>alert(1)</script></body></html>',
    )
    expect(page).toEqual({ title: '我们的承诺', html: '<h3>一</h3><p>不丢题</p>', at: 1_000 })
    expect(findings).toMatchObject([{ level: 'warning', reason: '不允许的标签已去除，只留文字：a、script' }])
  })
  test('brings the pictures beside it, by their hashes', async () => {
    saved('seal.png', png)
    const { page, pictures } = await check('<h1>承诺</h1><p>印章<img src="seal.png" alt="印章"></p>')
    const [name] = [...pictures.keys()]
    expect(page?.html).toContain(`src="/media/${name}"`)
  })
  test.each([
    ['<p>没有标题</p>', '没有标题：请在开头写 <h1>标题</h1>'],
    ['<h1>承诺</h1>', '没有正文'],
    [`<h1>${'长'.repeat(31)}</h1><p>文</p>`, '标题最多 30 字'],
    [`<h1>承诺</h1><p>${'长'.repeat(50_000)}</p>`, '正文过长：50007 字符，最多 50000'],
  ])('%.20s is a fault', async (html, reason) => {
    const { page, findings } = await check(html)
    expect(page).toBeNull()
    expect(findings).toMatchObject([{ level: 'fault', reason }])
  })
  test('is given out as a file that gives the same again', async () => {
    const first = await check('<h1>承诺 &lt;一&gt;</h1><h3>甲</h3><p>乙 &amp; 丙</p><ul><li>丁</li></ul>')
    expect(first.page?.title).toBe('承诺 <一>')
    const again = await check(exportPage(first.page ?? { title: '', html: '' }))
    expect(again.page?.title).toBe(first.page?.title)
    expect(again.page?.html.replaceAll(/\s+(?=<)/g, '')).toBe(first.page?.html)
  })
  test('that is not there is told so', async () => {
    expect((await checkPage(path.join(folder, 'none.html'), 0)).findings).toMatchObject([
      { reason: '文件不存在或无法读取' },
    ])
  })
})
