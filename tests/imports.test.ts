import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const Report = v.object({
  summary: v.object({
    violations: v.array(v.object({ from: v.string(), to: v.string(), rule: v.object({ name: v.string() }) })),
    totalCruised: v.number(),
    ruleSetUsed: v.object({ forbidden: v.array(v.object({ name: v.string(), severity: v.string() })) }),
  }),
})

/** What `npm run check` runs, on another folder. */
function cruise(cwd: string) {
  const { stdout, stderr } = spawnSync(
    path.join(ROOT, 'node_modules/.bin/depcruise'),
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'src', 'server'],
    { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  )
  if (!stdout.startsWith('{')) throw new Error(stderr || stdout)
  return v.parse(Report, JSON.parse(stdout)).summary
}

/** Harmless files to import, so that no fault depends on the names of the day. */
const TARGETS = [
  ...['contract', 'domain', 'session', 'api', 'offline', 'ui', 'app', 'features/account'].map((name) => `src/${name}`),
  'server/http',
  'server/login',
  'server/demo',
  'tests',
]
/** One forbidden import in a file of its own: [rule, where, source]. */
const FAULTS: [rule: string, file: string, source: string][] = [
  ['contract-may-import-only', 'src/contract/planted.ts', "import '#src/domain/target.ts'"],
  ['contract-may-import-only', 'src/contract/plantedServer.ts', "import '#server/http/target.ts'"],
  ['domain-may-import-only', 'src/domain/planted.ts', "import '#src/session/target.ts'"],
  ['contract-packages', 'src/contract/plantedPackage.ts', "import 'idb-keyval'"],
  ['domain-packages', 'src/domain/plantedPackage.ts', "import 'ofetch'"],
  ['domain-packages', 'src/domain/plantedCore.ts', "import 'node:fs'"],
  ['device-may-import-only', 'src/device/planted.ts', "import '#src/contract/target.ts'"],
  ['session-may-import-only', 'src/session/planted.ts', "import '#src/api/target.ts'"],
  ['api-may-import-only', 'src/api/planted.ts', "import '#src/offline/target.ts'"],
  ['sale-may-import-only', 'src/sale/planted.ts', "import '#src/features/account/target.ts'"],
  ['install-may-import-only', 'src/install/planted.ts', "import '#src/features/account/target.ts'"],
  ['upload-may-import-only', 'src/upload/planted.ts', "import '#src/features/account/target.ts'"],
  ['api-never-shows', 'src/api/plantedReact.ts', "import { useState } from 'react'\nexport const x = useState"],
  ['api-never-shows', 'src/api/plantedMantine.ts', "import '@mantine/core'"],
  ['offline-may-import-only', 'src/offline/planted.ts', "import '#src/ui/target.ts'"],
  [
    'offline-without-react',
    'src/offline/plantedReact.ts',
    "import { useState } from 'react'\nexport const x = useState",
  ],
  ['ui-may-import-only', 'src/ui/planted.tsx', "import '#src/contract/target.ts'"],
  ['player-may-import-only', 'src/player/planted.tsx', "import '#src/api/target.ts'"],
  ['sitting-may-import-only', 'src/sitting/planted.tsx', "import '#src/features/account/target.ts'"],
  [
    'sitting-engine-without-react',
    'src/sitting/engine/plantedReact.ts',
    "import { useState } from 'react'\nexport const x = useState",
  ],
  ['features-may-import-only', 'src/features/home/planted.tsx', "import '#src/app/target.ts'"],
  ['features-may-import-only', 'src/features/home/plantedTests.tsx', "import '#tests/target.ts'"],
  ['features-apart', 'src/features/home/plantedApart.tsx', "import '#src/features/account/target.ts'"],
  ['routes-may-import-only', 'src/routes/planted.tsx', "import '#src/api/target.ts'"],
  ['sw-may-import-only', 'src/sw/planted.ts', "import '#src/offline/target.ts'"],
  ['one-way-to-a-new-page', 'src/ui/plantedReload.ts', "import '#src/device/reload.ts'"],
  ['sw-reaches-no-ui', 'src/sw/plantedReact.ts', "import 'react'"],
  ['domain-packages', 'src/domain/plantedFar.ts', "import 'react'"],
  // React in the worker by way of a file that the worker may import.
  ['sw-reaches-no-ui', 'src/sw/plantedFar.ts', "import '#src/domain/plantedFar.ts'"],
  ['search-may-import-only', 'src/search/planted.ts', "import '#src/session/target.ts'"],
  ['search-reaches-no-ui', 'src/search/plantedFar.ts', "import '#src/domain/plantedFar.ts'"],
  ['server-takes-only-the-bottom', 'server/http/planted.ts', "import '#src/session/target.ts'"],
  ['server-takes-only-the-bottom', 'server/http/plantedTests.ts', "import '#tests/target.ts'"],
  ['server-domains-meet-in-stores', 'server/user/planted.ts', "import '#server/login/target.ts'"],
  ['jobs-know-no-domain', 'server/jobs/planted.ts', "import '#server/login/target.ts'"],
  ['nothing-needs-the-demo', 'server/db/plantedDemo.ts', "import '#server/demo/target.ts'"],
  ['no-drawer', 'server/http/plantedDrawer.ts', "import './utils/planted.ts'"],
]
/** The ways an import can be written: none of them slips through. */
const DISGUISES: [how: string, source: string][] = [
  ['type', "import type { Target } from '#src/contract/target.ts'\nexport type X = Target"],
  ['reexport', "export * from '#src/contract/target.ts'"],
  ['dynamic', "export const x = () => import('#src/contract/target.ts')"],
  ['relative', "import '../contract/target.ts'"],
]

