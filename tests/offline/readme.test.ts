import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const TESTS = path.resolve(import.meta.dirname, '..')
const readme = readFileSync(path.join(TESTS, '../src/offline/README.md'), 'utf8').replace(/\n\s+/g, ' ')
/** `folder/file` "title", "title": where and which. */
const named = [...readme.matchAll(/`(\w+\/\w+)`((?:,? "[^"]+")+)/g)].flatMap(([, file = '', titles = '']) =>
  [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
)
const rows = /^## Fault matrix\n[\s\S]*/m.exec(readFileSync(path.join(TESTS, '../src/offline/README.md'), 'utf8'))?.[0]

test.each(named)('$file has the test “$title” that src/offline/README.md names', ({ file, title }) => {
  const found = ['ts', 'tsx'].map((kind) => path.join(TESTS, `${file}.test.${kind}`)).find(existsSync)
  expect(readFileSync(found ?? file, 'utf8')).toContain(title)
})

test('every row of the fault matrix names a test, the issue that owns it, or why there is nothing to do', () => {
  const cells = (rows ?? '').split('\n').filter((line) => line.startsWith('| '))
  expect(cells.length).toBeGreaterThan(38)
  for (const line of cells.slice(1)) expect(line).toMatch(/`\w+\/\w+`|issue \d|nothing to do/)
})
