import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
