import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const onPath = (name: string): string => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()

/** A Chromium that is on this machine: CHROME, the path, or Playwright's own. Null when there is none. */
function installed(): string | null {
  if (process.env.CHROME) return process.env.CHROME
  for (const name of NAMES) {
    const found = onPath(name)
    if (found) return found
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null
}

const mayInstall = (): boolean => process.getuid?.() === 0 && onPath('apt-get') !== ''

async function install(...packages: string[]): Promise<void> {
  console.log('正在安装 Chromium…')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', ...packages]])
    await once(spawn('apt-get', [...args, '-qq'], { stdio: 'inherit', env }), 'close')
}

/** Finds a Chromium, and installs one when there is none: by the distribution's packages as root, else by Playwright. */
export async function findChromium(): Promise<string> {
  const there = installed()
  if (there) return there
  if (mayInstall()) await install('chromium', SHELL, 'fonts-noto-cjk')
  else execFileSync('npx', ['playwright-core', 'install', 'chromium'], { stdio: 'inherit' })
  const now = installed()
  if (!now) throw new Error('没有找到 Chromium，请安装后用 CHROME=路径 指定')
  return now
}

/**
 * Finds the browser without windows that Debian builds from the same source: a page costs it half the processor time. Where there is
 * none, Chromium stands in.
 */
export async function findHeadlessShell(): Promise<string> {
  if (process.env.CHROME_SHELL) return process.env.CHROME_SHELL
  const chrome = await findChromium()
  if (!onPath(SHELL) && mayInstall()) await install(SHELL)
  return onPath(SHELL) || chrome
}

/** Headless, without the background chatter that would ask for hosts outside. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
