import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'

export const ROOT = path.resolve(import.meta.dirname, '../..')
export const DIST = path.join(ROOT, 'dist')
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'tools', 'package-lock.json']

const modified = (file: string): number => statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? 0

async function newest(): Promise<number> {
  const files = await Promise.all(
    SOURCES.map(async (source) =>
      statSync(path.join(ROOT, source)).isDirectory()
        ? (await readdir(path.join(ROOT, source), { recursive: true })).map((file) => path.join(source, file))
        : [source],
    ),
  )
  return Math.max(...files.flat().map(modified))
}

/** The bench measures what is in the sources now, never an older build, nor half a one. */
export async function ensureBuilt(): Promise<void> {
  if (Math.min(modified('dist/index.html'), modified('dist/sw.js')) >= (await newest())) return
  console.error('building…')
  await build({ root: ROOT, logLevel: 'error' })
}
