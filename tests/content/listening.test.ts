import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { markOf, recordingIn, transcriptOf } from '#tools/listening/transcript.ts'

const CONTENT = path.resolve(import.meta.dirname, '../../server/demo/content')
const text = v.optional(v.string(), '')
const Item = v.object({ no: v.string(), stem: v.string(), analysis: text })
const BankFile = v.object({
  questions: v.array(v.object({ ...Item.entries, parts: v.optional(v.array(v.object({ analysis: text })), []) })),
})
const heard = readdirSync(CONTENT)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => v.parse(BankFile, JSON.parse(readFileSync(path.join(CONTENT, name), 'utf8'))).questions)
  .flatMap((item) => {
    const recording = recordingIn(item.stem)
    return recording === null ? [] : [{ ...item, file: path.join(CONTENT, recording) }]
  })

describe.each(heard)('the recording of $no', ({ stem, analysis, parts, file }) => {
  const lines = transcriptOf(analysis)
  test('says what its transcript says', () => {
    expect(lines.length).toBeGreaterThan(0)
    expect(readFileSync(file).includes(markOf(lines)), `node tools/listening/make.ts makes it again`).toBe(true)
  })
  test('is MP3, of 24 kbit and one channel, as long as so many words take', () => {
    const bytes = readFileSync(file)
    const tags = 10 + bytes.subarray(6, 10).reduce((size, byte) => size * 128 + byte, 0)
    // MPEG 2, layer 3; 24 kbit at 16 kHz; one channel.
    expect([bytes[tags], bytes[tags + 1], (bytes[tags + 2] ?? 0) & 0xfc, (bytes[tags + 3] ?? 0) >> 6]).toEqual([
      0xff, 0xf3, 0x38, 3,
    ])
    const words = lines.reduce((count, line) => count + line.text.split(' ').length, 0)
    const wordsPerMinute = (words / (((bytes.length - tags) * 8) / 24_000)) * 60
    expect(wordsPerMinute).toBeGreaterThan(95)
    expect(wordsPerMinute).toBeLessThan(160)
  })
  test('is written in the analysis alone, of which a material’s sub-questions repeat nothing', () => {
    for (const { text: said } of lines) {
      expect(stem).not.toContain(said)
      for (const part of parts) expect(part.analysis).not.toContain(said)
    }
    for (const part of parts) expect(part.analysis).not.toBe('')
  })
})

test('all recordings of the demo together are small', () => {
  const files = readdirSync(path.join(CONTENT, 'listening')).map((name) => path.join(CONTENT, 'listening', name))
  expect(files.toSorted()).toEqual(heard.map(({ file }) => file).toSorted())
  expect(files.reduce((bytes, file) => bytes + statSync(file).size, 0)).toBeLessThan(2.5 * 1024 ** 2)
})

test('a transcript ends where the analysis begins, and a line without a speaker is none of it', () => {
  expect(transcriptOf('听力原文\nM: Hello.\nW: Hi.\n男士先问好。\nM: No.')).toEqual([
    { speaker: 'M', text: 'Hello.' },
    { speaker: 'W', text: 'Hi.' },
  ])
  expect(transcriptOf('M: Hello.')).toEqual([])
})
