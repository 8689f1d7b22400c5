import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const ROOT = path.resolve(import.meta.dirname, '../node_modules/pdfjs-dist')
/** Character maps and fonts for documents that do not embed theirs; decoders of two kinds of pictures, also without WebAssembly. */
const FOLDERS = { cmaps: /./, standard_fonts: /./, wasm: /^(LICENSE_.*|jbig2.*|openjpeg.*)$/i }

/**
 * The files that pdf.js asks for by name when a document needs them, in one folder whose name has the version: what stands at an
 * address never changes (src/features/pdf/reader/engine.ts).
 */
export function pdfFiles(): Plugin {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const base = `assets/pdf-${version}/`
  const files = new Map(
    Object.entries(FOLDERS).flatMap(([folder, which]) =>
      readdirSync(path.join(ROOT, folder))
        .filter((name) => which.test(name))
        .map((name) => [base + (name === 'LICENSE' ? `LICENSE_${folder}` : name), path.join(ROOT, folder, name)]),
    ),
  )
  return {
    name: 'pdf-files',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        const at = files.get((request.url ?? '').slice(1))
        return at ? response.end(readFileSync(at)) : next()
      })
    },
    generateBundle() {
      for (const [fileName, at] of files) this.emitFile({ type: 'asset', fileName, source: readFileSync(at) })
    },
  }
}
