import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'

const newFolder = () => mkdtempSync(path.join(os.tmpdir(), 'lijian-start-'))

function command(dataDir: string, ...args: string[]) {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', DEMO: '0' }
  const child = spawn(process.execPath, args, { env })
  let told = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (told += bytes.toString()))
  return { child, ended: once(child, 'close').then(([code]: unknown[]) => ({ code, told })) }
}
const list = (dataDir: string) => command(dataDir, 'server/bin/content.ts', 'list')
const clusters = (dataDir: string) => globSync('data*', { cwd: path.join(dataDir, 'postgres') })

test('many first starts at once make one cluster, and each has its database', { timeout: 120_000 }, async () => {
  const dataDir = newFolder()
  const all = await Promise.all(Array.from({ length: 6 }, () => list(dataDir).ended))
  for (const { code, told } of all) expect([code, told.replace(/另一条命令.*\n/, '')]).toEqual([0, '还没有题库\n'])
  expect(clusters(dataDir)).toEqual(['data'])
})

test('a first start that was killed in the middle is begun again', { timeout: 120_000 }, async () => {
  const dataDir = newFolder()
  const { child, ended } = list(dataDir)
  await vi.waitUntil(() => clusters(dataDir).length > 0, { timeout: 30_000, interval: 5 })
  child.kill('SIGKILL')
  await ended
  expect(await list(dataDir).ended).toEqual({ code: 0, told: '还没有题库\n' })
  expect(clusters(dataDir)).toContain('data')
})
