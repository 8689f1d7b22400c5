import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { DATA_KINDS } from '#server/agreement/dataMap.ts'
import { keepInForce, putInForce } from '#server/agreement/publish.ts'
import { agreementChange } from '#server/bin/siteChanges.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

const { read } = contract.agreement
const DAY_MS = 86_400_000
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-agreement-'))

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.db.deleteFrom('agreement').execute()
})

function saved(html: string): string {
  const file = path.join(folder, 'text.html')
  writeFileSync(file, html)
  return file
}
const OWN = '<h1>我们的政策</h1><p>我们重视隐私。</p><p>{{个人信息清单}}</p><p>{{设备信息清单}}</p>'
const setPrivacy = async (html: string, changes?: string) => {
  const { findings, make } = await agreementChange('privacy', saved(html), changes, server.mediaDir)
  return { findings, isNew: (await make?.(server.db, server.clock.now)) ?? null }
}

describe('用户协议 and 隐私政策', () => {
  test('are there as soon as a server has started, and no new start makes a version of the same text', async () => {
    const at = server.clock.now
    await Promise.all([keepInForce(server.db, at), keepInForce(server.db, at)])
    await keepInForce(server.db, at + DAY_MS)
    const first = [{ version: 1, at, changes: '' }]
    expect(await server.call(read, { kind: 'user' })).toMatchObject({ title: '用户协议', versions: first, ...first[0] })
    const { title, html, versions } = await server.call(read, { kind: 'privacy' })
    expect({ title, versions }).toEqual({ title: '隐私政策', versions: first })
    for (const { name, purpose, keeps, receivers = [] } of DATA_KINDS)
      for (const said of [`<h4>${name}</h4>`, purpose, keeps, ...receivers]) expect(html).toContain(said)
    expect(html).not.toMatch(/\{\{|<h2/)
  })

  test('change when what the server keeps has changed, and say what is other', async () => {
    const at = server.clock.now
    await keepInForce(server.db, at)
    // As an earlier release left it.
    const { html } = await server.call(read, { kind: 'privacy' })
    const [mobile] = DATA_KINDS
    const old = html.replace(/<h4>收货地址<\/h4><ul>.*?<\/ul>/, '<h4>身份证号</h4><ul><li>用途：核对</li></ul>')
    const before = old.replace(mobile?.purpose ?? '-', '登录')
    await server.db.updateTable('agreement').set({ html: before }).where('kind', '=', 'privacy').execute()
    await keepInForce(server.db, at + DAY_MS)
    const now = await server.call(read, { kind: 'privacy' })
    expect(now).toMatchObject({
      version: 2,
      at: at + DAY_MS,
      changes: '信息清单增加：收货地址；不再有：身份证号；说明有变化：手机号',
      html,
    })
    expect(await server.call(read, { kind: 'privacy', version: 1 })).toMatchObject({
      version: 1,
      html: before,
      versions: [{ version: 2 }, { version: 1 }],
    })
    expect((await server.call(read, { kind: 'user' })).versions).toHaveLength(1)
  })

  test('that nobody has published are told so, as is a version that never was', async () => {
    const gone = { status: 0, msg: '没有这个版本，请查看现行版本' }
    expect(await server.ask(read, { kind: 'user' })).toMatchObject(gone)
    await keepInForce(server.db, server.clock.now)
    expect(await server.ask(read, { kind: 'user', version: 2 })).toMatchObject(gone)
  })
})

describe('the operator’s own text', () => {
  test('becomes the next version with the lists in their places, stays through new starts, and can be taken back', async () => {
    await keepInForce(server.db, server.clock.now)
    expect(await setPrivacy(OWN, '改用我们自己的文字')).toEqual({ findings: [], isNew: true })
    expect(await setPrivacy(OWN)).toEqual({ findings: [], isNew: false })
    await keepInForce(server.db, server.clock.now)
    const own = await server.call(read, { kind: 'privacy' })
    expect(own).toMatchObject({ version: 2, title: '我们的政策', changes: '改用我们自己的文字' })
    expect(own.html).toMatch(/^<p>我们重视隐私。<\/p><h4>手机号<\/h4>/)
    expect(await putInForce(server.db, { kind: 'privacy', source: null }, server.clock.now)).toBe(3)
    expect(await server.call(read, { kind: 'privacy' })).toMatchObject({
      title: '隐私政策',
      changes: '条款的文字有调整',
    })
  })

  test('without the list of what is kept is a fault, and nothing changes', async () => {
    expect(await setPrivacy('<h1>政策</h1><p>我们什么也不收集。</p><p>见 {{个人信息清单}}</p>')).toMatchObject({
      findings: [
        { level: 'fault', reason: '缺少清单：请让 {{个人信息清单}} 单独成为一段' },
        { level: 'fault', reason: '缺少清单：请让 {{设备信息清单}} 单独成为一段' },
      ],
      isNew: null,
    })
    expect(await server.ask(read, { kind: 'privacy' })).toMatchObject({ status: 0 })
  })

  test('runs nothing on a page that shows it', async () => {
    await setPrivacy(`${OWN}<script>alert(1)</script><p onclick="x()">尾</p>`)
    const { html } = await server.call(read, { kind: 'privacy' })
    expect(html).not.toMatch(/script|onclick|alert/)
    expect(html).toMatch(/<p>尾<\/p>$/)
  })
})
