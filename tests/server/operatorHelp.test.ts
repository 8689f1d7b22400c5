import { spawnSync } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Insertable, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { type Check, examine, type Patient } from '#server/bin/doctorChecks.ts'
import { writeTime } from '#server/content/media/time.ts'
import type { Tables } from '#server/db/tables.ts'
import { readEnvironment } from '#server/environment.ts'
import { findStudents } from '#server/user/operator.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { answerOp, opOf, syncAs } from '#tests/support/ops.ts'
import { newKeys } from '#tests/support/payKeys.ts'
import { bareEnv } from '#tests/support/processEnv.ts'
import { givePassword } from '#tests/support/login.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Each command is a process: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 })

let server: TestServer
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-help-'))
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'OH', chapters: 1, perChapter: 3 }))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const environment = () => ({
  ...bareEnv,
  DATABASE_URL: `postgres://postgres@localhost/${server.database}?host=${encodeURIComponent(server.socketFolder)}`,
  DATA_DIR: folder,
})
/** As an operator runs it, while the server runs. */
const run = (command: string, args: string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`server/bin/${command}.ts`, ...args], {
    env: { ...environment(), ...env },
    encoding: 'utf8',
  })
  return { status, told: stdout + stderr, out: stdout }
}
const PASSWORD = 'help-me-in-1'

describe('npm run users', () => {
  test('finds a student by mobile, number, nickname; says what they have', async () => {
    const who = await server.student()
    await syncAs(server, who, [answerOp('OH_q1', true, { seq: 1, at: server.clock.now })])
    // Such a name is not taken any more; there are older ones.
    const nickname = `王\u001b[排长${who.uid.slice(0, 8)}`
    await server.db.updateTable('student').set({ nickname }).where('uid', '=', who.uid).execute()
    const info = await server.call(contract.user.getUserInfo, {}, who.token)
    for (const what of [info.mobile, who.uid, `排长${who.uid.slice(0, 8)}`]) {
      const { status, told } = run('users', ['find', what])
      expect(status).toBe(0)
      expect(told).toContain(info.mobile)
      expect(told).toContain('余额 ¥0.00；订单 无')
      expect(told).toContain('作答 1 次')
      expect(told).not.toContain('\u001b')
    }
    const [found] = JSON.parse(run('users', ['find', who.uid, '--json']).out) as unknown[]
    expect(found).toMatchObject({ uid: who.uid, answers: 1, sessions: [{}], devices: [{}], rights: [] })
    expect(run('users', ['find', 'nobody-here'])).toMatchObject({ status: 1, told: '没有这样的学生\n' })
  })
  test('resets one who cannot log in: no password, no session, no limit, and it is in the log', async () => {
    const who = await server.student()
    const [before] = await findStudents(server.db, who.uid, server.clock.now)
    const mobile = before?.mobile ?? ''
    await server.db.updateTable('student').set({ password: 'argon' }).where('uid', '=', who.uid).execute()
    await server.db
      .insertInto('rate')
      .values([
        { key: `guess:${mobile}:password:192.0.2.1`, window_start: server.clock.now, hits: 99 },
        { key: `password:${who.uid}`, window_start: server.clock.now, hits: 99 },
        { key: 'guess:13900000000:password', window_start: server.clock.now, hits: 99 },
      ])
      .execute()
    expect(run('users', ['reset', mobile])).toMatchObject({ status: 0, told: `学生 ${who.uid}：已处理\n` })
    const [after] = await findStudents(server.db, who.uid, server.clock.now)
    expect(after).toMatchObject({ hasPassword: false, sessions: [] })
    const limits = await server.db.selectFrom('rate').select('key').where('hits', '=', 99).execute()
    expect(limits).toEqual([{ key: 'guess:13900000000:password' }])
    await expect(server.call(contract.user.getUserInfo, {}, who.token)).rejects.toThrow('user/getUserInfo')
    const log = run('site', ['show', '--log']).told
    expect(log).toContain(`${who.uid}：清除密码，改用验证码登录；退出所有设备；解除次数限制`)
    expect(log).not.toContain(mobile)
  })
  test('does only what is asked, and nothing to others', async () => {
    const [who, other] = [await server.student(), await server.student()]
    await server.db.updateTable('student').set({ password: PASSWORD }).execute()
    expect(run('users', ['reset', who.uid, '--sessions']).status).toBe(0)
    expect((await findStudents(server.db, who.uid, server.clock.now))[0]).toMatchObject({
      hasPassword: true,
      sessions: [],
    })
    expect((await findStudents(server.db, other.uid, server.clock.now))[0]?.sessions).toHaveLength(1)
    expect(run('users', ['reset', '19900000000'])).toMatchObject({ status: 1 })
  })
  test.each([
    [[]],
    [['find']],
    [['find', 'a', 'b']],
    [['delete', 'a']],
    [['find', 'a', '--sessions']],
    [['reset', 'a', '--all']],
  ])('called as %j says how it is used', (args) => {
    const { status, told } = run('users', args)
    expect(status).toBe(2)
    expect(told).toContain('用法：npm run users')
  })
})

