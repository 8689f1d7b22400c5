import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Engine } from './engine.ts'

/** Without these it looks for updates and shows pages of its own. */
const PREFS = {
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'browser.startup.page': 0,
  'intl.accept_languages': 'zh-CN',
}

interface Message {
  id?: number
  error?: string
  message?: string
  result?: unknown
}

/** Firefox by WebDriver BiDi, which it speaks itself. @throws where it is not installed */
export async function firefox(): Promise<Engine> {
  const binary = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((file) => existsSync(file))
  if (!binary) throw new Error('Firefox is not here: apt-get install firefox-esr')
  const profile = mkdtempSync(path.join(os.tmpdir(), 'lijian-firefox-'))
  const prefs = Object.entries(PREFS).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  writeFileSync(path.join(profile, 'user.js'), prefs.join('\n'))
  const browser = spawn(binary, ['--headless', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    const hear = (bytes: Buffer) => {
      said += bytes.toString()
      const [, url] = /listening on (ws:\S+)/.exec(said) ?? []
      if (url) resolve(url)
    }
    browser.stderr.on('data', hear)
    browser.stdout.on('data', hear)
    browser.once('exit', () => reject(new Error(said)))
  })
  const command = await connect(`${address}/session`)
  await command('session.new', { capabilities: {} })
  const { contexts } = (await command('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context ?? ''
  await command('browsingContext.setViewport', { context, viewport: { width: 390, height: 800 } })
  return {
    name: 'Firefox',
    open: async (url) => void (await command('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate(expression) {
      const asked = { expression, target: { context }, awaitPromise: true }
      const found = (await command('script.evaluate', asked)) as Evaluated
      if (found.type !== 'success') throw new Error(found.exceptionDetails?.text)
      return found.result?.value ?? ''
    },
    async close() {
      const gone = new Promise((resolve) => browser.once('exit', resolve))
      await command('browser.close', {}).catch(() => browser.kill())
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Evaluated {
  type: 'success' | 'exception'
  result?: { value: string }
  exceptionDetails?: { text: string }
}

/** One socket; each command is answered by its number. */
async function connect(address: string): Promise<(method: string, params: object) => Promise<unknown>> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const waiting = new Map<number, (message: Message) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    waiting.get(message.id ?? 0)?.(message)
  })
  let last = 0
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ error, message, result }) => {
        waiting.delete(id)
        if (error) reject(new Error(`${method}: ${error} ${message}`))
        else resolve(result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
}
