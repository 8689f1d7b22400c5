import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { spaceOf } from '#server/db/disk.ts'
import { troubleOf } from '#server/db/troubles.ts'
import { startServer } from '#tests/support/server.ts'
import { dataFolder, end, endAll, fails, postmasterIn, sqlIn, start } from '#tests/support/serverProcess.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const TOLD =
  /^磁盘空间不足：(\S+) 所在的磁盘只剩 [\d.]+ [GM]B，请至少再腾出 [\d.]+ [GM]B，然后重新启动。可以删除旧日志.*\n$/

/** From now on the table takes nothing, as PostgreSQL says it on a full disk. */
const fillTable = (table: string) => `
  create function full_disk() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/5/1": No space left on device' using errcode = '53100';
  end $$;
  create trigger full_disk before insert or update on ${table} for each statement execute function full_disk()`

afterEach(endAll)

describe('a start on a full disk ends with what is left, what is missing and what may go', () => {
  test('before anything is begun, when less is left than it takes', async () => {
    const dataDir = path.join(dataFolder(), 'not/there/yet')
    const output = await fails({ DATA_DIR: dataDir, DISK_MIN_FREE_MB: '1000000' })
    expect(TOLD.exec(output)?.[1]).toBe(dataDir)
    expect((await spaceOf(dataDir)).free).toBeGreaterThan(0)
    expect(postmasterIn(dataDir)).toBeNull()
  })

  test('when the database finds out, without a hundred attempts', async () => {
    const dataDir = dataFolder()
    expect(await end(await start({ DATA_DIR: dataDir }))).toBe(0)
    const file = path.join(dataDir, 'postgres/data/postmaster.opts')
    rmSync(file)
    // The kernel's own full disk: whatever is written to it fails for want of space.
    symlinkSync('/dev/full', file)
    const began = performance.now()
    expect(await fails({ DATA_DIR: dataDir })).toMatch(TOLD)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(postmasterIn(dataDir)).toBeNull()
  })

  test('after the database has started: it is not left running', async () => {
    const dataDir = dataFolder()
    const first = await start({ DATA_DIR: dataDir })
    await sqlIn(dataDir, fillTable('area'))
    expect(await end(first)).toBe(0)
    expect(await fails({ DATA_DIR: dataDir })).toMatch(TOLD)
    await expect(sqlIn(dataDir, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  })
})

test('a write on a full disk is told to come later, in Chinese, and the log says so once a minute; reads go on', async () => {
  let log = ''
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      log += chunk.toString()
      done()
    },
  })
  const server = await startServer({ logger: { level: 'error', stream } })
  const { token } = await server.student()
  await sql.raw(fillTable('student')).execute(server.db)
  const save = () =>
    server.app.inject({
      method: 'POST',
      url: `/pcapi/${contract.user.save.path}`,
      headers: { authorization: token, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'nickname=新名字',
    })
  const logged = () => log.split('\n').filter((line) => line.includes('磁盘已满，写入失败：请清理磁盘')).length
  const answer = await save()
  expect([answer.statusCode, answer.headers['retry-after'], answer.body]).toEqual([
    503,
    '30',
    '服务器磁盘已满，暂时不能保存，请稍后再试',
  ])
  await save()
  expect(logged()).toBe(1)
  server.clock.now += 60_000
  await save()
  expect(logged()).toBe(2)
  expect(await server.call(contract.user.getUserInfo, {}, token)).toMatchObject({ nickname: expect.any(String) })
  await server.close()
})

test.each([
  [{ code: '53100' }, 'full'],
  [{ code: 'ENOSPC', syscall: 'write' }, 'full'],
  [{ code: 'EDQUOT', syscall: 'open' }, 'full'],
  [{ code: 'ECONNREFUSED', syscall: 'connect' }, 'away'],
  [{ code: 'ENOENT', syscall: 'connect' }, 'away'],
  [{ code: '57P01' }, 'away'],
  [{ code: '57P03' }, 'away'],
  [{ message: 'Connection terminated unexpectedly' }, 'away'],
  [{ message: 'timeout exceeded when trying to connect' }, 'away'],
  [{ message: 'Client has encountered a connection error and is not queryable' }, 'away'],
  [{ code: 'ENOENT', syscall: 'open' }, null],
  [{ code: '23505' }, null],
  [{}, null],
])('%j is %s', (fields, trouble) => {
  expect(troubleOf(Object.assign(new Error('failed'), fields))).toBe(trouble)
})
