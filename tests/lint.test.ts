import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { afterAll, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const Report = v.object({ diagnostics: v.array(v.object({ filename: v.string(), code: v.string() })) })

/** What must not be written, as it could be: [rule, where, source]. */
const FAULTS: [rule: string, file: string, source: string][] = [
  ['no-restricted-globals', 'src/ui/local.ts', "export const x = () => localStorage.getItem('x')"],
  ['no-restricted-globals', 'src/app/tab.tsx', "export const x = () => sessionStorage.getItem('x')"],
  ['no-restricted-properties', 'src/ui/window.ts', "export const x = () => window.localStorage.getItem('x')"],
  ['no-restricted-properties', 'src/ui/global.ts', "export const x = () => globalThis['sessionStorage'].clear()"],
  ['no-restricted-properties', 'src/features/home/reload.ts', 'export const x = () => window.location.reload()'],
  ['no-restricted-properties', 'src/app/bare.ts', 'export const x = () => location.reload()'],
]

const copy = mkdtempSync(path.join(os.tmpdir(), 'lijian-lint-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('the browser’s storage and a reload that would forget what it does not keep are faults, however they are written', () => {
  cpSync(path.join(ROOT, '.oxlintrc.json'), path.join(copy, '.oxlintrc.json'))
  for (const [, file, source] of FAULTS) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), `${source}\n`)
  }
  const { stdout } = spawnSync(path.join(ROOT, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
    cwd: copy,
    encoding: 'utf8',
  })
  const { diagnostics } = v.parse(Report, JSON.parse(stdout))
  for (const [rule, file] of FAULTS)
    expect(diagnostics).toContainEqual(expect.objectContaining({ filename: file, code: `eslint(${rule})` }))
})

/** A wait whose step fails first is rejected with nobody to hear it: the whole run ends red though the story passes. */
test('a story with a browser waits for an event together with the step that brings it', () => {
  const alone = /=\s*[\w.()]+\.waitFor(Event|Request|Response)\([^\n]*\n(?!\s*await Promise\.all)/
  expect(alone.test("const left = page.waitForEvent('load')\nawait leave()\n")).toBe(true)
  const files = globSync('tests/e2e/*.ts', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter((file) => alone.test(readFileSync(path.join(ROOT, file), 'utf8')))).toEqual([])
})

/** Lint cannot tell a location's `replace` from a string's. */
const leaves = (source: string): boolean => /\blocation\??\.(replace|assign|href\s*=[^=])/.test(source)
/** These go to a payment provider: nothing of ours may go with them. */
const ELSEWHERE = 'src/sale/checkout/paying.ts'

test('another screen is loaded anew in one place only, which takes along what the browser does not keep', () => {
  expect(leaves("window.location.replace('/')")).toBe(true)
  expect(leaves("location.href = '/'")).toBe(true)
  const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))
  expect(files.length).toBeGreaterThan(100)
  const found = files.filter((file) => leaves(readFileSync(path.join(ROOT, file), 'utf8')))
  expect(found.sort()).toEqual(['src/device/reload.ts', ELSEWHERE])
})
