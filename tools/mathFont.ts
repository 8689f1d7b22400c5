import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

/*
 * Makes src/ui/text/mathFont.woff2 from STIX Two Math: `node tools/mathFont.ts`, to be run again when banks need other characters.
 * Its MATH table comes along, without which browsers stretch no bracket and draw no root to size.
 */

const range = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('')

const CHARACTERS = [
  // ASCII, Latin 1 and Greek, with the variants that formulae use.
  range(0x20, 0x7e) + range(0xa0, 0xff) + range(0x391, 0x3a9) + range(0x3b1, 0x3c9) + 'ϑϕϖϱϵ',
  // Variables are drawn with the italic letters of mathematics; h has a place of its own.
  `${range(0x1d434, 0x1d467)}ℎ${range(0x1d6e2, 0x1d71b)}`,
  // Bold letters and digits, bold italic letters, sets.
  `${range(0x1d400, 0x1d433)}${range(0x1d7ce, 0x1d7d7)}${range(0x1d468, 0x1d49b)}ℂℕℙℚℝℤℓℏℜℑ℘ℵ𝕄𝝿𝟢`,
  range(0x2010, 0x2015) + '†‡•…‰′″‴‖‾⁄ˆˇˉ˘˙˚˜',
  range(0x2200, 0x22ff) + '⟂⟨⟩⩽⩾⪯⪰△▽◯□■▲○★☆',
  '←↑→↓↔↕↖↗↘↙↦↩↪↼↽⇀⇁⇋⇌⇐⇑⇒⇓⇔⇕⟵⟶⟷⟸⟹⟺',
  // Brackets and the pieces that tall ones are put together from.
  '⌈⌉⌊⌋⌢⌣⎛⎝⎞⎠⎡⎢⎣⎤⎥⎦⎧⎨⎩⎫⎬⎭⎪⏜⏝⏞⏟⏠⏡',
  // Marks over letters, and the stroke of ≠.
  '\u0302\u0303\u0304\u0305\u0307\u0308\u20D6\u20D7\u0332\u0338',
].join('')

const source = path.dirname(fileURLToPath(import.meta.resolve('@fontsource/stix-two-math/package.json')))
const ui = path.resolve(import.meta.dirname, '../src/ui')

const whole = await readFile(path.join(source, 'files/stix-two-math-latin-400-normal.woff2'))
const font = await subsetFont(whole, CHARACTERS, { targetFormat: 'woff2' })
await writeFile(path.join(ui, 'mathFont.woff2'), font)
await copyFile(path.join(source, 'LICENSE'), path.join(ui, 'mathFont.LICENSE.txt'))
process.stdout.write(`src/ui/text/mathFont.woff2: ${font.length} bytes of ${whole.length}\n`)
