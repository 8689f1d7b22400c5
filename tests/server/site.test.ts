import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { PROMISE } from '#src/domain/money/promise.ts'
import { commandEnv, runCommand } from '#tests/support/command.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

// Each test starts several processes: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 })

let server: TestServer
const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-site-'))
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await server.db.deleteFrom('setting').execute()
  await server.db.deleteFrom('operator_log').execute()
})

const SETTINGS = { DATA_DIR: folder, SITE_PHONE: '010-0000', SITE_COPYRIGHT: '© 测试' }
const site = (...args: string[]) => runCommand(server, 'site', args, SETTINGS)
const saved = (name: string, content: string) => {
  writeFileSync(path.join(folder, name), content)
  return path.join(folder, name)
}
const notice = async () => (await server.call(contract.home.getNotice, {})).text
const footer = () => server.call(contract.config.getSite, {})
const promise = () => server.call(contract.config.getPromise, {})
const banners = async () => {
  // What visitors are told is remembered for a minute.
  server.clock.now += 60_000
  return (await server.call(contract.home.getHomeData, {})).banners
}
const log = () => server.db.selectFrom('operator_log').select(['what', 'before', 'after']).orderBy('id').execute()

const BANNER = { title: '每天一组', picture: 'banner.svg', link: '/question/library' }
const bannerFile = (...given: object[]) => {
  saved('banner.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 400"/>')
  return saved('banners.json', JSON.stringify({ format: 'lijian-banners/1', banners: given }))
}

describe('the notice', () => {
  test('is shown by the running server at the next call, with its lines, and taken away again', async () => {
    expect(site('notice', String.raw`今晚维护\n离线刷题不受影响`)).toEqual({
      status: 0,
      told: '公告：今晚维护 / 离线刷题不受影响\n已生效。\n',
    })
    expect(await notice()).toBe('今晚维护\n离线刷题不受影响')
    expect(site('notice', String.raw`今晚维护\n离线刷题不受影响`).told).toContain('与现在相同，未改动')
    expect(site('notice', '--clear').status).toBe(0)
    expect(await notice()).toBe('')
    expect(await log()).toEqual([
      { what: 'notice', before: null, after: '今晚维护\n离线刷题不受影响' },
      { what: 'notice', before: '今晚维护\n离线刷题不受影响', after: '' },
    ])
  })
  test.each([
    ['长'.repeat(201), '201 字，最多 200 字'],
    ['一\n二\n三\n四\n五', '5 行，最多 4 行'],
  ])('of too much text changes nothing', async (text, told) => {
    expect(site('notice', text)).toEqual({ status: 1, told: `错误 公告：${told}\n有错误，未改动。\n` })
    expect(await log()).toEqual([])
  })
  test('is only checked by check', async () => {
    expect(site('check', 'notice', '今晚维护')).toEqual({ status: 0, told: '公告：今晚维护\n检查通过，未改动。\n' })
    expect(await notice()).toBe('')
    expect(await log()).toEqual([])
  })
})

describe('the footer', () => {
  test('is changed field by field over the environment’s, and given back to it', async () => {
    await server.db.insertInto('setting').values({ key: 'footer', value: '{"phone":"1"}' }).execute()
    expect(site('footer', '--chat-id', 'lijian', '--filing-no', '京ICP备1号').status).toBe(0)
    expect(await footer()).toMatchObject({ phone: '1', chatId: 'lijian', filingNo: '京ICP备1号', address: '' })
    expect(site('footer', '--phone', '').told).toContain('客服电话：不显示')
    expect(await footer()).toMatchObject({ phone: '', chatId: 'lijian' })
    expect(site('show').told).toMatch(
      /客服电话：不显示\n {2}客服微信：lijian\n {2}公司地址：不显示（环境变量）\n {2}版权：© 测试（环境变量）/,
    )
    expect(site('footer', '--default').status).toBe(0)
    expect(site('show').told).toContain('客服电话：010-0000（环境变量）')
    expect(await footer()).toMatchObject({ phone: '', chatId: '' })
  })
  test('has the licences of who runs the site, with the environment’s as the default', async () => {
    const numbers = ['--police-no', '京公网安备1号', '--telecom-no', '京B2-1', '--publication-no', '新出发1号']
    expect(site('footer', '--company', '某公司', '--licence-no', '91', ...numbers).status).toBe(0)
    const set = {
      company: '某公司',
      licenceNo: '91',
      policeNo: '京公网安备1号',
      telecomNo: '京B2-1',
      publicationNo: '新出发1号',
    }
    expect(await footer()).toMatchObject(set)
    expect(site('footer', '--licence-no', '').status).toBe(0)
    expect(await footer()).toMatchObject({ ...set, licenceNo: '' })
    expect(site('footer', '--police-no', '1'.repeat(61)).told).toContain('公安备案号：最多 60 字')
  })
  test('takes nothing that would break the page', async () => {
    expect(site('footer', '--phone', 'javascript:1').status).toBe(1)
    expect(site('footer', '--address', `一\n二`, '--copyright', '字'.repeat(101)).told).toBe(
      '错误 公司地址：只能是一行\n错误 版权：最多 100 字\n有错误，未改动。\n',
    )
    expect(await log()).toEqual([])
  })
})