test('npm run reports tells what students write without letting it steer the terminal', async () => {
  const who = await server.student()
  const text = '选项 C\u001b[2J\n  已全部处理\u202e'
  const report = { questionNo: 'OH_q2', version: 1, reason: 'answer', text } as const
  await syncAs(server, who, [opOf('report', report, { seq: 1, at: server.clock.now })])
  const { status, told } = run('reports', ['list'])
  expect(status).toBe(0)
  expect(told.trim().split('\n')).toEqual([
    expect.stringMatching(/^OH_q2（1 条）/),
    '  答案有误：选项 C [2J   已全部处理',
  ])
})

test('npm run recall tells what was foretold of students’ memories beside what came', async () => {
  const who = await server.student()
  await server.db
    .insertInto('memory_fit')
    .values({ uid: who.uid, next_rev: 0, tried_at: 0, reviews: 640, kept: true, common_loss: 0.52, own_loss: 0.48 })
    .execute()
  const examDay = Math.floor(Date.now() / 86_400_000) - 2
  const forecast = {
    uid: who.uid,
    exam_day: examDay,
    made_at: (examDay - 30) * 86_400_000,
    studied: 90,
    low: 0.7,
    high: 0.9,
  }
  await server.db
    .insertInto('exam_forecast')
    .values([
      { ...forecast, horizon: 30, known: 0.8, came: 0.85, compared: true },
      { ...forecast, horizon: 7, exam_day: examDay + 9, known: 0.8, came: null },
    ])
    .execute()
  await syncAs(server, who, [answerOp('OH_q2', true, { seq: 1, at: server.clock.now })])
  await sql`update study_op set foretold = 840, effective_at = ${Date.now()} where uid = ${who.uid}`.execute(server.db)
  const { status, told } = run('recall', [])
  expect(status).toBe(0)
  expect(told).toContain('预计 80%–90%：1 次，预计 84%，答对 100%（+16 个百分点）')
  expect(told).toContain(
    '考前 30 天：预计过 1 次，1 次已到考试日：预计 80%，实际 85%，平均相差 5.0 个百分点，100% 落在预计范围内',
  )
  expect(told).toContain('考前 7 天：预计过 1 次，考试日都还没到')
  expect(told).toContain('1 人作答够多，1 人改用自己的，他们的每次作答对数损失由 0.520 降到 0.480')
  expect(JSON.parse(run('recall', ['--json', '--days', '1']).out)).toMatchObject({ horizons: [{ days: 7 }] })
  expect(run('recall', ['--days', '0'])).toMatchObject({ status: 2, told: expect.stringContaining('--days 写') })
})

