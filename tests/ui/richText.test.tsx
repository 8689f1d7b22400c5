import { render } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { MATH_TAGS, TEXT_TAGS } from '#src/domain/text/html.ts'
import { RichText } from '#src/ui/text/RichText.tsx'

afterEach(() => vi.restoreAllMocks())

/** What of an author's text stands on the screen. */
function shown(html: string): HTMLElement {
  const { container } = render(<RichText html={html} />)
  const box = container.firstElementChild
  if (!(box instanceof HTMLElement)) throw new Error('nothing was rendered')
  return box
}
const PICTURE = '/media/0123456789abcdef.png'

/** Anything that runs, loads, sends or dresses up: must be nowhere, however it was written. */
function expectHarmless(box: HTMLElement): void {
  const allowed = new Set<string>([...TEXT_TAGS, ...MATH_TAGS])
  for (const element of box.querySelectorAll('*')) {
    expect(allowed).toContain(element.localName)
    for (const { name, value } of element.attributes) {
      // Ours names a recording.
      expect(element.localName === 'audio' ? '' : name).not.toMatch(/^aria-/)
      expect(name).not.toMatch(/^on|style|href|^id$|^name$|srcset|action|autoplay|^data-|background|formaction/)
      expect(value).not.toMatch(/(javascript|data|vbscript):/i)
    }
  }
  for (const recording of box.querySelectorAll('audio'))
    expect(recording.getAttribute('src')).toMatch(/^\/media\/[a-f0-9]+\.mp3$/)
  for (const picture of box.querySelectorAll('img'))
    expect(picture.getAttribute('src')).toMatch(/^(\/media\/[a-f0-9]+\.[a-z]+|https:\/\/.*)$/)
}

test('what needs no sanitiser says what the sanitiser would leave of it, and nothing else', () => {
  const token = fc.constantFrom(
    '题',
    '<p>',
    '</p>',
    '<br>',
    '<b>',
    '</b>',
    '<sub>',
    '</sub>',
    '&lt;script&gt;',
    '&',
    '"',
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const html = tokens.join('')
      const box = shown(html)
      // A tag that is not bare sends the text through the sanitiser.
      expect(box.textContent).toBe(shown(`${html}<wbr>`).textContent)
      expectHarmless(box)
      expect([...box.querySelectorAll('*')].every((element) => element.attributes.length === 0)).toBe(true)
    }),
  )
})

test('a formula in a line is one with the punctuation after it, which begins no line', () => {
  const box = shown('<p>由<math><mi>x</mi></math>。<b>得</b><math><mi>y</mi></math> ，即<math><mi>z</mi></math></p>')
  const lines = [...box.querySelectorAll('math')].map((math) => math.parentElement?.textContent)
  expect(lines).toEqual(['x。', 'y ，', 'z'])
  expect(box.textContent).toBe('由x。得y ，即z')
})

test('a formula wider than its line is marked until its end is in sight', () => {
  vi.spyOn(window, 'ResizeObserver').mockImplementation(function watch(this: ResizeObserver, tell) {
    return { observe: () => tell([], this), unobserve: () => {}, disconnect: () => {} }
  })
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(500)
  const box = shown('<p><math display="block"><mi>x</mi></math></p>')
  const math = box.querySelector('math')
  expect(math?.getAttribute('data-wide')).toBe('more')
  if (math) math.scrollLeft = 500
  math?.dispatchEvent(new Event('scroll'))
  expect(math?.getAttribute('data-wide')).toBe('end')
})

