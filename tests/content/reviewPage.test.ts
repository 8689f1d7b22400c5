// @vitest-environment jsdom
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFile } from '#server/content/bank/import.ts'
import { writeReviewPage } from '#server/content/bank/reviewPage.ts'
import { foreignLibrary } from '#tests/support/library.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-review-'))
const saved = (name: string, content: string | Uint8Array) => {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

/** Enough of one for the importer, which goes by its first bytes. */
const PICTURE = Buffer.from('iVBORw0KGgo=', 'base64')

const TABLE = `章节,题型,题干,选项A,选项B,答案,解析,知识点,难度,来源,年份
军史/建军,单选,南昌起义发生在哪一年？[img:map.png],1921年,1927年,B,8月1日。,军史,2,自编,2026
军史/建军,单选,这题的答案不在选项里,甲,乙,E,,,,,
军史/建军,填空,古田会议召开于____年。,,,1929|一九二九,,,,,
军史/建军,简答,<script>alert(1)</script>简述意义,,,思想建党,,,,,
`

async function pageOf(...files: string[]) {
  const checked = await Promise.all(files.map((file) => checkFile(file, foreignLibrary('R'))))
  const page = path.join(folder, `${path.basename(files[0] ?? '')}.html`)
  await writeReviewPage(page, checked)
  const html = readFileSync(page, 'utf8')
  const document = new DOMParser().parseFromString(html, 'text/html')
  const article = (n: number) => [...document.querySelectorAll('article')][n]
  const text = (n: number, part: string) => article(n)?.querySelector(part)?.textContent ?? ''
  return { html, document, article, text }
}

describe('the page on which a teacher looks a file through', () => {
  test('each question stands as students will see it beside what the file says', async () => {
    saved('map.png', PICTURE)
    const { document, article, text } = await pageOf(saved('table.csv', TABLE))
    expect(document.querySelectorAll('article')).toHaveLength(4)
    expect(text(0, '.stem')).toBe('南昌起义发生在哪一年？')
    expect(text(0, '[data-right]')).toBe('B1927年')
    expect(text(0, '.analysis')).toContain('8月1日。')
    expect(text(0, '.about')).toBe('军史 · 难度 2 · 自编 · 2026 年')
    expect(text(0, '.source')).toContain('章节军史 / 建军')
    expect(text(0, '.source')).toContain('[img:map.png]')
    expect(article(0)?.querySelector('img')?.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
    expect(text(2, '.seen .answer')).toBe('答案1929 或 一九二九')
    expect(text(3, '.seen .answer')).toContain('思想建党')
  })

  test('a recording that came with the file is in the page and can be played; of one on the server its place is told', async () => {
    saved('heard.mp3', 'ID3')
    const away = `/media/${'a'.repeat(32)}.mp3`
    const stems = ['<audio src=heard.mp3></audio>谁在说话？', `<audio src=${away}></audio>谁在说话呢？`]
    const rows = stems.map((stem) => `单选,${stem},甲,乙,A\n`)
    const { article, text } = await pageOf(saved('heard.csv', `题型,题干,选项A,选项B,答案\n${rows.join('')}`))
    const audio = article(0)?.querySelector('audio')
    expect(audio?.controls).toBe(true)
    expect(audio?.getAttribute('src')).toBe(`data:audio/mpeg;base64,${Buffer.from('ID3').toString('base64')}`)
    expect(article(1)?.querySelector('audio')).toBeNull()
    expect(text(1, '.away')).toBe(`［录音在服务器上：${away}］`)
  })

  test('what was found stands at its question, and what students will not see is told', async () => {
    const { article, text } = await pageOf(saved('found.csv', TABLE))
    expect(article(1)?.dataset['level']).toBe('fault')
    expect(text(1, '.findings')).toContain('错误答案 E 不在选项中')
    expect(text(1, '.seen')).toContain('学生看不到')
    expect(text(1, '.source')).toContain('这题的答案不在选项里')
    expect(article(2)?.dataset['level']).toBe('found')
  })

  test('a question that can be understood in two ways stands beside its source, and is counted as refused', async () => {
    const table = '题型,题干,选项,答案\n单选,下列是质数的是,A.2 B.4,A\n单选,促进钙吸收的是,A.维生素B.1,A\n'
    const { document, article, text } = await pageOf(saved('unclear.csv', table))
    expect(document.querySelector('.counts')?.textContent).toBe('共 2 题，可导入 1，错误 1，提醒 1')
    expect(article(1)?.dataset['level']).toBe('fault')
    expect(text(1, '.findings')).toContain('选项有两种读法')
    expect(text(1, '.seen')).toContain('学生看不到')
    expect(text(1, '.source')).toContain('促进钙吸收的是')
    expect(text(1, '.source')).toContain('选项AA.维生素B.1')
  })

  test('nothing that a file brings runs or fetches: it is text, and the page forbids both', async () => {
    const { document, text } = await pageOf(saved('attack.csv', TABLE))
    expect(document.querySelector('script')).toBeNull()
    expect(text(3, '.source')).toContain('<script>alert(1)</script>')
    const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content')
    expect(policy).toBe("default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'")
  })

  test('several files stand one after the other; one that cannot be read says why', async () => {
    const { document } = await pageOf(saved('one.csv', TABLE), saved('broken.json', '{'))
    expect([...document.querySelectorAll('section')].map((one) => one.querySelectorAll('article').length)).toEqual([
      4, 0,
    ])
    expect(document.querySelector('section:last-child .general')?.textContent).toContain('错误')
  })
})
