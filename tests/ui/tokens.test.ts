import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { theme } from '#src/ui/forms/theme.ts'

const css = readFileSync('src/ui/tokens.css', 'utf8')
/** Returns the colours declared in every block whose selector begins a line. */
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
/** A formula, paper and a document page have sizes of their own. */
const OWN_SIZES = [
  'src/ui/text/mathFallback.css',
  'src/features/question/errorBook/Print.module.css',
  'src/features/pdf/reader/Pdf.module.css',
]
/** The text in a drawing goes by the drawing's own units. */
const DRAWINGS = [
  'src/ui/list/Columns.module.css',
  'src/features/exam/Report.module.css',
  'src/install/guide/Install.module.css',
]

/** For each property the tokens that it takes, and what else it may be. */
const ALLOWED: [property: string, token: RegExp, besides: RegExp][] = [
  // Relative to the text around it, or to the screen.
  ['font-size', /^var\(--lj-(font-\w+|reading)\)$/, /^([\d.]+em|inherit|clamp\(.*|3rem)$/],
  ['line-height', /^var\(--lj-(leading-\w+|leading, [\d.]+|control)\)$/, /^(1|[\d.]+rem|1\.97|inherit)$/],
  ['border-radius', /^((0|var\(--lj-radius-\w+\)) ?){1,4}$/, /^(50%|inherit)$/],
  ['font-weight', /^$/, /^(400|500|600|700|inherit)$/],
  // Within a part; what lies over the page is named.
  ['z-index', /^var\(--lj-layer-\w+\)$/, /^(-?[123]|auto)$/],
]
const ofProperty = (text: string, property: string): string[] =>
  [...text.matchAll(new RegExp(`[\\s;{]${property}: ([^;}]+)`, 'g'))].map(([, value = '']) => value)

describe('no stylesheet writes out what is a token', () => {
  test.each(ALLOWED)('%s', (property, token, besides) => {
    const isFine = (file: string, value: string) =>
      token.test(value) ||
      besides.test(value) ||
      (property === 'font-size' && DRAWINGS.includes(file) && /^[\d.]+px$/.test(value))
    const strays = screens
      .filter(([file]) => !OWN_SIZES.includes(file))
      .flatMap(([file, text]) =>
        ofProperty(text, property)
          .filter((value) => !isFine(file, value))
          .map((value) => `${file}: ${value}`),
      )
    expect(strays).toEqual([])
  })
  test('heights that a thumb hits', () => {
    const strays = screens.flatMap(([file, text]) => [
      ...ofProperty(text, 'min-height').flatMap((value) =>
        /^(4[2-9]|5\d)px$/.test(value) ? [`${file}: ${value}`] : [],
      ),
      ...['height', 'width', 'min-width'].flatMap((property) =>
        ofProperty(text, property).flatMap((value) => (value === '44px' ? [`${file}: ${value}`] : [])),
      ),
    ])
    expect(strays).toEqual([])
  })
  test('a shorthand brings no size of its own in', () => {
    const strays = screens.flatMap(([file, text]) =>
      [...text.matchAll(/[\s;{](font|border-[\w-]+-radius): ([^;}]+)/g)]
        .filter(([, , value]) => value !== 'inherit' && !value?.startsWith('var('))
        .map(([all]) => `${file}: ${all.trim()}`),
    )
    expect(strays).toEqual([])
  })
  test('the layout changes at no other widths than these', () => {
    const widths = screens.flatMap(([, text]) =>
      [...text.matchAll(/\((?:min|max)-width: (\d+)px\)/g)].map(([, w]) => w),
    )
    expect(new Set(widths)).toEqual(
      new Set(['359', '399', '479', '599', '600', '768', '1023', '1024', '1199', '1200', '1560']),
    )
  })
  test('no rule is empty', () => {
    const empty = sheets.flatMap(([file, text]) =>
      [...text.matchAll(/([^{}]+)\{\s*\}/g)].map(([, rule]) => `${file}: ${rule}`),
    )
    expect(empty).toEqual([])
  })
})

test('Mantine reckons with the accent that the light theme has', () => {
  expect(theme.colors?.['olive']?.[8]).toBe(themes.light.get('accent'))
})

test('every token that is used is declared, and every one that is declared is used', () => {
  const scripts = globSync('src/**/*.{ts,tsx}').map(read)
  const all = [...sheets, ...scripts].map(([, text]) => text).join('\n')
  const declared = new Set([...all.matchAll(/(--lj-[\w-]+)(?:['"][:,\]]|:)/g)].map(([, name]) => name))
  const used = new Set([...all.matchAll(/var\((--lj-[\w-]+)/g)].map(([, name]) => name))
  expect([...used].filter((name) => !declared.has(name))).toEqual([])
  const tokens = [...css.matchAll(/^ {2,4}(--lj-[\w-]+):/gm)].map(([, name]) => name)
  expect(tokens.filter((name) => !used.has(name))).toEqual([])
})
