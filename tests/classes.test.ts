import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const IMPORT = /^import (\w+) from '(\S+\.module\.css)'$/gm

/** Classes that a component takes of a style file which has none of that name: they look like nothing at all. */
function unknownIn(file: string): string[] {
  const source = read(file)
  return [...source.matchAll(IMPORT)].flatMap(([, name = '', from = '']) => {
    const styles = read(from.startsWith('#') ? from.slice(1) : path.join(path.dirname(file), from))
    const known = new Set([...styles.matchAll(/\.([a-z][\w-]*)/gi)].map(([, each]) => each))
    const used = [...source.matchAll(new RegExp(`(?<![/\\w])${name}\\.(\\w+)`, 'g'))].map(([, each = '']) => each)
    return used.filter((each) => !known.has(each)).map((each) => `${file}: ${name}.${each}`)
  })
}

test('every class that a component names is in its style file', () => {
  const files = globSync('src/**/*.tsx', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap(unknownIn)).toEqual([])
})
