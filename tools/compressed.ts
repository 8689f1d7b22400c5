import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { COMPRESSED, contentHash, isCompressible, compressBest } from '../server/http/encodings.ts'

/** Compresses what was built, as small as it goes, so that no server needs seconds for it at each start (server/http/encodings.ts). */
export function compressed(): Plugin {
  let dist = ''
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    configResolved: ({ root, build }) => {
      dist = path.resolve(root, build.outDir)
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      async handler() {
        const folder = path.join(dist, COMPRESSED)
        mkdirSync(folder, { recursive: true })
        const files = globSync('**/*', { cwd: dist }).map((name) => path.join(dist, name))
        await Promise.all(files.filter((file) => statSync(file).isFile()).map((file) => compress(file, folder)))
      },
    },
  }
}

async function compress(file: string, folder: string): Promise<void> {
  const plain = readFileSync(file)
  if (!isCompressible(file, plain)) return
  const { br, gzip } = await compressBest(plain)
  const base = path.join(folder, contentHash(plain))
  writeFileSync(`${base}.br`, br)
  writeFileSync(`${base}.gz`, gzip)
}
