import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync('src/ui/tokens.css', 'utf8')
/** Of all blocks that begin a line with this selector. */
const coloursIn = (selector: string): [string, string][] =>
  css
    .split(`\n${selector} {`)
    .slice(1)
    .flatMap((block) => [...(block.split('}')[0] ?? '').matchAll(/--lj-([\w-]+): (#[\da-f]{6});/g)])
    .map(([, name = '', hex = '']) => [name, hex])
const light = coloursIn(':root')
const themes = {
  light: new Map(light),
  dark: new Map([...light, ...coloursIn("[data-mantine-color-scheme='dark']")]),
  paper: new Map([...light, ...coloursIn("[data-eyes='on'][data-mantine-color-scheme='light']")]),
}

/** WCAG 2.2, relative luminance and contrast. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
function contrast(a: string, b: string): number {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (bright + 0.05) / (dark + 0.05)
}

const GROUNDS = ['surface', 'raised', 'sunken']
const TONES = ['accent', 'warm', 'right', 'wrong']
const texts = [
  ...['text', 'muted', ...TONES].flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ...TONES.flatMap((tone) => [tone, 'text', 'muted'].map((text) => [text, `${tone}-soft`] as const)),
  ...([
    ['on-accent', 'accent'],
    ['on-mark', 'right'],
    ['on-mark', 'wrong'],
    ['raised', 'muted'],
  ] as const),
]
const outlines = ['focus', 'edge'].flatMap((line) => ['surface', 'raised'].map((ground) => [line, ground] as const))

test('each theme has colours of its own', () => {
  const surfaces = Object.values(themes).map((theme) => theme.get('surface'))
  expect(new Set(surfaces).size).toBe(3)
})

describe.each(['light', 'dark', 'paper'] as const)('in the %s theme', (theme) => {
  const ratio = (a: string, b: string) => contrast(themes[theme].get(a) ?? '', themes[theme].get(b) ?? '')
  test.each(texts)('%s can be read on %s', (text, ground) => expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5))
  test.each(outlines)('%s can be seen on %s', (line, ground) => expect(ratio(line, ground)).toBeGreaterThanOrEqual(3))
})

const read = (file: string): [string, string] => [file, readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')]
const sheets = globSync('src/**/*.css').map(read)
const screens = sheets.filter(([file]) => file !== 'src/ui/tokens.css')
/** A formula, paper and a document page have sizes of their own; the text of a drawing goes by its drawing. */
const OWN_SIZES = ['src/ui/text/mathFallback.css', 'src/features/question/errorBook/Print.module.css']
const DRAWN = /^(\d+(\.\d+)?px|calc\(var\(--text-scale.*)$/

/** What a property may be besides a token. */
const ALLOWED: [property: string, besides: RegExp][] = [
  // Relative to the text around it, or to the screen.
  ['font-size', /^([\d.]+em|inherit|clamp\(.*|3rem)$/],
  ['line-height', /^(1|[\d.]+rem|1\.97)$/],
  ['border-radius', /^(0|50%)$/],
  ['font-weight', /^(400|500|600|700)$/],
  // Within a part; what lies over the page is named.
  ['z-index', /^[123]$/],
]
const ofProperty = (text: string, property: string): string[] =>
  [...text.matchAll(new RegExp(`[\\s;{]${property}: ([^;}]+)`, 'g'))].map(([, value = '']) => value)
const isToken = (value: string): boolean => /^(var\(--lj-[\w-]+(, [\d.]+)?\)( 0)* ?)+$/.test(value)

describe('no stylesheet writes out what is a token', () => {
  test.each(ALLOWED)('%s', (property, besides) => {
    const strays = screens
      .filter(([file]) => !OWN_SIZES.includes(file))
      .flatMap(([file, text]) =>
        ofProperty(text, property)
          .filter(
            (value) => !isToken(value) && !besides.test(value) && !(property === 'font-size' && DRAWN.test(value)),
          )
          .map((value) => `${file}: ${value}`),
      )
    expect(strays).toEqual([])
  })
  test('heights that a thumb hits', () => {
    const strays = screens.flatMap(([file, text]) =>
      ofProperty(text, 'min-height').flatMap((value) => (/^(4[2-9]|5\d)px$/.test(value) ? [`${file}: ${value}`] : [])),
    )
    expect(strays).toEqual([])
  })
  test('screens break at the widths that all of them share', () => {
    const widths = screens.flatMap(([, text]) =>
      [...text.matchAll(/\((?:min|max)-width: (\d+)px\)/g)].map(([, w]) => w),
    )
    expect(new Set(widths)).toEqual(new Set(['399', '479', '599', '600', '768', '1023', '1024']))
  })
})

test('every token that is used is declared, and every one that is declared is used', () => {
  const scripts = globSync('src/**/*.{ts,tsx}').map(read)
  const all = [...sheets, ...scripts].map(([, text]) => text).join('\n')
  const declared = new Set([...all.matchAll(/(--lj-[\w-]+)['"]?[:,]/g)].map(([, name]) => name))
  const used = new Set([...all.matchAll(/var\((--lj-[\w-]+)/g)].map(([, name]) => name))
  expect([...used].filter((name) => !declared.has(name))).toEqual([])
  const tokens = [...css.matchAll(/^ {2,4}(--lj-[\w-]+):/gm)].map(([, name]) => name)
  expect(tokens.filter((name) => !used.has(name))).toEqual([])
})
