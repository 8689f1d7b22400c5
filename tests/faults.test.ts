import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { faults } from './faults/index.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

test('every known fault can be planted: what it changes stands in its file exactly once, and changes', () => {
  const misplaced = faults.filter(({ file, from, to }) => read(file).split(from).length !== 2 || from === to)
  expect(misplaced.map(({ breaks }) => breaks)).toEqual([])
})

test('every known fault is described once', () => {
  const described = faults.map(({ breaks }) => breaks)
  expect(described.filter((each, i) => described.indexOf(each) !== i)).toEqual([])
})

test('every known fault names tests that are there', () => {
  const missing = faults.flatMap(({ red }) =>
    red.filter((each) => {
      const [file = '', ...title] = each.split(' > ')
      return title.length === 0 || !read(file).includes(title.at(-1) ?? '')
    }),
  )
  expect(missing).toEqual([])
  expect(faults.filter(({ red }) => red.length === 0)).toEqual([])
})
