import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8')
const block = /^## 目录.*\n+```\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? ''
/** The folder that a line names, with what is said of it. */
const lines = block
  .split('\n')
  .filter(Boolean)
  .map((line) => /^(\S+)\s+(\S.*)$/.exec(line)?.slice(1) ?? [line, ''])
const named = lines.map(([folder = '']) => folder)
const isFolder = (at: string) =>
  readdirSync(path.dirname(path.join(ROOT, at)), { withFileTypes: true }).some(
    (entry) => entry.isDirectory() && entry.name === path.basename(at),
  )
const foldersOf = (at: string) =>
  readdirSync(path.join(ROOT, at), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${at}/${entry.name}`)

describe('the map of the tree in README.md', () => {
  test('is there, one line a folder, each said once and with what it holds', () => {
    expect(named.length).toBeGreaterThan(15)
    expect(new Set(named).size).toBe(named.length)
    for (const [folder, words] of lines) expect(words, `line of ${folder}`).not.toBe('')
  })

  test.each(named)('%s is a folder', (folder) => expect(isFolder(folder)).toBe(true))

  test.each(foldersOf('src'))('%s is on it', (folder) => expect(named).toContain(folder))

  // "server/login … and one folder a domain": such a folder has handlers.ts.
  test.each(foldersOf('server'))('%s is on it, or is a domain like server/login', (folder) => {
    expect(named.includes(folder) || existsSync(path.join(ROOT, folder, 'handlers.ts'))).toBe(true)
  })

  test('no folder of the two has sources that lie on no floor: files of src and server themselves are few and known', () => {
    const files = ['src', 'server'].flatMap((at) =>
      readdirSync(path.join(ROOT, at), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${at}/${entry.name}`),
    )
    expect(files.sort()).toEqual(['server/app.ts', 'server/environment.ts', 'server/main.ts', 'src/routeTree.gen.ts'])
  })
})

/** Sources that lie in each folder itself. */
function sourcesByFolder(files: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1)
  return counts
}
/** One file an address, a domain or an upgrade: more of them make no drawer. */
const BY_NAME = /(?:^|\/)(?:routes|contract|migrations)(?:\/|$)/
const crowded = (files: readonly string[]): string[] =>
  [...sourcesByFolder(files)].flatMap(([at, count]) => (count > 30 && !BY_NAME.test(at) ? `${at}: ${count}` : []))

describe('a folder of sources', () => {
  test('that holds more than 30 is told, but for routes, the contract and migrations', () => {
    const files = (at: string, count: number) => Array.from({ length: count }, (_, i) => `${at}/f${i}.ts`)
    expect(crowded([...files('src/ui', 31), ...files('src/ui/list', 30), ...files('src/contract', 40)])).toEqual([
      'src/ui: 31',
    ])
  })
  test('holds 30 at most', () => {
    const files = globSync('{src,server}/**/*.{ts,tsx}', { cwd: ROOT })
    expect(files.length).toBeGreaterThan(900)
    expect(crowded(files)).toEqual([])
  })
})