describe('npm run doctor', () => {
  const examined = async (values: Record<string, string> = {}) => {
    const env = readEnvironment({ DATA_DIR: folder, ...values })
    if ('faults' in env) throw new Error(env.faults.join())
    const patient: Patient = { env: { ...env, DATABASE_URL: 'postgres://elsewhere' }, db: server.db, now: Date.now() }
    const checks: Check[] = []
    for await (const check of examine(patient)) checks.push(check)
    return Object.fromEntries(checks.map(({ name, ...check }) => [name, check]))
  }
  test('tells what is well and what students do not get', async () => {
    const { status, told } = run('doctor', [])
    expect(status).toBe(0)
    expect(told).toMatch(/^✓ 数据库：PostgreSQL \d+.*题目 3$/m)
    for (const line of [
      '✓ 后台任务',
      '✓ 作业队列：等待 0，进行中 0，30 天内失败 0',
      '✓ 同步',
      '✓ 款项',
      '✓ 上传存储：内置',
      '! 支付：沙箱',
      '! 短信：短信验证码只打印',
    ])
      expect(told).toContain(line)
    const checks = JSON.parse(run('doctor', ['--json']).out) as { level: string }[]
    expect(checks.map(({ level }) => level)).not.toContain('bad')
  })
  test('names content whose pictures are on other sites, from before these were copied', async () => {
    expect((await examined())['别处的图片']).toEqual({ level: 'good', told: '没有' })
    const old = { stem: '<img src="https://old.example/1.png">' }
    const { rows } = await sql<{ body: string }>`select body::text as body from question where no = 'OH_q1'`.execute(
      server.db,
    )
    await sql`update question set body = (body::jsonb || ${JSON.stringify(old)}::jsonb)::json where no = 'OH_q1'`.execute(
      server.db,
    )
    expect((await examined())['别处的图片']).toEqual({
      level: 'bad',
      told: expect.stringMatching(/^1 处内容的图片在别的网站上，页面不再显示：OH（1）；.*export 取出再 import/),
    })
    await sql`update question set body = ${rows[0]?.body ?? ''}::json where no = 'OH_q1'`.execute(server.db)
  })

  test.each([
    [{ DEMO: '0' }, 'notice', '没有配置支付'],
    [{ DEMO: '0', PAY_SANDBOX: '1' }, 'notice', '沙箱'],
    [{ DEMO: '1', PUBLIC_URL: 'https://lijian.test' }, 'notice', '沙箱'],
    [{ DEMO: '0', PAY_SANDBOX: '1', PUBLIC_URL: 'https://lijian.test' }, 'bad', '请去掉 PAY_SANDBOX'],
  ])('says of payment with %j: %s, %s', async (values, level, told) => {
    const { 支付: payment } = await examined(values)
    expect(payment).toMatchObject({ level, told: expect.stringContaining(told) })
  })
  test('says of messages how many are left, and that students got none', async () => {
    const count = (key: string, hits: number) =>
      server.db
        .insertInto('rate')
        .values({ key, window_start: Date.now() - 60_000, hits })
        .onConflict((c) => c.column('key').doUpdateSet({ hits }))
        .execute()
    await count('sms:site', 9)
    expect((await examined({ SMS_PER_HOUR: '10' }))['短信']).toEqual({
      level: 'notice',
      told: '这一小时发了 9 条，最多 10 条，快到上限了',
    })
    await count('sms:site:refused', 3)
    expect((await examined({ SMS_PER_HOUR: '10' }))['短信']).toMatchObject({
      level: 'bad',
      told: expect.stringContaining('24 小时内有 3 条因为到了上限没有发出'),
    })
    await server.db.deleteFrom('rate').execute()
    await count('sms:site:failed', 2)
    expect((await examined())['短信']).toMatchObject({
      level: 'bad',
      told: expect.stringContaining('24 小时内有 2 条没有发成'),
    })
    await server.db.deleteFrom('rate').execute()
  })
  test('names what is missing of the account that sends messages', () => {
    const { status, told } = run('doctor', [], { SMS_PROVIDER: 'tencent', TENCENT_SMS_APP_ID: '1400006666' })
    expect(status).toBe(2)
    expect([...told.matchAll(/✗ (\w+) 未设置/g)].map(([, name]) => name)).toEqual([
      'TENCENT_SMS_SECRET_ID',
      'TENCENT_SMS_SECRET_KEY',
      'TENCENT_SMS_SIGN_NAME',
      'TENCENT_SMS_TEMPLATE_ID',
    ])
  })
  test('finds the demo’s student where the demo was turned off, until their password is gone', async () => {
    const { uid } = await server.student('13800000001')
    await givePassword(server.db, uid, 'lijian2026')
    expect((await examined({ DEMO: '0' }))['账号']).toEqual({
      level: 'bad',
      told: '演示账号 13800000001 还在，密码人人知道：npm run users -- reset 13800000001',
    })
    expect((await examined({ DEMO: '1' }))['账号']?.level).toBe('notice')
    expect(run('users', ['reset', '13800000001']).status).toBe(0)
    expect((await examined({ DEMO: '0' }))['账号']?.level).toBe('good')
  })
  test('tells how much space is left, and of too little before the server cannot start any more', async () => {
    const told = expect.stringMatching(/所在的磁盘剩余 [\d.]+ GB/)
    expect((await examined())['磁盘']).toMatchObject({ told })
    expect((await examined({ DISK_MIN_FREE_MB: '1000000' }))['磁盘']).toMatchObject({
      level: 'bad',
      told: expect.stringMatching(/请至少再腾出 [\d.]+ GB.*可以删除旧日志.*服务停下后也不能再启动/),
    })
  })
  test('finds a picture that is gone', async () => {
    const name = `${'a'.repeat(32)}.png`
    const stem = `看图<img src="/media/${name}" width="1" height="1" alt="">`
    await server.db
      .updateTable('question')
      .set({ body: JSON.stringify({ no: 'OH_q1', type: 'single', stem }) })
      .where('no', '=', 'OH_q1')
      .execute()
    const { 图片与音视频: files } = await examined()
    expect(files).toMatchObject({ level: 'bad', told: expect.stringContaining(`缺少 1 个文件（${name}`) })
  })
  test('finds students whose answers were not marked again, and answers that were refused', async () => {
    const who = await server.student()
    await server.db
      .insertInto('remark')
      .values({ nos: ['OH_q2'], at: Date.now(), done_at: null })
      .execute()
    expect((await examined())['后台任务']).toMatchObject({
      level: 'good',
      told: expect.stringContaining('待重新判分 1 批'),
    })
    await server.db
      .updateTable('remark')
      .set({ at: Date.now() - 7_200_000 })
      .execute()
    expect((await examined())['后台任务']).toMatchObject({
      level: 'bad',
      told: expect.stringContaining('服务在运行吗'),
    })
    const { id } = await server.db.selectFrom('remark').select('id').executeTakeFirstOrThrow()
    await server.db.insertInto('remark_failed').values({ remark_id: id, uid: who.uid, tries: 1, due_at: 0 }).execute()
    expect((await examined())['后台任务']).toMatchObject({ level: 'bad', told: expect.stringContaining('1 名学生') })
    expect((await examined())['同步']?.level).toBe('good')
    await server.db
      .updateTable('study_op')
      .set({ verdict: 'rejected', code: 'invalid', created_at: Date.now() })
      .execute()
    expect((await examined())['同步']).toMatchObject({ level: 'bad', told: expect.stringContaining('invalid') })
  })
  describe('of the queue of work', () => {
    const MINUTE = 60_000
    const now = Date.now()
    const put = (values: Partial<Insertable<Tables['job']>>) =>
      server.db
        .insertInto('job')
        .values({ kind: 'reminder', args: '{}', created_at: now - 40 * MINUTE, ...values })
        .execute()
    const told = async () => (await examined())['作业队列']
    beforeEach(() => server.db.deleteFrom('job').execute())

    test('tells what waits and what is under way, and since when the oldest waits', async () => {
      await put({ created_at: now - 2 * MINUTE })
      await put({ created_at: now - MINUTE, kind: 'newer' })
      // Its next try comes later, and the other one is held by a server.
      await put({ lease_until: now + 5 * MINUTE, tries: 3 })
      await put({ state: 'running', lease_until: now + MINUTE })
      await put({ state: 'done', ended_at: now })
      expect(await told()).toEqual({
        level: 'good',
        told: `等待 3，进行中 1，30 天内失败 0；最早的（每日提醒）从 ${writeTime(now - 2 * MINUTE)} 起等着`,
      })
    })

    test.each<[string, Partial<Insertable<Tables['job']>>]>([
      ['nobody has taken', {}],
      ['a server has left behind', { state: 'running', created_at: now - 90 * MINUTE, lease_until: now - 40 * MINUTE }],
    ])('finds what %s for half an hour', async (_, values) => {
      await put({ created_at: now - MINUTE })
      await put(values)
      expect(await told()).toEqual({
        level: 'bad',
        told: `等待 2，进行中 0，30 天内失败 0；最早的（每日提醒）从 ${writeTime(now - 40 * MINUTE)} 起等着；等得太久：服务在运行吗？是不是还在用旧版本？`,
      })
    })

    test('finds what has failed for good today, and counts what failed before', async () => {
      const result = JSON.stringify({ error: 'Error: no steps\n    at work' })
      await put({ state: 'failed', ended_at: now - 3 * 86_400_000, result })
      expect(await told()).toEqual({ level: 'good', told: '等待 0，进行中 0，30 天内失败 1' })
      await put({ state: 'failed', ended_at: now - 60 * MINUTE, result })
      expect(await told()).toEqual({
        level: 'bad',
        told: `等待 0，进行中 0，30 天内失败 2；每日提醒在 ${writeTime(now - 60 * MINUTE)} 失败，不会再试：Error: no steps`,
      })
    })
  })
  test('finds a provider and a site that do not answer', async () => {
    const { privateKey } = newKeys()
    const text = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ type, format: 'pem' }).toString()
    const checks = await examined({
      PUBLIC_URL: 'https://localhost:9',
      DEMO: '0',
      PAY_ALIPAY_APP_ID: '2021000000000000',
      PAY_ALIPAY_PRIVATE_KEY: text(privateKey, 'pkcs8'),
      PAY_ALIPAY_PUBLIC_KEY: text(newKeys().publicKey, 'spki'),
      PAY_ALIPAY_GATEWAY: 'https://localhost:9/gateway.do',
    })
    expect(checks['支付']).toMatchObject({ level: 'bad', told: expect.stringMatching(/^支付宝 .*核对/) })
    expect(checks['网址']?.level).toBe('bad')
  })
  test('says that there is no database, and what of the environment is wrong', () => {
    const nowhere = run('doctor', [], { DATABASE_URL: 'postgres://postgres@localhost:9/none' })
    expect(nowhere).toMatchObject({ status: 1, told: expect.stringContaining('✗ 数据库：连不上数据库') })
    expect(run('doctor', [], { DEMO: '7' })).toMatchObject({
      status: 2,
      told: expect.stringContaining('DEMO 只能是 0 或 1'),
    })
    expect(run('doctor', ['--fast'])).toMatchObject({
      status: 2,
      told: expect.stringContaining('用法：npm run doctor'),
    })
  })
})
