import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { hasSandbox, readEnvironment } from '#server/environment.ts'
import { providersOf } from '#server/outside/payProviders.ts'
import { AlipayServer, SELLER } from '#tests/support/alipayServer.ts'
import { newKeys } from '#tests/support/payKeys.ts'
import { WechatServer } from '#tests/support/wechatServer.ts'

const ours = newKeys()
const theirs = newKeys()
const secret = (type: 'pkcs8' | 'pkcs1' = 'pkcs8') => String(ours.privateKey.export({ format: 'pem', type }))
const open = (keys = theirs) => String(keys.publicKey.export({ format: 'pem', type: 'spki' }))
const bare = (pem: string) => pem.replaceAll(/-----.*-----|\s/g, '')

const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))
function file(name: string, text: string): string {
  const at = path.join(folder, name)
  writeFileSync(at, text)
  return at
}

const URL = { PUBLIC_URL: 'https://lijian.test/', DEMO: '0' }
const WECHAT = {
  PAY_WECHAT_MCHID: '1900000109',
  PAY_WECHAT_APPID: 'wxd678efh567hg6787',
  PAY_WECHAT_SERIAL: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
  PAY_WECHAT_PRIVATE_KEY: secret(),
  PAY_WECHAT_API_V3_KEY: 'abcdefghijklmnopqrstuvwxyz012345',
  PAY_WECHAT_PUBLIC_KEY_ID: 'PUB_KEY_ID_0119000001092024112600',
  PAY_WECHAT_PUBLIC_KEY: open(),
}
const ALIPAY = {
  PAY_ALIPAY_APP_ID: '2021000000000001',
  PAY_ALIPAY_PRIVATE_KEY: bare(secret()),
  PAY_ALIPAY_PUBLIC_KEY: bare(open()),
}
const ALL = { ...URL, ...WECHAT, ...ALIPAY }

