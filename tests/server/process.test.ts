import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { DEMO_MOBILE, DEMO_PASSWORD } from '#server/demo/account.ts'
import { type Environment, readEnvironment, smsAccountOf } from '#server/environment.ts'
import { hashPassword } from '#server/login/argon2.ts'
import { PAY_VARIABLES } from '#server/outside/payEnvironment.ts'
import { newKeys } from '#tests/support/payKeys.ts'
import { dataFolder, end, endAll, fails, launch, type Run, sqlIn, start } from '#tests/support/serverProcess.ts'

// Each test starts real processes, some of them a new database: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ROOT = path.resolve(import.meta.dirname, '../..')
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** How long to wait for what must come; nothing is asserted of the time. */
const PATIENT = { timeout: 20_000 }

const COS = {
  COS_BUCKET: 'junkao-1250000000',
  COS_REGION: 'ap-guangzhou',
  COS_SECRET_ID: 'AKIDexample',
  COS_SECRET_KEY: 'example',
}
const SMS = {
  SMS_PROVIDER: 'tencent',
  TENCENT_SMS_SECRET_ID: 'AKIDexample',
  TENCENT_SMS_SECRET_KEY: 'example',
  TENCENT_SMS_APP_ID: '1400006666',
  TENCENT_SMS_SIGN_NAME: '砺剑军考',
  TENCENT_SMS_TEMPLATE_ID: '449739',
}
const ALL_OF_SMS =
  'SMS_PROVIDER=tencent 时 TENCENT_SMS_SECRET_ID、TENCENT_SMS_SECRET_KEY、TENCENT_SMS_APP_ID、TENCENT_SMS_SIGN_NAME、TENCENT_SMS_TEMPLATE_ID 都要设置'
const NOT_SAFE = 'PUBLIC_URL 应以 https:// 开头（只有本机地址可以是 http）：学生上传的图片要经过它'

/** One cluster for all tests that do not need a fresh one: making it is what takes long. */
const shared = mkdtempSync(path.join(os.tmpdir(), 'lijian-process-'))
afterAll(() => rmSync(shared, { recursive: true, force: true, maxRetries: 5 }))
afterEach(endAll)

const call = async (run: Run, at: string, fields: Record<string, string> = {}, token = '') => {
  const headers = { ...FORM, ...(token && { authorization: token }) }
  const response = await fetch(`${run.url}pcapi/${at}`, { method: 'POST', headers, body: new URLSearchParams(fields) })
  const envelope: { status: number; msg: string; data: { token: string; nickname: string; way: { url: string } } } =
    await response.json()
  return envelope
}
/** Through the picture and the message, as a student would: the code stands in the log. */
async function login(run: Run, dataDir: string, mobile: string): Promise<string> {
  await call(run, 'login/getImgVerifyCode', { mobile })
  const [picture] = await sqlIn(dataDir, `select id, code from image_code where mobile = '${mobile}'`)
  await call(run, 'login/sendCode', { mobile, img_code: picture?.code ?? '', picture: picture?.id ?? '' })
  await expect.poll(run.output, PATIENT).toContain(`短信验证码 ${mobile}: `)
  const code = new RegExp(`短信验证码 ${mobile}: (\\d{6})`).exec(run.output())?.[1] ?? ''
  return (await call(run, 'login/mobileCodeLogin', { mobile, code })).data.token
}
const portOf = (run: Run): number => Number(new URL(run.url).port)
const freePort = async (): Promise<string> => {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}
const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
/** A request whose head has been sent and taken: the server said 100 Continue. */
async function openRequest(port: number, length: number) {
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes: Buffer) => void (answer += bytes.toString()))
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
  socket.write(
    `POST /pcapi/structural/areaList HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\n` +
      `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${length}\r\n\r\n`,
  )
  await expect.poll(() => answer, PATIENT).toContain('100 Continue')
  return { finish: (body: string) => socket.write(body), closed }
}

