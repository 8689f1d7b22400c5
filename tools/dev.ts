import { spawn } from 'node:child_process'
import path from 'node:path'
import { createServer } from 'vite'

/** `npm run dev`: the API server restarts and the page updates as files change. Ctrl-C stops both. */
process.chdir(path.resolve(import.meta.dirname, '..'))
const api = spawn(
  process.execPath,
  ['--watch-path=server', '--watch-path=src/contract', '--watch-path=src/domain', 'server/main.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, PORT: process.env.PORT ?? '8787' },
  },
)
const vite = await createServer()
await vite.listen()
vite.printUrls()
const stop = async () => {
  api.kill('SIGTERM')
  await vite.close()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
