import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { partPaths } from '#src/domain/app/appParts.ts'
import { measureSizes } from '#tools/bench/sizes.ts'
import { circleOf, fileName, partOf } from '#tools/lazyAssets.ts'

const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports })

test('chunks that import each other in a circle are found, however long the way', () => {
  expect(circleOf([chunk('a', 'b', 'c'), chunk('b', 'c'), chunk('c')])).toBeNull()
  expect(circleOf([chunk('a', 'b'), chunk('b', 'c'), chunk('c', 'd'), chunk('d', 'b')])).toEqual(['b', 'c', 'd', 'b'])
})

test('a module belongs to the innermost folder of parts that holds it', () => {
  expect(partOf('/app/src/features/course/lesson/LessonPage.tsx')).toBe('lesson')
  expect(partOf('/app/src/features/course/lesson/hls/hls.ts')).toBe('hls')
  expect(partOf('\0virtual:regions')).toBe('regions')
  expect(partOf('/app/src/features/course/CourseListPage.tsx')).toBeNull()
})

test('a file is named after its part, else after its module, without parameters or hyphens', () => {
  expect(fileName('WalletPage', ['/app/src/ui/Button.tsx', '/app/src/features/wallet/WalletPage.tsx'])).toBe('wallet')
  expect(fileName('InstallSheet.css', ['src/install/guide/InstallSheet.tsx'])).toBe('guide')
  expect(fileName('course_detail._no', [])).toBe('course_detail')
  expect(fileName('-list', [])).toBe('list')
})

test('every file of the app is precached, or a part that an update brings', () => {
  const dist = path.resolve(import.meta.dirname, '../../dist')
  const parts = new Set(partPaths(JSON.parse(readFileSync(path.join(dist, 'parts.json'), 'utf8')) as string[]))
  const precached = new Set(measureSizes().precached.map((file) => `/${file}`))
  const files = globSync('assets/**/*', { cwd: dist, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `/${path.relative(dist, path.join(parentPath, name))}`)
  expect(files.filter((file) => !parts.has(file) && !precached.has(file))).toEqual([])
  expect([...parts].filter((file) => precached.has(file))).toEqual([])
})

test('the page names its build, so that another build’s screen is never shown', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../dist/index.html'), 'utf8')
  expect(page).toMatch(/<html data-build="[\w-]{12}" /)
})
