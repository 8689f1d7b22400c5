import { holdGaps } from '#src/domain/text/gaps.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  imageTokens,
  judgeKey,
  maskMobile,
  maskName,
  normaliseForSearch,
  ordinaryCharacters,
  stripEmptyParagraphs,
} from '#src/domain/text/text.ts'

describe('a mobile number on screen', () => {
  test('shows its first three and last four digits', () => expect(maskMobile('13812345678')).toBe('138****5678'))

  test.each([
    '',
    '1381234567',
    '138123456789',
    '1381234567x',
    '138 1234 5678',
    '１３８１２３４５６７８',
    '13812345678\n',
  ])('is no mobile and stays: %j', (text) => expect(maskMobile(text)).toBe(text))

  test('never shows its middle four digits, and is never longer or shorter', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{11}$/), (mobile) => {
        expect(maskMobile(mobile)).toBe(`${mobile.slice(0, 3)}****${mobile.slice(-4)}`)
        expect(maskMobile(maskMobile(mobile))).toBe(maskMobile(mobile))
      }),
    )
  })
})

test.each([
  ['王', '王**'],
  ['王明', '王**'],
  ['王小明', '王**明'],
  ['阿依古丽·买买提', '阿**提'],
  ['', '**'],
])('%s is shown to others as %s', (name, shown) => expect(maskName(name)).toBe(shown))

describe('the answer of a judge question', () => {
  test.each([
    'A',
    'a',
    'Ａ',
    't',
    'T',
    'True',
    'TRUE',
    '对',
    ' 对 ',
    '（ （对） ）。',
    '对！！',
    '正确',
    '√',
    '✓',
    '是',
    'Y',
    'yes',
    'V',
    '正确。',
    '（对）',
  ])('%j is A 对', (word) => expect(judgeKey(word)).toBe('A'))
  test.each([
    'B',
    'ｂ',
    'f',
    'F',
    'false',
    '错',
    '错误\n',
    '×',
    'x',
    'X',
    'Ｘ',
    '✗',
    '否',
    'n',
    'No',
    '不对',
    '不正确。',
  ])('%j is B 错', (word) => expect(judgeKey(word)).toBe('B'))
  test.each(['', ' ', 'C', 'AB', 'tf', '对错', '不', '0', '1', 'constructor'])('%j is neither', (word) =>
    expect(judgeKey(word)).toBeNull(),
  )
})

describe('image tokens', () => {
  test('become pictures that keep their size', () => {
    expect(imageTokens('见图[img:/media/ab.png,120,80]所示')).toBe(
      '见图<img src="/media/ab.png" width="120" height="80" alt="">所示',
    )
  })
  test('without a size, several in a row, in any case', () => {
    expect(imageTokens('[img:a.png][IMG:b.png]')).toBe('<img src="a.png" alt=""><img src="b.png" alt="">')
  })
  test.each([
    '[img:]',
    '[img: a.png]',
    '[img:a.png,1]',
    '[img:a.png,12345,1]',
    '[img:a.png,x,y]',
    '[image:a.png]',
    'img:a',
  ])('%s is no token and stays', (text) => expect(imageTokens(text)).toBe(text))
  test('cannot end its attribute', () => {
    expect(imageTokens('[img:a.png"onerror="alert(1)]')).toBe('<img src="a.png%22onerror=%22alert(1)" alt="">')
    fc.assert(
      fc.property(
        fc.string().filter((url) => !url.includes(']')),
        (url) => {
          const made = imageTokens(`[img:${url}]`)
          expect(made.startsWith('<img src="') && made.split('"').length !== 5).toBe(false)
        },
      ),
    )
  })
})

describe('empty paragraphs', () => {
  test('go, with their spaces and breaks', () => {
    expect(stripEmptyParagraphs('<p>一</p><p></p><p> &nbsp;</p><P><br></P><p><br /> </p><p>二</p>')).toBe(
      '<p>一</p><p>二</p>',
    )
  })
  test.each(['<p>&nbsp;一</p>', '<p><img src="/media/a.png"></p>', '<p>。</p>', '<pre></pre>', '<p class="x"></p>'])(
    '%s holds something, or is no plain paragraph, and stays',
    (html) => expect(stripEmptyParagraphs(html)).toBe(html),
  )
})

describe('characters as a Chinese reader means them', () => {
  test.each([
    ['Kangxi radicals', '⼤⾮⼈', '大非人'],
    ['CJK radicals', '⻁⻆⻅⻰⺠', '虎角见龙民'],
    ['a no-break space', 'a\u00A0b', 'a b'],
    ['an ideographic space', '一\u3000二', '一 二'],
    ['zero-width characters and a stray BOM', '\uFEFF一\u200B二', '一二'],
    ['glyphs of word processors', '\uF06C甲\uF075乙\uF0B7', '•甲→乙•'],
    ['a private glyph that nobody knows', '甲\uE123乙', '甲乙'],
  ])('%s', (_, before, after) => expect(ordinaryCharacters(before)).toBe(after))

  test.each(['x² + y₁ ≠ ½', 'ＡＢＣ１２３', '①②③', '㎏', 'é', '“三个代表”', '𠮷'])('%s stays, to the sign', (text) =>
    expect(ordinaryCharacters(text)).toBe(text),
  )

  test('once is enough', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = ordinaryCharacters(text)
        expect(ordinaryCharacters(once)).toBe(once)
        expect(once).not.toMatch(/[\uE000-\uF8FF\u00A0\u200B]/)
      }),
    )
  })
})

describe('text for search', () => {
  test.each([
    ['width and case', 'ＮａＣｌ', 'nacl'],
    ['spaces', ' 遵 义\u3000会议\n', '遵义会议'],
    ['punctuation', '“三湾改编”，（1927年）。', '三湾改编1927年'],
    ['radicals', '⼈⺠', '人民'],
    ['emphasis dots', '行．之．有．效．', '行之有效'],
  ])('%s do not count', (_, text, plain) => expect(normaliseForSearch(text)).toBe(plain))

  test('signs of mathematics that are symbols stay', () => {
    expect(normaliseForSearch('1+1=2')).toBe('1+1=2')
    expect(normaliseForSearch('a<b')).not.toBe(normaliseForSearch('a>b'))
  })

  test('no space and no punctuation is ever left', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\s\p{P}]/u.test(normaliseForSearch(text))))
  })
})

test.each([
  ['哲学的基本问题是（ ）', '哲学的基本问题是（\u00A0\u00A0）'],
  ['<p>是(&nbsp; \u3000)。</p>', '<p>是(\u00A0\u00A0)。</p>'],
  ['f() 与（一）', 'f() 与（一）'],
])('a gap in brackets stays whole: %s', (text, held) => {
  expect(holdGaps(text)).toBe(held)
  expect(held).not.toMatch(/[（(][ \u3000]/)
})
