import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import SlowFirst, { SLOW } from '#tools/slowFirst.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const vitest = { config: { root: ROOT }, cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest
const specification = (file: string, groupOrder = 0) =>
  ({
    moduleId: path.join(ROOT, file),
    project: { name: `group ${groupOrder}`, config: { isolate: true, sequence: { groupOrder } } },
  }) as unknown as TestSpecification

test('every file that is called slow is there', () => {
  expect([...SLOW].filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
})

test('slow files begin first, but no group before the one that it waits for', async () => {
  const files = [
    specification('tests/e2e/lessons.test.ts', 1),
    specification('tests/e2e/offlineRoutes.test.ts', 1),
    specification('tests/offline/lessons.test.ts'),
    specification('tests/offline/model.test.ts'),
  ]
  const sorted = await new SlowFirst(vitest).sort(files)
  expect(sorted.map(({ moduleId }) => path.relative(ROOT, moduleId))).toEqual([
    'tests/offline/model.test.ts',
    'tests/offline/lessons.test.ts',
    'tests/e2e/offlineRoutes.test.ts',
    'tests/e2e/lessons.test.ts',
  ])
})
