import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { lackOfSpace } from '../server/db/disk.ts'
import { readEnvironment } from '../server/environment.ts'

const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'tools', 'package-lock.json']
const BUILT = 'dist/index.html'

/** `npm start`: builds the app when its sources are newer than the last build, then starts the server in this process. */
const modified = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

async function newest(): Promise<number> {
  const times = await Promise.all(
    SOURCES.map(async (source) => {
      if (!statSync(source).isDirectory()) return modified(source)
      const files = await readdir(source, { recursive: true })
      return Math.max(...files.map((file) => modified(path.join(source, file))))
    }),
  )
  return Math.max(...times)
}

process.chdir(path.resolve(import.meta.dirname, '..'))
if (modified(BUILT) < (await newest())) {
  // The build takes longer than anybody on a full disk should wait for the reason.
  const env = readEnvironment(process.env)
  const lack = 'faults' in env ? null : await lackOfSpace('.', env.DISK_MIN_FREE_MB)
  if (lack !== null) {
    console.error(lack)
    process.exit(1)
  }
  console.log('正在构建页面…')
  await build({ logLevel: 'error' })
}
await import('../server/main.ts')
