import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashedName } from '#server/content/media/mediaFiles.ts'
import { ForeignPictures } from '#server/content/media/foreignPictures.ts'
import { checkFile } from '#server/content/bank/import.ts'
import { readNews } from '#server/content/publish/newsFile.ts'
import { bankJson } from '#tests/support/bank.ts'
import { articleJson, newsJson } from '#tests/support/news.ts'

let site: Server
let origin = ''
let png: Buffer
let asked: string[] = []
/** A PNG that claims to be of 30,000 by 30,000 points. */
const claiming = (bytes: Buffer) => {
  const forged = Buffer.from(bytes)
  forged.writeUInt32BE(30_000, 16)
  forged.writeUInt32BE(30_000, 20)
  return forged
}
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"></svg>'

beforeAll(async () => {
  png = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const answers: Record<string, Buffer | string> = {
    '/a.png': png,
    '/b?type=image&size=1': png,
    '/drawing': svg,
    '/page.png': '<!doctype html><p>请先登录</p>',
    '/huge.png': claiming(png),
    '/long.png': Buffer.alloc(10_000_001),
  }
  site = createServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = answers[request.url ?? '']
    if (answer === undefined) response.writeHead(404)
    response.end(answer)
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(() => void site.close())
beforeEach(() => void (asked = []))

const bankOf = async (stems: string[]) => {
  const bank = bankJson({ prefix: 'F', chapters: 1, perChapter: stems.length })
  const questions = bank.questions.map((question, i) => ({ ...question, stem: stems[i] }))
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'lijian-foreign-')), 'bank.json')
  writeFileSync(file, JSON.stringify({ ...bank, questions }))
  const checked = await checkFile(file, null)
  return {
    stems: checked.placed.map(({ question }) => question.stem),
    pictures: checked.pictures,
    findings: checked.findings.map(({ reason }) => reason),
  }
}

test('pictures of a bank that lie on another site are copied, each once, and named as ours', async () => {
  const { stems, pictures, findings } = await bankOf([
    `<p>甲</p><img src="${origin}/a.png">`,
    `乙 ![](${origin}/a.png)`,
    `<p>丙</p><img alt='图' src='${origin}/b?type=image&amp;size=1'>`,
    `<p>丁</p><img src=${origin}/drawing>`,
  ])
  const [first, drawing] = [hashedName(png, 'png'), hashedName(Buffer.from(svg), 'svg')]
  expect(findings).toEqual([])
  expect(stems.map((stem) => /src="([^"]*)"/.exec(stem)?.[1])).toEqual([
    `/media/${first}`,
    `/media/${first}`,
    `/media/${first}`,
    `/media/${drawing}`,
  ])
  expect(new Set(pictures.keys())).toEqual(new Set([first, drawing]))
  expect(pictures.get(first)?.equals(png)).toBe(true)
  expect(asked.filter((url) => url === '/a.png')).toHaveLength(1)
})

test('what is no picture there, claims 30,000 by 30,000 points, is too large or does not answer is left out and said', async () => {
  const addresses = ['/page.png', '/huge.png', '/long.png', '/none.png'].map((at) => `${origin}${at}`)
  const { stems, pictures, findings } = await bankOf(
    [...addresses, 'http://127.0.0.1:9/shut.png'].map((src, i) => `<p>第 ${i} 题的题干</p><img src="${src}">`),
  )
  expect(findings).toEqual([...addresses, 'http://127.0.0.1:9/shut.png'].map((src) => `图片不可用：${src}`))
  expect(stems.join('')).not.toMatch(/<img|127\.0\.0\.1/)
  expect(pictures.size).toBe(0)
})

test('a picture beside the file that claims 30,000 by 30,000 points is left out and said', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-huge-'))
  const bank = bankJson({ prefix: 'H', chapters: 1, perChapter: 1 })
  const questions = bank.questions.map((question) => ({ ...question, stem: '<p>看图</p><img src="huge.png">' }))
  writeFileSync(path.join(folder, 'bank.json'), JSON.stringify({ ...bank, questions }))
  writeFileSync(path.join(folder, 'huge.png'), claiming(png))
  const { findings, pictures } = await checkFile(path.join(folder, 'bank.json'), null)
  expect(findings.map(({ reason }) => reason)).toEqual(['图片不可用：huge.png'])
  expect(pictures.size).toBe(0)
})

test('in the project’s own JSON, texts and fields of pictures get copies, with their size; links stay', async () => {
  const copies = new Map<string, Buffer>()
  const article = articleJson('A', {
    html: `<p>正文</p><img src="${origin}/a.png">`,
    cover: `${origin}/a.png`,
  })
  const json = newsJson({ articles: [article] })
  const read = readNews('news.json', await new ForeignPictures(copies).localised(json), copies)
  expect(read.findings).toEqual([])
  const [row] = read.news?.articles ?? []
  const src = `/media/${hashedName(png, 'png')}`
  expect(row?.cover).toEqual({ src, width: 8, height: 6 })
  expect(row?.html).toContain(`<img src="${src}" width="8" height="6"`)
  const link = { html: `<a href="${origin}/a.png">链接</a>` }
  expect(await new ForeignPictures(copies).localised(link)).toEqual(link)
  expect([...read.media.files.keys()]).toEqual([hashedName(png, 'png')])
})
