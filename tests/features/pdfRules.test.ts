import { describe, expect, test } from 'vitest'
import { columnOf, edgesOf, type Printed } from '#src/features/pdf/reader/column.ts'
import { cutPiece, foldPage, foldWords, type Match, matchesIn } from '#src/features/pdf/reader/find.ts'
import {
  fitScale,
  GAP,
  layOut,
  MAX_SCALE,
  pageAt,
  pageInView,
  pagesIn,
  percent,
  pixelRatio,
  placeOf,
  readingScale,
  spotAt,
  stepped,
} from '#src/features/pdf/reader/layout.ts'
import { isSafeLink } from '#src/features/pdf/reader/links.ts'
import { titleOf } from '#src/features/pdf/reader/title.ts'

const A4 = { width: 595, height: 842 }
const WIDE = { width: 842, height: 595 }

describe('pages one below the other', () => {
  const layout = layOut([A4, WIDE, A4], 1, 400)

  test('stand apart, and the whole is as wide as the widest', () => {
    expect(layout.tops).toEqual([GAP, GAP + 842 + GAP, GAP + 842 + GAP + 595 + GAP])
    expect(layout.width).toBe(842 + 2 * GAP)
    expect(layout.height).toBe(842 + 595 + 842 + 4 * GAP)
    expect(layOut([A4], 0.5, 2000).width).toBe(2000)
  })

  test.each([
    [0, 0],
    [GAP + 841, 0],
    [GAP + 842 + GAP, 1],
    [GAP + 842 + GAP + 595, 1],
    [99_999, 2],
    [-50, 0],
  ])('%i px down is page %i', (y, page) => expect(pageAt(layout, y)).toBe(page))

  test('only those in the window and their neighbours are drawn, of however many', () => {
    const many = layOut(
      Array.from({ length: 5000 }, () => A4),
      1,
      600,
    )
    const [first, last] = pagesIn(many, (many.tops[2500] ?? 0) + 100, 700)
    expect([first, last]).toEqual([2499, 2501])
    expect(pagesIn(many, 0, 700)).toEqual([0, 1])
    expect(pagesIn(many, many.height, 700)).toEqual([4998, 4999])
  })

  test('the page that is read is the one in the middle, and at the very end the last one', () => {
    expect(pageInView(layout, 0, 700)).toBe(0)
    expect(pageInView(layout, 700, 700)).toBe(1)
    expect(pageInView(layout, layout.height - 900, 900)).toBe(2)
    const short = layOut([A4, A4, { width: 595, height: 50 }], 1, 400)
    expect(pageInView(short, short.height - 900, 900)).toBe(2)
  })

  test('a spot is the same place of the document at every scale and width', () => {
    const spot = spotAt(layout, 300, 1200)
    expect(placeOf(layout, spot)).toEqual({ x: 300, y: 1200 })
    const larger = layOut([A4, WIDE, A4], 2, 400)
    const place = placeOf(larger, spot)
    expect(spotAt(larger, place.x, place.y)).toEqual(spot)
    expect(spot.page).toBe(1)
  })

  test('fit the window, but no wider than is good to read, and steps end at the largest', () => {
    expect(fitScale([A4], 360, null) * 595).toBeCloseTo(360 - 2 * GAP)
    expect(fitScale([A4], 3000, null)).toBe(fitScale([A4], 940, null))
    expect(fitScale([A4, WIDE], 500, null) * 842).toBeCloseTo(500 - 2 * GAP)
    expect(percent(fitScale([{ width: 420, height: 595 }], 1280, null))).toBe(125)
    expect(stepped(MAX_SCALE, true)).toBe(MAX_SCALE)
    expect(stepped(stepped(1, true), false)).toBeCloseTo(1)
    expect(percent(96 / 72)).toBe(100)
    expect(percent(stepped(96 / 72, true))).toBe(125)
  })
})

test('a picture has the screen’s pixels, as far as a phone can hold them and a canvas is long', () => {
  expect(pixelRatio({ width: 400, height: 600 }, 4_000_000, 3)).toBe(3)
  expect(pixelRatio({ width: 2000, height: 4000 }, 4_000_000, 3) ** 2 * 8_000_000).toBeCloseTo(4_000_000)
  expect(pixelRatio({ width: 100, height: 40_000 }, 4_000_000, 1) * 40_000).toBe(8192)
})