/** A platform certificate, as WeChat gave them out before it had public keys; its private key is nowhere. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDEzCCAfugAwIBAgIUD+HvrnMSXdvUr59DBLfTT7E6aTEwDQYJKoZIhvcNAQEL
BQAwGDEWMBQGA1UEAwwNcGxhdGZvcm0udGVzdDAgFw0yNjExMjIxNzAzNDJaGA8y
MTI2MTAyOTE3MDM0MlowGDEWMBQGA1UEAwwNcGxhdGZvcm0udGVzdDCCASIwDQYJ
KoZIhvcNAQEBBQADggEPADCCAQoCggEBALiTOvs6W523Es1b0AGaB5f41XLzVwZj
jvFn/xCf7H6JzvGJ0noKOK+54k7VAJmzvPgcWYXgvd00Fd8m7a+d31hFGQlbQpeu
Vnd9sRoWuMLDmK0P8Js1L29CgeahiCfclWzmudiuL7P3G3HrXj6/w65nNm1kjDvp
gm6cxkcKF2Oc8UAYXN6jKXE1jVhcKlOJVcrJvNyAoWVCFn0r+i2EH7+coGMuUyya
Cs+BRA1ofEdYI2aB5SCHX5LUT77TPQCg4U/yTl1IlaPOTKGa1paZMBqXXo08pVKi
lFnl8zvFwiazc5KzvcMKVG4HpemTeRasNbA/SHXCvqFuSJYfp6LXDCECAwEAAaNT
MFEwHQYDVR0OBBYEFLsNiyFhCTcld8SWWaPL9YDYKx38MB8GA1UdIwQYMBaAFLsN
iyFhCTcld8SWWaPL9YDYKx38MA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEL
BQADggEBAFWGcTgjKHgoyrhvRekEzeVpJ73UP+CzeKSuIQmGJlpE6iX1yzSkBOAd
UVOB0IBRRaQ9Jc9t38zBBxntenfgo+df3dg0PTYqXg574PdfIC//YCdsOaWujG+g
KRRdFfkS1v7EXtYMFaDMG2kXGt2bIC+/3BYpkdSh/kOQkhTA+RElZDEUNhna+uqZ
1DlwXwTkggvRmWfR/uxm3xvApxMdZEeQulwSd99wXmRGgF8dmYGvDGVCmuRd8eWN
0UQVh8n59aRa014imJ1GdV5TpCcFpprsChG9u1O2ioirLBxtG3h43GvPQTaXtXoW
K+XBnrPMSX9WN/fJFUhkBh+VdJ6rtHY=
-----END CERTIFICATE-----`

function faultsOf(values: Record<string, string | undefined>): string[] {
  const read = readEnvironment(values)
  return 'faults' in read ? read.faults : []
}
function namesOf(values: Record<string, string | undefined>): string[] {
  const env = readEnvironment(values)
  if ('faults' in env) throw new Error(env.faults.join('\n'))
  return providersOf(env).map(({ name }) => name)
}

describe('what is configured is there', () => {
  test.each([
    ['nothing', {}, []],
    ['an address alone', URL, []],
    ['WeChat Pay', { ...URL, ...WECHAT }, ['wechat']],
    ['Alipay', { ...URL, ...ALIPAY }, ['alipay']],
    ['both', ALL, ['wechat', 'alipay']],
    ['a variable that is empty', { PAY_WECHAT_MCHID: '' }, []],
  ])('%s', (_, values, names) => expect(namesOf(values)).toEqual(names))

  test.each([
    ['a file', file('key.pem', secret())],
    ['a file in the older form', file('pkcs1.pem', secret('pkcs1'))],
    ['a file with one long line', file('key.txt', `${bare(secret())}\n`)],
    ['one long line in the older form', bare(secret('pkcs1'))],
    ['a PEM', secret()],
    ['a PEM whose lines an .env file could not break', secret().replaceAll('\n', String.raw`\n`)],
  ])('the private key may be %s', (_, key) => {
    expect(namesOf({ ...URL, ...ALIPAY, PAY_ALIPAY_PRIVATE_KEY: key })).toEqual(['alipay'])
    expect(namesOf({ ...URL, ...WECHAT, PAY_WECHAT_PRIVATE_KEY: key })).toEqual(['wechat'])
  })
})

describe('the sandbox, whose money is none', () => {
  test.each([
    ['is there with the demo', {}, true],
    ['is not there without the demo', { DEMO: '0' }, false],
    ['is there where it is asked for', { DEMO: '0', PAY_SANDBOX: '1' }, true],
    ['is not there where it is refused', { PAY_SANDBOX: '0' }, false],
    ['is not there with WeChat Pay', { ...URL, ...WECHAT, DEMO: '1' }, false],
    ['is not there with Alipay', { ...URL, ...ALIPAY, DEMO: '1' }, false],
  ])('%s', (_, values, there) => {
    const env = readEnvironment(values)
    expect('faults' in env ? env.faults : hasSandbox(env)).toBe(there)
  })
  test.each([[WECHAT], [ALIPAY]])('is not asked for beside one that takes money', (account) =>
    expect(faultsOf({ ...URL, ...account, PAY_SANDBOX: '1' })).toEqual([
      expect.stringMatching(/^PAY_SANDBOX=1 与微信支付、支付宝不能同时使用/),
    ]),
  )
})

test.each([
  ['2088102146225135', []],
  ['2021000000000001', ['PAY_ALIPAY_SELLER_ID 应为收款账号 PID，2088 开头的 16 位数字']],
])('the seller %s: %j', (PAY_ALIPAY_SELLER_ID, faults) =>
  expect(faultsOf({ ...URL, ...ALIPAY, PAY_ALIPAY_SELLER_ID })).toEqual(faults),
)

test('an older account may enter a platform certificate with its serial', () => {
  const older = {
    PAY_WECHAT_PUBLIC_KEY_ID: '7132D72A03E93CDDF8C03BBD1F37EEDF6B3E9A10',
    PAY_WECHAT_PUBLIC_KEY: CERTIFICATE,
  }
  expect(namesOf({ ...URL, ...WECHAT, ...older })).toEqual(['wechat'])
})

describe('every fault is named', () => {
  test('one for each that is missing, of both', () => {
    const faults = faultsOf({ PAY_WECHAT_MCHID: '1900000109', PAY_ALIPAY_APP_ID: '2021000000000001' })
    expect(faults).toEqual([
      ...['APPID', 'SERIAL', 'PRIVATE_KEY', 'API_V3_KEY', 'PUBLIC_KEY_ID', 'PUBLIC_KEY'].map(
        (name) => `微信支付只配置了一部分，还缺少 PAY_WECHAT_${name}`,
      ),
      ...['PRIVATE_KEY', 'PUBLIC_KEY'].map((name) => `支付宝只配置了一部分，还缺少 PAY_ALIPAY_${name}`),
      '配置了微信支付或支付宝，还缺少 PUBLIC_URL：通知和付款后的返回都需要它',
    ])
  })

  test.each(Object.keys({ ...WECHAT, ...ALIPAY }))('%s is missing', (name) => {
    const faults = faultsOf({ ...ALL, [name]: undefined })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`还缺少 ${name}$`))
  })

  const small = newKeys(1024)
  test.each([
    ['PUBLIC_URL', 'http://lijian.test', 'PUBLIC_URL 应以 https:// 开头'],
    ['PAY_WECHAT_MCHID', '商户', 'PAY_WECHAT_MCHID 应为商户号（数字）'],
    ['PAY_WECHAT_APPID', '1900000109', 'PAY_WECHAT_APPID 应为以 wx 开头的 AppID'],
    ['PAY_WECHAT_SERIAL', '51:57', 'PAY_WECHAT_SERIAL 应为商户 API 证书序列号（大写十六进制）'],
    ['PAY_WECHAT_API_V3_KEY', 'short', 'PAY_WECHAT_API_V3_KEY 应为 APIv3 密钥（32 位字母和数字）'],
    ['PAY_WECHAT_PUBLIC_KEY_ID', '0119', 'PAY_WECHAT_PUBLIC_KEY_ID 应为微信支付公钥 ID'],
    ['PAY_WECHAT_PUBLIC_KEY_ID', WECHAT.PAY_WECHAT_SERIAL, 'PAY_WECHAT_PUBLIC_KEY_ID 是商户证书的序列号'],
    ['PAY_WECHAT_PRIVATE_KEY', '/nowhere/key.pem', 'PAY_WECHAT_PRIVATE_KEY 指定的文件无法读取（ENOENT）'],
    ['PAY_WECHAT_PRIVATE_KEY', folder, 'PAY_WECHAT_PRIVATE_KEY 指定的文件无法读取（EISDIR）'],
    ['PAY_WECHAT_PRIVATE_KEY', file('letter.pem', '你好'), 'PAY_WECHAT_PRIVATE_KEY 的内容不是商户 API 私钥（PEM）'],
    ['PAY_WECHAT_PRIVATE_KEY', file('empty.pem', ''), 'PAY_WECHAT_PRIVATE_KEY 的内容不是商户 API 私钥（PEM）'],
    ['PAY_WECHAT_PRIVATE_KEY', open(), 'PAY_WECHAT_PRIVATE_KEY 的内容不是商户 API 私钥（PEM）'],
    ['PAY_WECHAT_PUBLIC_KEY', secret(), 'PAY_WECHAT_PUBLIC_KEY 的内容不是微信支付公钥（PEM）'],
    ['PAY_WECHAT_PUBLIC_KEY', open(ours), 'PAY_WECHAT_PUBLIC_KEY 是商户自己的公钥，应填微信支付公钥'],
    ['PAY_WECHAT_PUBLIC_KEY', open(small), 'PAY_WECHAT_PUBLIC_KEY 的密钥只有 1024 位，至少应为 2048 位'],
    ['PAY_WECHAT_API', 'http://api.mch.weixin.qq.com', 'PAY_WECHAT_API 应以 https:// 开头'],
    ['PAY_ALIPAY_APP_ID', 'abc', 'PAY_ALIPAY_APP_ID 应为应用 APPID（数字）'],
    ['PAY_ALIPAY_PRIVATE_KEY', bare(secret()).slice(0, 400), 'PAY_ALIPAY_PRIVATE_KEY 的内容不是应用私钥（PEM）'],
    ['PAY_ALIPAY_PUBLIC_KEY', bare(open(ours)), 'PAY_ALIPAY_PUBLIC_KEY 是应用公钥，应填支付宝公钥'],
    ['PAY_ALIPAY_GATEWAY', 'openapi', 'PAY_ALIPAY_GATEWAY 应为完整网址'],
    ['PAY_ALIPAY_SCAN_PRODUCT', 'CASH', 'PAY_ALIPAY_SCAN_PRODUCT 应为 QR_CODE_OFFLINE'],
  ])('%s: %s', (name, value, fault) => {
    const faults = faultsOf({ ...ALL, [name]: value })
    expect(faults[0]).toContain(fault)
    // Nothing of a key stands in what the start prints.
    expect(faults.join('')).not.toMatch(/BEGIN|MII/)
  })

  test('together with those of the rest', () =>
    expect(faultsOf({ ...ALL, PORT: 'abc', PAY_ALIPAY_APP_ID: 'abc' })).toEqual([
      'PORT 应为整数',
      'PAY_ALIPAY_APP_ID 应为应用 APPID（数字）',
    ]))
})

test('a key that was read is not printed with the environment', () => {
  const logged = inspect(readEnvironment(ALL), { depth: 9 })
  expect(logged).not.toContain(bare(secret()).slice(100, 140))
})

test('who has no account loads neither library: they come with the first call', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const seen = new Set()
    registerHooks({ resolve: (name, context, next) => (seen.add(name), next(name, context)) })
    const { readEnvironment } = await import('./server/environment.ts')
    const { providersOf } = await import('./server/outside/payProviders.ts')
    const [, alipay] = providersOf(readEnvironment(JSON.parse(process.env.GIVEN)))
    const libraries = () => ['alipay-sdk', 'wechatpay-axios-plugin'].filter((name) => seen.has(name)).join()
    const before = libraries()
    await alipay.readNotice({}, 'a=b', 0).catch(() => {})
    console.log(before + '|' + libraries())`
  const options = { encoding: 'utf8', env: { PATH: process.env.PATH, GIVEN: JSON.stringify(ALL) } } as const
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], options)
  expect(printed.trim()).toBe('|alipay-sdk')
})

test('what was entered reaches the provider: each speaks with a stand-in that has these keys', async () => {
  const wechat = await WechatServer.start()
  const alipay = await AlipayServer.start()
  const pem = (key: typeof ours.publicKey, type: 'pkcs8' | 'spki') => String(key.export({ format: 'pem', type }))
  const env = readEnvironment({
    ...ALL,
    PAY_WECHAT_PRIVATE_KEY: file('wechat.pem', pem(wechat.merchant.privateKey, 'pkcs8')),
    PAY_WECHAT_PUBLIC_KEY: pem(wechat.own.publicKey, 'spki'),
    PAY_WECHAT_API: wechat.options.api,
    PAY_ALIPAY_PRIVATE_KEY: pem(alipay.merchant.privateKey, 'pkcs8'),
    PAY_ALIPAY_PUBLIC_KEY: file('alipay.pem', pem(alipay.own.publicKey, 'spki')),
    PAY_ALIPAY_GATEWAY: alipay.options.gateway,
    PAY_ALIPAY_SCAN_PRODUCT: 'FACE_TO_FACE_PAYMENT',
    PAY_ALIPAY_SELLER_ID: SELLER,
  })
  if ('faults' in env) throw new Error(env.faults.join('\n'))
  const request = {
    id: 'P1',
    amount: 1,
    title: '题集',
    expiresAt: Date.now() + 1e6,
    device: 'desktop',
    ip: '::1',
  } as const
  for (const provider of providersOf(env)) {
    expect(await provider.begin(request)).toMatchObject({ kind: 'scan' })
    expect(await provider.find('P1')).toEqual({ state: 'open' })
  }
  const [, configured] = providersOf(env)
  alipay.pay('P1')
  const stranger = alipay.notice('P1', { fields: { seller_id: '2088999999999999' } })
  await expect(configured?.readNotice({}, stranger, Date.now())).rejects.toThrow('of another seller')
  expect(wechat.begun().notify_url).toBe('https://lijian.test/pay/notify/wechat')
  expect(alipay.asked[0]).toMatchObject({
    params: { notify_url: 'https://lijian.test/pay/notify/alipay' },
    content: { product_code: 'FACE_TO_FACE_PAYMENT' },
  })
  await Promise.all([wechat.stop(), alipay.stop()])
})