describe('the promise', () => {
  test('is the product’s own until the operator sets another one, cleaned and with its date, and can be had back', async () => {
    expect(await promise()).toEqual(PROMISE)
    const before = Date.now()
    const file = saved('promise.html', '<h1>新承诺</h1><p onclick="x()">一题不丢</p><script>x()</script>')
    expect(site('promise', file).told).toMatch(
      /提醒 .*promise.html 文件：不允许的标签已去除，只留文字：script\n平台承诺：新承诺，4 字\n已生效。/,
    )
    const set = await promise()
    expect(set).toEqual({ title: '新承诺', html: '<p>一题不丢</p>', at: expect.any(Number) })
    expect(set.at).toBeGreaterThanOrEqual(before)
    // The same text again keeps its date.
    expect(site('promise', file).told).toContain('与现在相同，未改动')
    const out = path.join(folder, 'out.html')
    expect(site('export', 'promise', out).status).toBe(0)
    expect(readFileSync(out, 'utf8')).toBe('<h1>新承诺</h1>\n<p>一题不丢</p>\n')
    expect(site('promise', '--default').status).toBe(0)
    expect(await promise()).toEqual(PROMISE)
  })
})

describe('the agreements', () => {
  test('have a new version when the operator sets another text, which goes out as it came in', async () => {
    const policy = () => server.call(contract.agreement.read, { kind: 'privacy' })
    const file = saved('policy.html', '<h1>政策</h1><p>{{个人信息清单}}</p><p>{{设备信息清单}}</p>')
    const said = site('agreement', 'privacy', file, '--changes', '换了文字').told
    expect(said).toBe('隐私政策：政策，21 字，成为新的版本\n已生效。\n')
    expect(await policy()).toMatchObject({
      version: 1,
      title: '政策',
      html: expect.stringContaining('<h4>手机号</h4>'),
    })
    expect(site('agreement', 'privacy', file).told).toContain('与现在相同，未改动')
    expect(site('show').told).toMatch(/^隐私政策：第 1 版，\d{4}-\d\d-\d\d \d\d:\d\d 起（自己的文字）$/m)
    const out = path.join(folder, 'out.html')
    expect(site('export', 'agreement', 'privacy', out).status).toBe(0)
    expect(readFileSync(out, 'utf8')).toBe('<h1>政策</h1>\n<p>{{个人信息清单}}</p>\n<p>{{设备信息清单}}</p>\n')
    expect(site('agreement', 'privacy', '--default').status).toBe(0)
    expect(await policy()).toMatchObject({ version: 2, title: '隐私政策', changes: '条款的文字有调整' })
    expect(site('check', 'agreement', 'user', '--default').told).toContain('检查通过，未改动')
  })
})

describe('the banners', () => {
  test('come with their pictures, are checked without a change, given out with them, and taken away', async () => {
    const file = bannerFile(BANNER, { ...BANNER, title: '另一张', directions: ['jg'], until: '2099-01-01 00:00' })
    expect(site('check', 'banners', file)).toEqual({
      status: 0,
      told: '首页轮播：2 张\n  1. 每天一组\n  2. 另一张\n检查通过，未改动。\n',
    })
    expect(await banners()).toEqual([])
    expect(site('banners', file).status).toBe(0)
    const [first] = await banners()
    expect(first).toMatchObject({ title: '每天一组', note: '', width: 1000, height: 400, until: null })
    expect(readdirSync(path.join(folder, 'media'))).toContain(path.basename(first?.src ?? ''))
    expect(site('show').told).toContain('2. 另一张 → /question/library，即日 至 2099-01-01 00:00，方向 jg，地区 全部')
    const outside = mkdtempSync(path.join(folder, 'out-'))
    expect(site('export', 'banners', path.join(outside, 'b.json')).told).toContain('图片 2 张在旁边')
    expect(site('banners', path.join(outside, 'b.json')).told).toContain('与现在相同，未改动')
    expect(site('banners', '--clear').status).toBe(0)
    expect(await banners()).toEqual([])
  })
  test('with one fault change nothing, and leave no picture', async () => {
    rmSync(path.join(folder, 'media'), { recursive: true, force: true })
    const file = bannerFile(BANNER, { ...BANNER, link: 'https://evil.example/' })
    expect(site('banners', file).told).toBe(
      `错误 ${file} banners[1].link：链接应是本站页面的路径，如 /question/library\n有错误，未改动。\n`,
    )
    expect(await banners()).toEqual([])
    expect(readdirSync(folder)).not.toContain('media')
  })
})