describe('where the text of the first pages stands', () => {
  const LINE = '坚持党对军队的绝对领导是人民军队永远不变的军魂，永远不能丢的命根子。'
  const page = (left: number, right: number, text = LINE, size = A4): Printed => ({
    size,
    pieces: [{ text, left, right }],
  })
  const scan: Printed = { size: A4, pieces: [] }
  const middle = A4.width / 2

  test.each<[string, Printed[], [number, number] | null]>([
    ['is measured from the middle of the page', [page(60, 530)], [60, 530]],
    ['is as wide as all of them need', [page(80, 530), page(60, 510)], [60, 530]],
    [
      'is not widened by what is empty',
      [{ size: A4, pieces: [...page(60, 530).pieces, { text: '  ', left: 0, right: 595 }] }],
      [60, 530],
    ],
    [
      'is not widened by what lies beside the page',
      [{ size: A4, pieces: [...page(60, 530).pieces, { text: '+', left: -20, right: -5 }] }],
      [60, 530],
    ],
    ['is two thirds of the page at least', [page(middle - 50, middle + 50)], [middle - 595 / 3, middle + 595 / 3]],
    ['does not leave the page', [page(-30, 480)], [0, 480]],
    ['is that of the text behind a cover', [page(200, 400, '封面'), page(60, 530)], [60, 530]],
    ['is the whole width of a scan', [scan, scan], null],
    ['is the whole width of a scan with a stamp', [page(250, 340, '扫描全能王')], null],
    ['is the whole width where most pages are pictures', [page(60, 530), scan, scan], null],
    ['is the whole width of a slide', [page(100, 300, LINE, WIDE)], null],
    ['is the whole width where there is a slide among the text', [page(60, 530), page(100, 300, LINE, WIDE)], null],
    ['is the whole width where the margins are nothing', [page(10, 588)], null],
    ['is the whole width of no page', [], null],
  ])('%s', (_, pages, expected) => {
    const column = columnOf(pages)
    const found = column && [column.left + middle, column.right + middle].map((x) => Math.round(x * 100) / 100)
    expect(found).toEqual(expected && expected.map((x) => Math.round(x * 100) / 100))
  })

  const UPRIGHT = [1, 0, 0, -1, 0, 842]
  test.each([
    ['in a line', [12, 0, 0, 12, 60, 700], UPRIGHT, [60, 160]],
    ['up the page', [0, 12, -12, 0, 60, 700], UPRIGHT, [48, 60]],
    ['on a page turned by a quarter', [12, 0, 0, 12, 60, 700], [0, 1, 1, 0, 0, 0], [700, 712]],
    ['on a page whose corner is not 0', [12, 0, 0, 12, 60, 700], [1, 0, 0, -1, -20, 842], [40, 140]],
  ])('a piece of text %s has its edges', (_, transform, pageTransform, [left, right]) =>
    expect(edgesOf({ width: 100, height: 12, transform }, pageTransform)).toEqual({ left, right }),
  )
})

describe('a phone leaves out the margins of paper', () => {
  const column = { left: -250, right: 230 }
  const scale = fitScale([A4], 360, column)

  test('so that the text is as wide as the window, and stands in it', () => {
    expect(scale * 480).toBeCloseTo(348)
    const { home, width } = layOut([A4, WIDE], scale, 360, column)
    const edge = width / 2 - home
    expect(edge + column.left * scale).toBeCloseTo(6)
    expect(edge + column.right * scale).toBeCloseTo(354)
  })

  test('but makes no letter larger than on paper for it, and a wide window shows the whole page', () => {
    const small = [{ width: 300, height: 420 }]
    expect(fitScale(small, 590, { left: -100, right: 100 })).toBe(fitScale(small, 590, null))
    expect(percent(fitScale([{ width: 420, height: 595 }], 500, { left: -140, right: 140 }))).toBe(100)
    expect(fitScale([A4], 768, column)).toBe(fitScale([A4], 768, null))
  })

  test('and nowhere shows what lies beyond the pages', () => {
    expect(layOut([A4], scale, 1280, column).home).toBe(0)
    expect(layOut([A4], 0.3, 360, column).home).toBe(0)
    const { home, width } = layOut([A4], 2, 360, { left: 250, right: 297 })
    expect(home).toBe(width - 360)
  })
})

