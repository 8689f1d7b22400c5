import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { progressLine } from '#server/bin/progressLine.ts'

/** A terminal that keeps what is on its line, and a clock that is moved by hand. */
function terminal(isTTY = true) {
  let now = 0
  const shown: string[] = []
  const out = new Writable({
    write: (chunk: Buffer, _, done) => {
      shown.push(chunk.toString())
      done()
    },
  })
  const line = progressLine(Object.assign(out, { isTTY }), () => now)
  return { line, shown, at: (ms: number) => (now = ms) }
}

test('long work is told of with its share and what is left', () => {
  const { line, shown, at } = terminal()
  line.tell('检查', 0, 100)
  at(499)
  line.tell('检查', 5, 100)
  expect(shown).toEqual([])
  at(600)
  line.tell('检查', 10, 100)
  expect(shown.at(-1)).toBe('检查 ██░░░░░░░░░░░░░░░░░░░░░░  10%')
  at(30_000)
  line.tell('检查', 25, 100)
  expect(shown.at(-1)).toBe('检查 ██████░░░░░░░░░░░░░░░░░░  25%  约剩 1 分 30 秒')
})

test('no more often than the eye sees, and the next work at once', () => {
  const { line, shown, at } = terminal()
  line.tell('读取', 1, 9)
  at(1000)
  line.tell('读取', 2, 9)
  const first = shown.length
  at(1050)
  line.tell('读取', 3, 9)
  expect(shown).toHaveLength(first)
  line.tell('查重', 9, 9)
  expect(shown.at(-1)).toBe('查重…')
})

test('the line goes before anything else is written', () => {
  const { line, shown, at } = terminal()
  line.clear()
  expect(shown).toEqual([])
  line.tell('写入', 0, 9)
  at(1000)
  line.tell('写入', 3, 9)
  line.clear()
  expect(shown.slice(-2)).toEqual(['\u001b[1G', '\u001b[2K'])
})

test('nothing where nobody looks', () => {
  const { line, shown, at } = terminal(false)
  line.tell('写入', 0, 9)
  at(1000)
  line.tell('写入', 3, 9)
  line.clear()
  expect(shown).toEqual([])
})
