import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readPdfBytes } from '#tests/support/paperPdf.ts'
import { optionsOf } from '#tests/support/wordFile.ts'

const fileOf = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'files', name))

test('a paper that Chromium printed: it draws each line of a cell as a box, and gives radicals for characters', async () => {
  const { questions, findings } = await readPdfBytes(fileOf('chromium.pdf'))
  expect(findings).toEqual([expect.stringMatching(/^warning 文件 页眉、页脚、页码没有导入/)])
  expect(questions).toMatchObject([
    { stem: '用10<sup>3</sup>米表示的一句话写得很长很长要写到下一行去才写得完为止（  ）', key: ['C'] },
    { stem: expect.stringContaining('<td>年</td><td>人</td></tr><tr><td>1</td><td>2</td>'), key: ['A'] },
    { stem: expect.stringMatching(/^如图<img /), key: ['B'] },
    { stem: '在____年。', blanks: [['1929']] },
  ])
  expect(optionsOf(questions[0])).toEqual(['H<sub>2</sub>O', '用户', '人民'])
})

test('a paper that LibreOffice made of a Word file', async () => {
  const { questions, findings } = await readPdfBytes(fileOf('libreoffice.pdf'))
  expect(findings).toEqual([expect.stringMatching(/^warning 第1页“2026年军队院校招生文” 不属于任何题目/)])
  expect(questions).toMatchObject([
    { stem: expect.stringMatching(/^中国人民解放军的前身.*下列说法中正确的一项是（ +）$/), key: ['A'] },
    { stem: expect.stringMatching(/^用户在真空中以3\.0×10<sup>8<\/sup>m\/s的速度，CO<sub>2<\/sub>的相对/), key: ['A'] },
    { key: ['B'] },
    { type: 'judge', key: ['B'] },
    { stem: '古田会议召开于____年，会议的地点是____。', blanks: [['1929'], ['上杭']] },
    { type: 'composite', parts: [{ key: ['B'] }, { reference: '略' }] },
  ])
})
