import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { end, endAll, postmasterIn, type Run, sqlIn, start } from '#tests/support/serverProcess.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const PATIENT = { timeout: 60_000, interval: 20 }

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-supervision-'))
const postmasterFile = path.join(folder, 'postgres/data/postmaster.pid')
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

function killDatabase(): number {
  const pid = postmasterIn(folder)
  if (pid === null) throw new Error('no database runs')
  process.kill(pid, 'SIGKILL')
  return pid
}
/** What a call that needs the database is answered: its status, and how long to wait. */
async function ask(run: Run): Promise<{ status: number; afterS: string | null }> {
  const { status, headers } = await fetch(`${run.url}pcapi/structural/areaList`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'nobody' },
    body: 'area=0',
  })
  return { status, afterS: headers.get('retry-after') }
}
const isUp = (run: Run) => fetch(`${run.url}readyz`).then(({ ok }) => ok)
const isGone = () =>
  sqlIn(folder, 'select 1').then(
    () => false,
    () => true,
  )
/** Holds the turn that whoever starts the folder's database must have, so that a restart waits for the test. The server may still be giving its own turn back when it answers again. */
function holdTurn(): () => void {
  const lock = new DatabaseSync(path.join(folder, 'postgres/starting'), { timeout: PATIENT.timeout })
  lock.exec('begin exclusive')
  return () => lock.close()
}

test('a database that is killed again and again comes back: calls are told to come later meanwhile, and jobs go on', async () => {
  const run = await start({ DATA_DIR: folder })
  const seen = new Map<number, Set<string | null>>()
  const look = async () => {
    const { status, afterS } = await ask(run)
    seen.set(status, (seen.get(status) ?? new Set()).add(afterS))
    return status
  }
  // The second and the fourth come as soon as the one before is over.
  for (let kills = 0; kills < 4; kills++) {
    await sqlIn(folder, `insert into remark (at, nos) values (${kills}, '{}')`)
    const release = holdTurn()
    killDatabase()
    await expect.poll(look, PATIENT).toBe(503)
    release()
    await expect.poll(look, PATIENT).toBe(200)
  }
  expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual([200, 503])
  expect([...(seen.get(503) ?? [])]).toEqual(['2'])
  const undone = () => sqlIn(folder, 'select id from remark where done_at is null')
  await expect.poll(undone, PATIENT).toEqual([])
  // One that is killed before it was claimed counts as an attempt that failed.
  expect(run.output().match(/内置数据库(意外停止|没有启动成功)/g)).toHaveLength(4)
  expect(run.output()).toMatch(/内置数据库已恢复，用时 [\d.]+ 秒/)
  expect(run.output()).not.toMatch(/\n\s+at /)
  expect(await end(run)).toBe(0)
  expect(await isGone()).toBe(true)
})

test('what still runs of a killed database does not stop the next one', async () => {
  const run = await start({ DATA_DIR: folder })
  const busy = new pg.Client({ host: path.join(folder, 'postgres'), user: 'postgres', database: 'postgres' })
  await busy.connect()
  const lost = new Promise((resolve) => busy.once('error', resolve).once('end', resolve))
  // A statement that waits for nothing does not notice that its server has gone.
  const endless = `do $$ begin loop exit when clock_timestamp() > now() + interval '90 s'; end loop; end $$`
  void busy.query(endless).catch(() => {})
  await expect
    .poll(() => sqlIn(folder, `select pid as id from pg_stat_activity where query like 'do $$%'`))
    .toHaveLength(1)
  killDatabase()
  await expect.poll(() => isUp(run), PATIENT).toBe(false)
  await expect.poll(() => isUp(run), { ...PATIENT, timeout: 30_000 }).toBe(true)
  await lost
})

test('a pid that another process has by now does not stop the next one', async () => {
  const run = await start({ DATA_DIR: folder })
  const release = holdTurn()
  killDatabase()
  await expect.poll(() => isUp(run), PATIENT).toBe(false)
  const [, ...rest] = readFileSync(postmasterFile, 'utf8').split('\n')
  writeFileSync(postmasterFile, [process.pid, ...rest].join('\n'))
  release()
  await expect.poll(() => isUp(run), { ...PATIENT, timeout: 30_000 }).toBe(true)
})

test('a stop while the restart waits ends at once and leaves no database', async () => {
  const run = await start({ DATA_DIR: folder })
  const release = holdTurn()
  killDatabase()
  await expect.poll(run.output, PATIENT).toContain('内置数据库意外停止')
  expect(await end(run)).toBe(0)
  release()
  expect(await isGone()).toBe(true)
})

test('a stop while the database starts again leaves none', async () => {
  const run = await start({ DATA_DIR: folder })
  const killed = killDatabase()
  await vi.waitUntil(() => ![null, killed].includes(postmasterIn(folder)), PATIENT)
  expect(await end(run)).toBe(0)
  await expect.poll(isGone, PATIENT).toBe(true)
  expect(postmasterIn(folder)).toBeNull()
})