describe('the environment', () => {
  test('every fault is named, all at once, in Chinese, before anything is started', async () => {
    const dataDir = path.join(dataFolder(), 'untouched')
    const output = await fails({
      DATA_DIR: dataDir,
      PORT: 'eight',
      DATABASE_URL: 'mysql://root@localhost/x',
      DEMO: 'yes',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'lijian.example',
      SMS_PROVIDER: 'pigeon',
    })
    expect(output).toMatch(/^环境变量有误：\n/)
    const faults = [...output.matchAll(/ {2}· ([A-Z_]+)/g)].map(([, name]) => name)
    expect(new Set(faults)).toEqual(
      new Set(['DATABASE_URL', 'DEMO', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'SMS_PROVIDER']),
    )
    expect(output).not.toMatch(/ at .*:\d+:\d+/)
    await expect(sqlIn(dataDir, 'select 1')).rejects.toThrow('ENOENT')
  })

  test.each([
    [{ PORT: 'eight' }, 'PORT 应为整数'],
    [{ PORT: '-1' }, 'PORT 应为整数'],
    [{ PORT: '80.5' }, 'PORT 应为整数'],
    [{ PORT: '65536' }, 'PORT 不能大于 65535'],
    [{ DATABASE_URL: 'mysql://x/y' }, 'DATABASE_URL 应以 postgres:// 开头'],
    [{ DEMO: 'true' }, 'DEMO 只能是 0 或 1'],
    [{ PAY_SANDBOX: 'true' }, 'PAY_SANDBOX 只能是 0 或 1'],
    [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL 应为 fatal、error、warn、info、debug 或 silent'],
    [{ PUBLIC_URL: 'lijian.example' }, 'PUBLIC_URL 应为完整网址'],
    [{ PUBLIC_URL: 'http://lijian.example' }, NOT_SAFE],
    [{ PUBLIC_URL: 'http://192.168.1.2:8787' }, NOT_SAFE],
    [{ PUBLIC_URL: 'http://localhost.lijian.example' }, NOT_SAFE],
    [{ PUBLIC_URL: 'ftp://127.0.0.1' }, NOT_SAFE],
    [{ ...COS, COS_BUCKET: 'junkao' }, 'COS_BUCKET 应为“名称-APPID”，如 junkao-1250000000'],
    [{ ...COS, COS_REGION: 'guangzhou' }, 'COS_REGION 应为地域代号，如 ap-guangzhou'],
    [{ ...COS, COS_SECRET_ID: 'a b' }, 'COS_SECRET_ID 应为腾讯云的 SecretId，不含空格'],
    [{ ...COS, COS_SECRET_KEY: '密钥' }, 'COS_SECRET_KEY 应为腾讯云的 SecretKey，不含空格'],
    [{ ...COS, COS_DOMAIN: 'https://img.lijian.example' }, 'COS_DOMAIN 应为域名，不带 https:// 和路径'],
    [
      { ...COS, COS_REGION: '' },
      'COS_REGION 未设置：使用腾讯云存储时 COS_BUCKET、COS_REGION、COS_SECRET_ID、COS_SECRET_KEY 都要设置',
    ],
    [{ SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER 只能是 console（验证码打印在日志中）或 tencent（腾讯云短信）'],
    ...Object.keys(SMS)
      .filter((name) => name !== 'SMS_PROVIDER')
      .map((name): [Record<string, string>, string] => [{ ...SMS, [name]: '' }, `${name} 未设置：${ALL_OF_SMS}`]),
    [{ ...SMS, TENCENT_SMS_SECRET_ID: 'a b' }, 'TENCENT_SMS_SECRET_ID 应为腾讯云的 SecretId，不含空格'],
    [{ ...SMS, TENCENT_SMS_SECRET_KEY: '密钥' }, 'TENCENT_SMS_SECRET_KEY 应为腾讯云的 SecretKey，不含空格'],
    [{ ...SMS, TENCENT_SMS_APP_ID: 'app' }, 'TENCENT_SMS_APP_ID 应为短信应用的 SDK AppID（数字）'],
    [{ ...SMS, TENCENT_SMS_SIGN_NAME: '【砺剑】' }, 'TENCENT_SMS_SIGN_NAME 应为审核通过的签名内容，不带【】'],
    [{ ...SMS, TENCENT_SMS_TEMPLATE_ID: 'T1' }, 'TENCENT_SMS_TEMPLATE_ID 应为审核通过的正文模板 ID（数字）'],
    [{ ...SMS, TENCENT_SMS_REGION: '广州' }, 'TENCENT_SMS_REGION 应为地域代号，如 ap-guangzhou'],
    [
      { ...SMS, SMS_PROVIDER: '' },
      'SMS_PROVIDER 没有写明：已设置腾讯云短信，请设 SMS_PROVIDER=tencent；暂时不用它时设 SMS_PROVIDER=console',
    ],
  ])('%j: %s', (values, message) => {
    expect(readEnvironment({ DEMO: '0', ...values })).toEqual({ faults: [message] })
  })

  test.each([
    { PUBLIC_URL: 'https://lijian.example' },
    { PUBLIC_URL: 'http://127.0.0.1:8787' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.2' },
  ])('where strangers may come, the demo’s account is there only when it is asked for: %j', (open) => {
    expect(readEnvironment(open)).toEqual({ faults: [expect.stringMatching(/^DEMO 没有写明.*DEMO=0.*DEMO=1/)] })
    for (const DEMO of ['0', '1']) expect(readEnvironment({ ...open, DEMO })).toMatchObject({ DEMO })
  })

  test.each([{}, { HOST: 'localhost' }, { HOST: '127.0.0.1' }, { HOST: '::1' }])(
    'on this machine alone the demo is there without a word: %j',
    (own) => expect(readEnvironment(own)).toMatchObject({ DEMO: '1' }),
  )

  test.each(['http://127.0.0.1:8787', 'http://localhost/', 'http://[::1]:80/', 'https://lijian.example/'])(
    'PUBLIC_URL may be %s',
    (PUBLIC_URL) => expect(readEnvironment({ PUBLIC_URL, DEMO: '0' })).toMatchObject({ PUBLIC_URL }),
  )

  test('a domain alone is half an account, too', () => {
    const said = readEnvironment({ COS_DOMAIN: 'img.lijian.example' })
    expect('faults' in said && said.faults).toHaveLength(4)
  })

  test('a whole account with Tencent Cloud sends messages when it is chosen, from Guangzhou if nothing else is said', () => {
    const accountOf = (values: Record<string, string>) => smsAccountOf(readEnvironment(values) as Environment)
    expect(accountOf(SMS)).toEqual({
      secretId: 'AKIDexample',
      secretKey: 'example',
      appId: '1400006666',
      signName: '砺剑军考',
      templateId: '449739',
      region: 'ap-guangzhou',
    })
    expect(accountOf({ ...SMS, TENCENT_SMS_REGION: 'ap-beijing' })).toMatchObject({ region: 'ap-beijing' })
    expect(accountOf({ ...SMS, SMS_PROVIDER: 'console' })).toBeNull()
    expect(accountOf({})).toBeNull()
  })

  test('an empty variable is one that is not set', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '', PRODUCT_NAME: '' })).toEqual(readEnvironment({}))
  })

  test('the README names every variable, and no other', () => {
    const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8')
    const table = /## Environment\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
    const rows = table.split('\n').filter((line) => line.startsWith('| `'))
    const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))
    const { pay: _, ...known } = readEnvironment({
      DATABASE_URL: 'postgres://x',
      PUBLIC_URL: 'https://x',
      DEMO: '0',
      PAY_SANDBOX: '0',
      ...COS,
      COS_DOMAIN: 'img.lijian.example',
      ...SMS,
    }) as Environment
    expect(new Set(named)).toEqual(new Set(Object.keys(known)))
    const payments = readFileSync(path.join(ROOT, 'docs/payments.md'), 'utf8')
    const told = [...payments.matchAll(/^\| `(PAY_\w+)` \|/gm)].map(([, name]) => name)
    expect(new Set(told)).toEqual(new Set(PAY_VARIABLES))
  })
})

