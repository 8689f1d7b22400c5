import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { freePort } from '#tests/e2e/product.ts'
import { type Engine, until } from './engine.ts'

const FOLDER = '/usr/lib/x86_64-linux-gnu'

/** WebKitGTK by WebDriver, on a screen that nobody sees. @throws where it is not installed */
export async function webkit(): Promise<Engine> {
  const binary = readdirSync(FOLDER)
    .filter((name) => name.startsWith('webkit2gtk-4'))
    .map((name) => `${FOLDER}/${name}/MiniBrowser`)
    .find((file) => existsSync(file))
  if (!binary || !existsSync('/usr/bin/WebKitWebDriver') || !existsSync('/usr/bin/Xvfb'))
    throw new Error('WebKit is not here: apt-get install webkit2gtk-driver xvfb')
  const { screen, display } = await startScreen()
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
    },
  })
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const init = body && { body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, { method, ...init })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(JSON.stringify(value))
    return value
  }
  await until(
    'the driver',
    () =>
      fetch(`http://127.0.0.1:${port}/status`).then(
        () => true,
        () => false,
      ),
    Boolean,
  )
  const options = { binary, args: ['--automation'] }
  const session = await ask('POST', '', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } })
  const { sessionId } = session as { sessionId: string }
  return {
    name: 'WebKit',
    open: async (url) => void (await ask('POST', `/${sessionId}/url`, { url })),
    async evaluate(expression) {
      const script = `const done = arguments[0]; ${expression}.then((told) => done({ told }), (e) => done({ error: String(e && e.stack || e) }))`
      const found = (await ask('POST', `/${sessionId}/execute/async`, { script, args: [] })) as Told
      if (found.told === undefined) throw new Error(found.error)
      return found.told
    },
    async close() {
      await ask('DELETE', `/${sessionId}`).catch(() => {})
      driver.kill()
      screen.kill()
    },
  }
}

interface Told {
  told?: string
  error?: string
}

async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '500x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = await new Promise<string>((resolve) =>
    screen.stdio[3]?.once('data', (bytes: Buffer) => resolve(`:${bytes.toString().trim()}`)),
  )
  return { screen, display }
}
