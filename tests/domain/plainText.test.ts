import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainText } from '#src/domain/text/plainText.ts'

describe('the text of HTML', () => {
  test.each([
    ['<p>一</p><p>二</p>', '一 二'],
    ['a&lt;b &amp;&amp; c&gt;d', 'a<b && c>d'],
    ['&quot;引&quot;&#39;号&#39;&nbsp;', `"引"'号'`],
    ['&amp;lt;', '&lt;'],
    ['x<br>y', 'x y'],
    ['<img src="/media/a.png" alt="图">', ''],
    ['<math><mi>x</mi><annotation encoding="tex">\\frac</annotation></math>', 'x'],
    ['  多  个\n空格 ', '多 个 空格'],
    ['遵<b>义</b>会议', '遵义会议'],
    ['H<sub>2</sub>SO<sub>4</sub>', 'H₂SO₄'],
    ['2m/s<sup>2</sup>', '2m/s²'],
    ['v<sub>水</sub>', 'v_(水)'],
    ['设<math><msup><mi>x</mi><mn>2</mn></msup><mo>&gt;</mo><mn>1</mn></math>，则', '设x²>1，则'],
    ['由<math display="block"><mi>x</mi></math>得', '由 x 得'],
  ])('%s is %j', (html, text) => expect(plainText(html)).toBe(text))

  test('text that was escaped comes back', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
        expect(plainText(`<p>${html}</p>`)).toBe(text.replace(/\s+/g, ' ').trim())
      }),
    )
  })
})