describe('what an operator can mend is said, without a stack', () => {
  test('a port in use, named with the way out; the server that has it goes on, with its database', async () => {
    const first = await start({ DATA_DIR: shared })
    const output = await fails({ DATA_DIR: dataFolder(), PORT: String(portOf(first)) })
    expect(output).toBe('端口已被占用，请关闭占用它的程序，或用 PORT 换一个端口\n')
    expect((await fetch(`${first.url}readyz`)).status).toBe(200)
  })

  test('an address that this machine has not', async () => {
    expect(await fails({ DATA_DIR: shared, HOST: '203.0.113.1' })).toBe('本机没有 HOST 指定的地址，请检查 HOST\n')
  })

  test('a data folder that is a file', async () => {
    const file = path.join(dataFolder(), 'file')
    writeFileSync(file, '')
    expect(await fails({ DATA_DIR: file })).toBe(
      `无法写入数据目录 ${path.join(file, 'postgres')}，请检查 DATA_DIR 的权限\n`,
    )
  })

  test.each([
    ['where nothing listens', 'postgres://lijian:hunter2@127.0.0.1:1/lijian', 'ECONNREFUSED'],
    ['on a host that does not exist', 'postgres://lijian:hunter2@db.invalid/lijian', 'db.invalid'],
  ])('a database %s, and its password is not printed', async (_, url, detail) => {
    const output = await fails({ DATA_DIR: dataFolder(), DATABASE_URL: url })
    expect(output).toMatch(/^无法连接 DATABASE_URL 指定的数据库：/)
    expect(output).toContain(detail)
    expect(output).not.toContain('hunter2')
    expect(output).not.toMatch(/\n\s+at /)
  })

  test('a database of another name, on a server that is there', async () => {
    await start({ DATA_DIR: shared })
    const host = encodeURIComponent(path.join(shared, 'postgres'))
    const output = await fails({ DATA_DIR: shared, DATABASE_URL: `postgres://postgres@${host}/missing` })
    expect(output).toMatch(/^无法连接 DATABASE_URL 指定的数据库：.*"missing" does not exist\n$/)
  })
})