describe('an attack in a text', () => {
  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script in a paragraph', '<p>题<script>alert(1)</script>干</p>'],
    ['an image that fails', '<img src=x onerror=alert(1)>'],
    ['a good image with a handler', `<img src="${PICTURE}" onload="alert(1)" onerror=alert(1)>`],
    ['a picture by javascript:', '<img src="javascript:alert(1)">'],
    ['a picture by data:', '<img src="data:image/svg+xml,<svg onload=alert(1)>">'],
    ['a picture by another scheme', '<img src="http://tracker.example/x.png"><img src="//tracker.example/x.png">'],
    ['a picture beside our media', '<img src="/media/../pcapi/login/logout"><img src="/pcapi/login/logout">'],
    ['a picture by srcset', `<img src="${PICTURE}" srcset="//tracker.example/x.png 2x">`],
    ['a link by javascript:', '<a href="javascript:alert(1)">点我</a>'],
    [
      'a link by mixed-case javascript:',
      '<a href="JaVaScRiPt:alert(1)">点我</a><a href="&#106;avascript:alert(1)">x</a>',
    ],
    ['an svg that loads', '<svg onload=alert(1)><circle r="1"/></svg>'],
    ['an svg with a script', '<svg><script>alert(1)</script></svg>'],
    ['an svg animation', '<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>'],
    ['an svg that brings HTML', '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>'],
    ['a use element', '<svg><use href="data:image/svg+xml,#x"></use></svg>'],
    ['a style element', '<style>body{background:url(//tracker.example)}</style><p>题</p>'],
    ['a style attribute', '<p style="position:fixed;inset:0;background:url(//tracker.example)">题</p>'],
    ['a class that dresses up', '<div class="lj-dialog mantine-Button-root">登录</div>'],
    ['an id and a name that clobber', '<p id="root">x</p><img name="body" src="x"><form name="fetch"></form>'],
    ['a frame', '<iframe src="javascript:alert(1)"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>'],
    ['an object and an embed', '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">'],
    [
      'a form',
      '<form action="//evil.example"><input name="password"><button formaction="javascript:alert(1)">登录</button></form>',
    ],
    [
      'a base, a meta and a link',
      '<base href="//evil.example"><meta http-equiv=refresh content=0><link rel=stylesheet href=//evil>',
    ],
    ['a handler on text', '<p onclick=alert(1) onmouseover=alert(1)>题</p><details ontoggle=alert(1) open>x</details>'],
    ['media that plays', '<video src=x onerror=alert(1)></video><audio src=x onerror=alert(1)></audio>'],
    ['a link in a formula', '<math href="javascript:alert(1)"><mi xlink:href="javascript:alert(1)">x</mi></math>'],
    [
      'an action in a formula',
      '<math><maction actiontype="statusline#http://evil" href="javascript:alert(1)">x</maction></math>',
    ],
    [
      'HTML by an annotation',
      '<math><semantics><mi>x</mi><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></semantics></math>',
    ],
    [
      'a formula that mutates',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    ],
    [
      'a formula in a form that mutates',
      '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    ],
    [
      'an svg in a formula that mutates',
      '<math><mtext><svg><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=alert(1) src=1>">',
    ],
    ['a text that mutates', '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'],
    ['a noscript that mutates', '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>'],
    ['a recording of another site', '<audio src="https://evil.example/a.mp3" autoplay></audio>'],
    ['a recording in the text', '<audio src="data:audio/mpeg;base64,AAAA" onerror="alert(1)"></audio>'],
    ['a recording by its sources', '<audio><source src="https://evil.example/a.mp3" onerror="alert(1)"></audio>'],
    ['a film', '<video src="/media/0123456789abcdef.mp3" poster="https://evil.example/a.png"></video>'],
    ['a template', '<template><img src=x onerror=alert(1)></template>'],
    ['a custom element', '<x-login is="x-evil" onclick=alert(1)>登录</x-login>'],
    ['a comment', '<!--[if IE]><script>alert(1)</script><![endif]--><p>题</p>'],
    ['a broken tag', '<img src="x` `<script>alert(1)</script>"` `>'],
  ])('%s is taken out', (_, html) => expectHarmless(shown(html)))

  test('the rest of the text stays, and stays text', () => {
    expect(shown('<p>甲<script>alert(1)</script>乙 <a href="javascript:alert(1)">丙</a></p>').textContent).toBe(
      '甲乙 丙',
    )
    expect(shown('<p>a &lt;b&gt; c &amp;lt;</p>').textContent).toBe('a <b> c &lt;')
  })
})

describe('what a question may hold stays', () => {
  const same = (html: string) => expect(shown(html).innerHTML).toBe(html)
  test('paragraphs, lists, emphasis, sub- and superscripts, ruby', () =>
    same(
      '<p>题<b>干</b><br><i>斜</i><u>线</u>H<sub>2</sub>O x<sup>2</sup></p><ol start="3"><li>甲</li></ol><ruby>砺<rp>(</rp><rt>lì</rt><rp>)</rp></ruby>',
    ))
  test('a table with its spans', () =>
    same(
      '<table><caption>表</caption><thead><tr><th colspan="2" scope="col">甲</th></tr></thead><tbody><tr><td rowspan="2">1</td><td>2</td></tr></tbody></table>',
    ))
  test('a picture of ours, with its size, loaded late', () => {
    const picture = shown(`<p><img src="${PICTURE}" width="300" height="200" alt="示意图"></p>`).querySelector('img')
    const attributes = Object.fromEntries([...(picture?.attributes ?? [])].map(({ name, value }) => [name, value]))
    expect(attributes).toEqual({
      src: PICTURE,
      width: '300',
      height: '200',
      alt: '示意图',
      loading: 'lazy',
      decoding: 'async',
    })
  })
  test('a recording of ours, which neither loads nor sounds by itself', () => {
    const source = '/media/0123456789abcdef.mp3'
    const audio = shown(`<audio src="${source}" autoplay loop></audio>`).querySelector('audio')
    const attributes = Object.fromEntries([...(audio?.attributes ?? [])].map(({ name, value }) => [name, value]))
    expect(attributes).toEqual({ src: source, controls: '', preload: 'none', 'aria-label': '听力录音' })
  })
  test('a picture of a bucket by https', () =>
    expect(shown('<img src="https://b.cos.example/x.png" alt="">').querySelector('img')).not.toBeNull())
  test('a formula, as MathML in its own namespace', () => {
    const html =
      '<math display="block"><mfrac><msqrt><mi mathvariant="normal">x</mi></msqrt><mrow><mn>2</mn><mo stretchy="false">)</mo></mrow></mfrac><msubsup><mo>∑</mo><mi>i</mi><mi>n</mi></msubsup><mtable columnalign="left"><mtr><mtd>1</mtd></mtr></mtable></math>'
    const box = shown(html)
    expect(box.innerHTML).toBe(html)
    expect(box.querySelector('mfrac')?.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML')
  })
  test('the importer’s own alignment classes, and no other', () => {
    const cell = shown('<math><mtable><mtr><mtd class="tml-left lj-evil">1</mtd></mtr></mtable></math>').querySelector(
      'mtd',
    )
    expect(cell?.getAttribute('class')).toBe('tml-left')
  })
  test('an option stands within its line', () => {
    const { container } = render(<RichText html="甲 <b>乙</b>" inline />)
    expect(container.firstElementChild?.tagName).toBe('SPAN')
  })
})
