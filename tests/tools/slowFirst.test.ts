import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SLOW, slowFirst } from '#tools/slowFirst.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const fileOf = (file: string, groupOrder = 0) => ({
  moduleId: path.join(ROOT, file),
  project: { config: { sequence: { groupOrder } } },
})

test('every file that is called slow is there', () => {
  expect([...SLOW].filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
})

test('slow files begin first, but no group before the one that it waits for', () => {
  const files = [
    fileOf('tests/e2e/lessons.test.ts', 1),
    fileOf('tests/e2e/offlineRoutes.test.ts', 1),
    fileOf('tests/offline/lessons.test.ts'),
    fileOf('tests/offline/model.test.ts'),
  ]
  const sorted = slowFirst(files, ROOT)
  expect(sorted.map(({ moduleId }) => path.relative(ROOT, moduleId))).toEqual([
    'tests/offline/model.test.ts',
    'tests/offline/lessons.test.ts',
    'tests/e2e/offlineRoutes.test.ts',
    'tests/e2e/lessons.test.ts',
  ])
})
