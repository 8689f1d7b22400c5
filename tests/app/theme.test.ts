import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync('src/app/theme.css', 'utf8')
const coloursIn = (selector: string): [string, string][] => {
  const [block = ''] = css.slice(css.indexOf(`${selector} {`)).split('}')
  return [...block.matchAll(/--lj-([\w-]+): (#[\da-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex])
}
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
