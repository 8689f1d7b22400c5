import { spawn } from 'node:child_process'
import path from 'node:path'
import { findChromium, findHeadlessShell } from './chromium.ts'

/**
 * `npm test`: installs a browser if there is none, builds, checks, then runs every test in one run, whose summary comes last.
 * `npm test -- --changed` runs what a change can break, as far as imports tell: types, lint and the tests without a browser that
 * loaded, when they last ran here, a file which git calls changed; a test that has not run here yet runs. Other arguments are vitest's.
 */
const started = Date.now()
process.chdir(path.resolve(import.meta.dirname, '..'))

interface Step {
  command: string
  args: string[]
}

/** Runs steps side by side. Each prints what it has to say when it has ended, so that they do not mix. */
async function allOf(steps: Step[]): Promise<boolean> {
  const ended = steps.map(async ({ command, args }) => {
    let output = ''
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => void (output += bytes.toString()))
    const passed = await exitOf(child)
    process.stdout.write(output)
    return passed
  })
  return (await Promise.all(ended)).every(Boolean)
}

const exitOf = (child: ReturnType<typeof spawn>): Promise<boolean> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })

const args = process.argv.slice(2)
const onlyChanged = args.some((arg) => arg.startsWith('--changed'))
const env = {
  ...process.env,
  // Tests start some hundred processes: each compiles what the one before has compiled only once.
  NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/compiled'),
}
/** Looks for a browser, and installs one, while others build and check. */
const findBrowsers = async (): Promise<NodeJS.ProcessEnv> => ({
  CHROME: await findChromium(),
  CHROME_SHELL: await findHeadlessShell(),
})
const build: Step = { command: 'vite', args: ['build', '--logLevel', 'error'] }
const check: Step = { command: process.execPath, args: ['tools/check.ts'] }
const reporters = ['--reporter=default', '--reporter=./tools/testReport.ts']
const projects = onlyChanged ? ['--project=u*'] : []

const prepared = allOf(onlyChanged ? [check] : [build, check])
const browsers = onlyChanged ? {} : await findBrowsers()
const vitest = ['run', ...reporters, ...projects, ...args]
const passed =
  (await prepared) && (await exitOf(spawn('vitest', vitest, { stdio: 'inherit', env: { ...env, ...browsers } })))
console.log(`The whole run took ${Math.round((Date.now() - started) / 1000)} s.`)
process.exit(passed ? 0 : 1)