test('show says what is there in words or JSON, and --log every change with before and after', async () => {
  site('notice', '甲')
  site('notice', '乙')
  expect(site('show').told).toMatch(/^公告：乙\n页脚：\n/)
  expect(JSON.parse(site('show', '--json').told)).toMatchObject({ notice: '乙', banners: [], promise: { at: null } })
  expect(site('show', '--log').told).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d 公告\n {2}改前 甲\n {2}改后 乙\n\d{4}-\d\d-\d\d \d\d:\d\d 公告\n {2}改前 （默认）\n {2}改后 甲\n$/,
  )
  expect(JSON.parse(site('show', '--log', '--json').told)).toMatchObject([
    { what: 'notice', before: '甲', after: '乙' },
    {},
  ])
})

test('changes at the same moment follow each other: each one’s before is the after of the last', async () => {
  const texts = ['甲', '乙', '丙', '丁']
  const run = (text: string) =>
    new Promise((ended) => {
      spawn(process.execPath, ['server/bin/site.ts', 'notice', text], { env: commandEnv(server, SETTINGS) }).once(
        'close',
        ended,
      )
    })
  expect(await Promise.all(texts.map(run))).toEqual([0, 0, 0, 0])
  const changes = await log()
  expect(changes.map(({ before }) => before)).toEqual([null, ...changes.slice(0, -1).map(({ after }) => after)])
  expect(new Set(changes.map(({ after }) => after))).toEqual(new Set(texts))
  expect(await notice()).toBe(changes.at(-1)?.after)
})

test('wrong use ends with 2 and tells how', async () => {
  const wrong = [
    '',
    'burn',
    'notice',
    'notice 甲 --clear',
    'footer --phone 1 --default',
    'banners a.json --clear',
    'export notice',
    'check show',
    'notice --unknown',
    'agreement both x.html',
    'agreement user',
    'agreement user x.html --default',
    'export agreement x',
  ]
  const run = (use: string) =>
    new Promise((ended) => {
      const args = use.split(' ').filter(Boolean)
      const child = spawn(process.execPath, ['server/bin/site.ts', ...args], { env: commandEnv(server, SETTINGS) })
      let told = ''
      child.stderr.on('data', (bytes: Buffer) => void (told += bytes.toString()))
      child.once('close', (code) => ended({ use, code, helped: told.includes('用法：npm run site') }))
    })
  expect(await Promise.all(wrong.map(run))).toEqual(wrong.map((use) => ({ use, code: 2, helped: true })))
})

describe('报考方向', () => {
  const file = (categories: object[]) =>
    saved('directions.json', JSON.stringify({ format: 'lijian-directions/1', categories }))
  const now = () => server.call(contract.structural.getList, {})
  const own = [
    {
      no: 'shibing',
      name: '士兵考学',
      directions: [{ key: 'jg', name: '军官院校', about: '士兵考军校', subjects: ['math', 'chinese'] }],
    },
    { no: 'city', name: '地方', directions: [{ key: 'bj', name: '北京专项', areas: ['11'] }] },
  ]
  test('are what the file says; what was there and is not any more leaves, and the log has both', async () => {
    expect(site('check', 'directions', file(own)).told).toContain('检查通过')
    expect(site('directions', file(own))).toMatchObject({ status: 0, told: expect.stringContaining('已生效') })
    expect(await now()).toEqual([
      { name: '士兵考学', child: [{ key: 'jg', name: '军官院校', about: '士兵考军校' }] },
      { name: '地方', child: [{ key: 'bj', name: '北京专项', about: '' }] },
    ])
    expect(site('directions', file(own)).told).toContain('与现在相同')
    expect((await log()).map(({ what }) => what)).toEqual(['directions'])
    expect(site('show').told).toContain('地方：北京专项 bj')
  })
  test('go out as they come in', async () => {
    const out = path.join(folder, 'out.json')
    site('directions', file(own))
    expect(site('export', 'directions', out).status).toBe(0)
    expect(site('directions', out).told).toContain('与现在相同')
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ categories: [{ no: 'shibing' }, { no: 'city' }] })
  })
  test('that something is for stay, and that is said with what is wrong besides', async () => {
    site('directions', file(own))
    const bank = bankJson({ prefix: 'DIR', perChapter: 1 })
    await importBank(server.db, server.mediaDir, { ...bank, library: { ...bank.library, directions: ['bj'] } })
    const twice = [
      own[0],
      { no: 'shibing', name: '甲', directions: [{ key: 'jg', name: '乙', areas: ['99'], subjects: ['math', 'math'] }] },
    ]
    const { status, told } = site('directions', file(twice as object[]))
    expect(status).toBe(1)
    for (const reason of [
      '方向 bj 还有内容在用：题库 1',
      '类别编号 shibing 用了两次',
      '方向编号 jg 用了两次',
      '地区 99 不存在',
      '科目编号 math 用了两次',
    ])
      expect(told).toContain(reason)
    expect(await now()).toHaveLength(2)
    expect(site('directions', file([])).told).toContain('至少要有一个类别')
    expect(site('directions', path.join(folder, 'none.json'))).toMatchObject({ status: 1 })
  })
})
