import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Fault, faults } from '#tests/faults/index.ts'

/**
 * `npm run faults -- [WORD…]`: plants every known fault (or those whose file or description holds one of the words), one at a time,
 * in a copy of the tree, and looks whether the tests that must notice it go red.
 */
const ROOT = path.resolve(import.meta.dirname, '..')

interface Report {
  testResults: { assertionResults: { fullName: string; status: string }[] }[]
}

/** A copy that shares node_modules, so that faults never touch the checkout. */
function copyTree(): string {
  const tree = mkdtempSync(path.join(os.tmpdir(), 'lijian-faults-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  const there = files.split('\n').filter((file) => file && existsSync(path.join(ROOT, file)))
  execFileSync('cp', ['--parents', '-t', tree, ...there], { cwd: ROOT })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(tree, 'node_modules'))
  return tree
}

/** @returns titles of the failed tests; null when the tests could not run, as when the fault does not even parse */
async function failedTests(tree: string, files: string[]): Promise<string[] | null> {
  const output = path.join(tree, 'faults.json')
  rmSync(output, { force: true })
  const args = ['run', ...files, '--retry=0', '--reporter=json', `--outputFile.json=${output}`]
  const child = spawn(path.join(ROOT, 'node_modules/.bin/vitest'), args, {
    cwd: tree,
    env: { ...process.env, TEST_DATA_DIR: path.join(tree, '.data') },
    stdio: 'ignore',
  })
  await new Promise((resolve) => child.once('close', resolve))
  if (!existsSync(output)) return null
  const { testResults }: Report = JSON.parse(readFileSync(output, 'utf8'))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
}

/** @returns why the fault went unnoticed; an empty list when every test that must notice it did */
async function plant(tree: string, fault: Fault): Promise<string[]> {
  const file = path.join(tree, fault.file)
  const sound = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    sound.replace(fault.from, () => fault.to),
  )
  try {
    const must = fault.red.map((each) => each.split(' > '))
    const failed = await failedTests(tree, [...new Set(must.map(([each = '']) => each))])
    if (!failed) return ['the tests did not run']
    return fault.red.filter((_, i) => !failed.some((title) => title.includes(must[i]?.slice(1).join(' > ') ?? '')))
  } finally {
    writeFileSync(file, sound)
  }
}

const words = process.argv.slice(2)
const chosen = faults.filter(
  ({ breaks, file }) => words.length === 0 || words.some((word) => breaks.includes(word) || file.includes(word)),
)
const tree = copyTree()
let unnoticed = 0
try {
  for (const fault of chosen) {
    const green = await plant(tree, fault)
    if (green.length > 0) unnoticed += 1
    console.log(`${green.length > 0 ? '✗' : '✓'} ${fault.file}: ${fault.breaks}`)
    for (const test of green) console.log(`    stayed green: ${test}`)
  }
} finally {
  rmSync(tree, { recursive: true, force: true, maxRetries: 5 })
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} faults are noticed.`)
process.exit(unnoticed > 0 ? 1 : 0)
