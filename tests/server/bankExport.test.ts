import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givePublished } from '#server/bin/publishCommands.ts'
import { checkFile, writeChecked } from '#server/content/import.ts'
import type { LibraryOptions } from '#server/content/readers.ts'
import { importDemo } from '#server/db/seed/demo.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importDemo(server.db, { mediaDir: server.mediaDir, say: () => {} })
})
afterAll(() => server.close())

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-export-'))
async function exported(no: string, ending: string) {
  const file = path.join(folder, `${no}.${ending}`)
  const told = await givePublished(server.db, no, file, server.mediaDir)
  return { file, told: told.lines.join('\n') }
}
async function imported(file: string, replace: boolean, options: LibraryOptions | null = null) {
  const checked = await checkFile(file, options)
  const [written] = await writeChecked(server.db, [checked], server.mediaDir, replace, {
    at: Date.now(),
    by: 'operator',
  })
  return { checked, written }
}

describe('a library exported', () => {
  const LIBRARIES = readdirSync('server/db/seed/content').flatMap((name) =>
    name.endsWith('.json')
      ? [(JSON.parse(readFileSync(`server/db/seed/content/${name}`, 'utf8')) as Bank).library.no]
      : [],
  )
  test.each(LIBRARIES)('%s as JSON: imported again it changes nothing', async (no) => {
    const { file, told } = await exported(no, 'json')
    const { checked, written } = await imported(file, true)
    expect(checked.findings).toEqual([])
    expect(written).toEqual({ added: 0, changed: 0, retired: 0 })
    expect(told).toContain(`：${checked.total} 题`)
  })
})
interface Bank {
  library: { no: string }
}