test.each([
  ['a phone', 360, 110],
  ['a tablet', 768, 151],
  ['a desktop', 1280, 186],
])('two taps on %s show much more of less', (_, width, expected) =>
  expect(percent(readingScale(fitScale([A4], width, null)))).toBe(expected),
)

describe('search in a page', () => {
  const found = (pieces: string[], words: string) =>
    matchesIn(foldPage(pieces), foldWords(words), 3).map((match) =>
      match.pieces.map(({ item, from, to }) => pieces[item]?.slice(from, to)),
    )

  test.each<[string, string[], string, (string | undefined)[][]]>([
    ['a word', ['强军目标与强军之路'], '强军', [['强军'], ['强军']]],
    ['over a line’s end', ['坚持党对军队的', '绝对领导'], '军队的绝对领导', [['军队的', '绝对领导']]],
    ['over empty pieces', ['军', '', '  ', '队'], '军队', [['军', '队']]],
    ['whatever the width and case', ['ＧＤＰ 增长'], 'gdp增', [['ＧＤＰ 增']]],
    ['whatever the spaces', ['建 军 节'], '建军节', [['建 军 节']]],
    ['one letter that is two when folded', ['½at²'], '1⁄2', [['½']]],
    ['a letter of four bytes', ['甲𠮷乙'], '𠮷', [['𠮷']]],
    ['what is not there', ['强军'], '强国', []],
    ['nothing', ['强军'], '  ', []],
    ['what would overlap, once', ['哈哈哈'], '哈哈', [['哈哈']]],
  ])('%s', (_, pieces, words, expected) => expect(found(pieces, words)).toEqual(expected))

  test('a piece is cut where something was found, and nothing of it is lost', () => {
    const pieces = ['强军目标与强军之路']
    const matches = matchesIn(foldPage(pieces), '强军', 0)
    const parts = cutPiece(pieces[0] ?? '', 0, matches)
    expect(parts.map(({ text, of }) => [text, of ? matches.indexOf(of) : null])).toEqual([
      ['强军', 0],
      ['目标与', null],
      ['强军', 1],
      ['之路', null],
    ])
    const elsewhere: Match[] = [{ page: 0, pieces: [{ item: 7, from: 0, to: 1 }] }]
    expect(cutPiece('全文', 0, elsewhere)).toEqual([{ text: '全文', of: null }])
  })
})

describe('links out of a document', () => {
  test.each(['https://www.gfbzb.gov.cn/', 'https://a.test/x?y#z'])('%s may be opened after asking', (url) =>
    expect(isSafeLink(url)).toBe(true),
  )
  test.each([
    'http://a.test/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'mailto:a@b.test',
    'intent://x#Intent;end',
    'https://user:pass@a.test/',
    'https://bank.test@evil.test/',
    '//a.test/',
    'a.pdf',
    '',
  ])('%s is no link', (url) => expect(isSafeLink(url)).toBe(false))
})

describe('what a document is called', () => {
  const hash = `${'a'.repeat(32)}.pdf`
  test.each<[unknown, string, string, string]>([
    [{ Title: '政治讲义' }, hash, '政治讲义', '政治讲义.pdf'],
    [{ Title: '  ' }, hash, '文档', '文档.pdf'],
    [undefined, '力学公式.pdf', '力学公式', '力学公式.pdf'],
    [{ Title: 'Microsoft Word - 1.doc' }, '力学公式.pdf', '力学公式', '力学公式.pdf'],
    [{ Title: 'untitled' }, hash, '文档', '文档.pdf'],
    [{ Title: 42 }, hash, '文档', '文档.pdf'],
    [{ Title: '../../a\\b:c\u202E' }, hash, '../../a\\b:c\u202E', '.. .. a b c.pdf'],
  ])('%j in %s', (info, file, title, fileName) => expect(titleOf(info, file)).toEqual({ title, fileName }))
})