describe('the project as it is', () => {
  test('breaks no rule, and more than 100 modules were read to say so', () => {
    const { violations, totalCruised } = cruise(ROOT)
    expect(violations).toEqual([])
    expect(totalCruised).toBeGreaterThan(100)
  })
})

describe('a planted fault turns the check red', () => {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'lijian-imports-'))
  let found: Map<string, Set<string>>
  let rules: string[]
  const plant = (file: string, source: string) => {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), `${source}\n`)
  }
  beforeAll(() => {
    for (const name of ['src', 'server', 'package.json', '.dependency-cruiser.mjs'])
      cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
    for (const folder of TARGETS) plant(`${folder}/target.ts`, 'export type Target = 1')
    for (const [, file, source] of FAULTS) plant(file, source)
    for (const [how, source] of DISGUISES) plant(`src/ui/disguised_${how}.ts`, source)
    plant('server/http/utils/planted.ts', 'export const drawer = 1')
    plant('server/http/plantedCycle.ts', "export { other } from './plantedOther.ts'")
    plant('server/http/plantedOther.ts', "import './plantedCycle.ts'\nexport const other = 1")
    plant(
      'server/uphill/planted.ts',
      "import type { Target } from '#server/downhill/target.ts'\nexport type X = Target",
    )
    plant('server/uphill/target.ts', 'export type Target = 1')
    plant('server/downhill/target.ts', 'export type Target = 1')
    plant(
      'server/downhill/planted.ts',
      "import type { Target } from '#server/uphill/target.ts'\nexport type X = Target",
    )
    const { violations, ruleSetUsed } = cruise(copy)
    rules = ruleSetUsed.forbidden.filter(({ severity }) => severity === 'error').map(({ name }) => name)
    found = new Map()
    for (const { from, rule } of violations) found.set(from, (found.get(from) ?? new Set()).add(rule.name))
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  test.each(FAULTS)('%s: %s', (rule, file) => expect([...(found.get(file) ?? [])]).toContain(rule))

  test('no-cycle: two files that import each other', () => {
    // Reported at whichever end is read first.
    const ends = ['server/http/plantedCycle.ts', 'server/http/plantedOther.ts'].flatMap((file) => [
      ...(found.get(file) ?? []),
    ])
    expect(new Set(ends)).toEqual(new Set(['no-cycle']))
  })

  test('server-folders-run-one-way: two folders of which each needs a type of the other', () => {
    const ends = ['server/uphill', 'server/downhill'].flatMap((folder) => [...(found.get(folder) ?? [])])
    expect(new Set(ends)).toEqual(new Set(['server-folders-run-one-way']))
  })

  test.each(DISGUISES)('an import in disguise is an import: %s', (how) => {
    expect([...(found.get(`src/ui/disguised_${how}.ts`) ?? [])]).toEqual(['ui-may-import-only'])
  })

  test('every rule of the project has a fault here that proves it', () => {
    const proven = new Set([...FAULTS.map(([rule]) => rule), 'no-cycle', 'server-folders-run-one-way'])
    expect(rules.length).toBeGreaterThan(10)
    expect(rules.filter((rule) => !proven.has(rule))).toEqual([])
  })

  test('nothing but what was planted is red', () => {
    const planted = new Set([
      ...FAULTS.map(([, file]) => file),
      ...DISGUISES.map(([how]) => `src/ui/disguised_${how}.ts`),
      'server/http/plantedCycle.ts',
      'server/http/plantedOther.ts',
      'server/uphill/planted.ts',
      'server/downhill/planted.ts',
    ])
    // Folders are in a circle by way of some of the planted files, as the test above shows.
    const files = [...found.keys()].filter((name) => path.extname(name) !== '')
    expect(files.filter((file) => !planted.has(file))).toEqual([])
  })
})