describe('starting', () => {
  test('a second start finds accounts, sessions and names; the first needs no demo content', async () => {
    const dataDir = dataFolder()
    const first = await start({ DATA_DIR: dataDir })
    const token = await login(first, dataDir, '13800001234')
    await call(first, 'user/save', { nickname: '第二次启动还在' }, token)
    expect(await end(first)).toBe(0)
    const second = await start({ DATA_DIR: dataDir })
    expect(await call(second, 'user/getUserInfo', {}, token)).toMatchObject({
      status: 1,
      data: { nickname: '第二次启动还在' },
    })
  })

  test('what was answered as done is there after kill -9', async () => {
    const dataDir = dataFolder()
    const first = await start({ DATA_DIR: dataDir })
    const token = await login(first, dataDir, '13800001234')
    await call(first, 'user/save', { nickname: '断电之前' }, token)
    expect(await end(first, 'SIGKILL')).toBeNull()
    const second = await start({ DATA_DIR: dataDir })
    expect(await call(second, 'user/getUserInfo', {}, token)).toMatchObject({ data: { nickname: '断电之前' } })
    // The database that the first one left behind ends with the second.
    expect(await end(second)).toBe(0)
    await expect(sqlIn(dataDir, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  })

  test('the product name and the outside address are what the operator set', async () => {
    const run = launch({ DATA_DIR: shared, PRODUCT_NAME: '军考助手', PUBLIC_URL: 'https://lijian.example/' })
    await expect.poll(run.output, PATIENT).toContain('军考助手 已启动：https://lijian.example/')
  })

  test('the demo’s student, left behind by a demo that was turned off, keeps a server that others reach from starting', async () => {
    const before = await start({ DATA_DIR: shared })
    const password = await hashPassword(DEMO_PASSWORD)
    await sqlIn(
      shared,
      `insert into student (uid, mobile, nickname, portrait, password, created_at)
       values ('demo', '${DEMO_MOBILE}', '演示', '', '${password}', 1)`,
    )
    expect(before.output()).not.toContain('演示账号')
    await end(before)
    const told = /演示账号 13800000001 还在，密码人人知道：npm run users -- reset 13800000001/
    const output = await fails({ DATA_DIR: shared, PUBLIC_URL: 'https://lijian.example' })
    expect(output).toMatch(told)
    expect(output).not.toMatch(/\n\s+at /)
    const own = await start({ DATA_DIR: shared })
    await expect.poll(own.output, PATIENT).toMatch(told)
    await sqlIn(shared, `delete from student where uid = 'demo'`)
    await end(own)
    const open = launch({ DATA_DIR: shared, PUBLIC_URL: 'https://lijian.example/' })
    await expect.poll(open.output, PATIENT).toContain('已启动：https://lijian.example/')
  })

  test('the ways to pay are named, their keys were read, and the sandbox is not one of them: what was paid at it buys nothing', async () => {
    const before = await start({ DATA_DIR: shared, PAY_SANDBOX: '1' })
    expect(before.output()).not.toContain('不是真钱')
    const token = await login(before, shared, '13800004321')
    const topUp = { key: randomUUID(), amount: '500000', method: 'sandbox', device: 'phone' }
    const { way } = (await call(before, 'wallet/topUp', topUp, token)).data
    await fetch(new URL(way.url, before.url), { method: 'POST', headers: FORM, body: 'act=pay' })
    expect(await end(before)).toBe(0)

    const { publicKey } = newKeys()
    const keys = {
      PAY_ALIPAY_PRIVATE_KEY: String(newKeys().privateKey.export({ format: 'pem', type: 'pkcs8' })),
      PAY_ALIPAY_PUBLIC_KEY: String(publicKey.export({ format: 'pem', type: 'spki' })),
    }
    const account = { PUBLIC_URL: 'https://lijian.example/', PAY_ALIPAY_APP_ID: '2021000000000001', ...keys }
    const port = await freePort()
    const run = launch({ DATA_DIR: shared, PORT: port, ...account })
    await expect.poll(run.output, PATIENT).toContain('支付方式：支付宝\n')
    await expect.poll(run.output, PATIENT).toContain('沙箱款项 5000.00 元（1 名学生）不是真钱')
    const knock = async (name: string) =>
      (await fetch(`http://127.0.0.1:${port}/pay/notify/${name}`, { method: 'POST', headers: FORM, body: 'a=b' }))
        .status
    expect(await Promise.all(['alipay', 'wechat', 'sandbox'].map(knock))).toEqual([400, 404, 404])
    expect(await fails({ ...account, PAY_ALIPAY_PRIVATE_KEY: '/nowhere/key.pem' })).toBe(
      '环境变量有误：\n  · PAY_ALIPAY_PRIVATE_KEY 指定的文件无法读取（ENOENT），应为应用私钥的文件路径或 PEM 内容\n',
    )
  })

  test('a data folder that another server uses is a clear message, and that server goes on', async () => {
    const first = await start({ DATA_DIR: shared })
    expect(await fails({ DATA_DIR: shared })).toBe(
      `数据目录 ${shared} 正被另一个服务使用，请先停止它，或用 DATA_DIR 换一个目录\n`,
    )
    expect((await fetch(`${first.url}readyz`)).status).toBe(200)
  })
})

describe('stopping', () => {
  const served = /HTTP\/1\.1 200 OK[\s\S]*\{"status":1,"msg":"","data":\[/

  test.each(['SIGTERM', 'SIGINT'] as const)('%s lets the request under way finish and exits 0', async (signal) => {
    const run = await start({ DATA_DIR: shared })
    const port = portOf(run)
    const request = await openRequest(port, 6)
    run.child.kill(signal)
    await expect.poll(() => listens(port), PATIENT).toBe(false)
    expect(run.child.exitCode).toBeNull()
    request.finish('area=0')
    expect(await request.closed).toMatch(served)
    expect(await run.ended).toBe(0)
    // Nothing but what it says at its start: an ordinary end is no news.
    const lines = run.output().trim().split('\n')
    expect(lines.filter((line) => !/ 已启动：|^没有配置支付|^沙箱款项/.test(line))).toEqual([])
  })

  test('a second signal does not cut the first one short', async () => {
    const run = await start({ DATA_DIR: shared })
    const port = portOf(run)
    const request = await openRequest(port, 6)
    run.child.kill('SIGTERM')
    await expect.poll(() => listens(port), PATIENT).toBe(false)
    run.child.kill('SIGTERM')
    run.child.kill('SIGINT')
    request.finish('area=0')
    expect(await request.closed).toMatch(served)
    expect(await run.ended).toBe(0)
  })

  test('a request that never comes to its end does not hold it', async () => {
    const run = await start({ DATA_DIR: shared })
    const request = await openRequest(portOf(run), 6)
    expect(await end(run)).toBe(0)
    expect(await request.closed).not.toMatch(served)
  })

  test('the database it started stops with it', async () => {
    const run = await start({ DATA_DIR: shared })
    await sqlIn(shared, 'select 1')
    expect(await end(run)).toBe(0)
    await expect(sqlIn(shared, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  })
})
