import '#src/features/account/ExportDialog.tsx'
import '#src/features/account/exportOnline.ts'
import { onlineManager } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpPayload } from '#src/contract/study.ts'
import { exportData, type ExportKind } from '#src/features/account/exportData.ts'
import { responseText } from '#src/features/account/exportTables.ts'
import { offline } from '#src/offline/index.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { openRecord } from '#src/offline/device/rows.ts'
import { createWrite } from '#src/offline/record/write/write.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { giveAddress, giveCoupon, order, topUp, vipOf } from '#tests/support/orders.ts'
import { composite, single } from '#tests/support/questions.ts'
import type { TestServer } from '#tests/support/server.ts'
import { packageJson, publishVip, vipJson } from '#tests/support/shop.ts'
import { placeIn } from '#tests/support/states.ts'
import { json, nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const AT = Date.UTC(2026, 10, 21, 4, 30)
const place = placeIn()
const NOTE = '018f0000-0000-7000-8000-0000000000b1'
const onLesson = {
  courseNo: 'C',
  lessonNo: 'C_l1',
  ofKind: 'audio' as const,
  titles: ['力学', '第1课'] satisfies [string, string],
}

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson())
  const answer: Omit<OpPayload<'answer'>, 'questionNo'> = {
    response: { kind: 'choice', ids: ['C', 'A'] },
    spentMs: 1_500,
    from: 'library',
    version: 1,
  }
  await offline.addAll([
    { kind: 'answer', payload: { questionNo: 'S1', ...answer }, place, right: false, at: AT },
    { kind: 'answer', payload: { questionNo: 'S2', ...answer }, place, right: true, at: AT },
    { kind: 'note', payload: { questionNo: 'S2', text: '=别忘了,“公式”\n第二行', over: [] }, place, at: AT },
    { kind: 'collect', payload: { questionNo: 'C1_1', folder: '', over: [] }, place, at: AT },
    { kind: 'setting', payload: { name: 'dayGoal', value: 77 }, at: AT },
    { kind: 'lessonNote', payload: { noteNo: NOTE.replace('1', '2'), ...onLesson, second: 9, text: '' }, at: AT },
    { kind: 'lessonNote', payload: { noteNo: NOTE, ...onLesson, second: 3_661, text: '-先受力分析' }, at: AT },
  ])
  const located = { chapterNo: 'L_c1', libraryNo: 'L', retired: false }
  const material = { ...composite('C1'), stem: '<p>阅读材料</p>' }
  await keepQuestions(
    offline.owner,
    [{ ...single('S1'), stem: '<p>力的单位是？</p>' }, material].map((question) => ({ question, ...located })),
  )
})

const told: number[] = []
const work = (signal = new AbortController().signal) => {
  told.length = 0
  return { libraries: [], signal, tell: (part: number) => void told.push(part) }
}
/** With the sign of its encoding, which reading as text would take away. */
const textOf = async (file: Blob): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer())
const made = async (kind: ExportKind) => {
  const { file, missing } = await exportData(kind, work())
  return { name: file?.name ?? '', text: file ? await textOf(file) : '', missing }
}
const HEAD = '\uFEFF题库与章节,题型,题干,'
const LAST = '作答次数,答错次数,最近结果,最近答案,最近作答时间'

describe('a table', () => {
  test.each<[ExportKind, RegExp, string]>([
    [
      'book',
      /^错题-\d{4}-\d\d-\d\d\.csv$/,
      `${HEAD}${LAST},状态,错因,进入错题本时间\r\n编号 L_c1,单选题,力的单位是？,1,1,错,AC,2026-11-21 12:30,未掌握,,2026-11-21 12:30\r\n`,
    ],
    ['collected', /^收藏-.*\.csv$/, `${HEAD}收藏时间\r\n编号 L_c1,单选题,阅读材料 C1_1 的题干,2026-11-21 12:30\r\n`],
    ['noted', /^笔记-.*\.csv$/, `${HEAD}笔记,时间\r\n编号 L_c1,单选题,,"'=别忘了,“公式”\n第二行",2026-11-21 12:30\r\n`],
    [
      'lessonNotes',
      /^课时笔记-.*\.csv$/,
      "\uFEFF课程,课时,时间点,笔记,时间\r\n力学,第1课,1:01:01,'-先受力分析,2026-11-21 12:30\r\n",
    ],
    [
      'answers',
      /^作答-.*\.csv$/,
      `${HEAD}${LAST},用时（秒）\r\n编号 L_c1,单选题,力的单位是？,1,1,错,AC,2026-11-21 12:30,2\r\n编号 L_c1,单选题,,1,0,对,AC,2026-11-21 12:30,2\r\n`,
    ],
  ])('of %s', async (kind, name, text) => {
    const table = await made(kind)
    expect(table.name).toMatch(name)
    expect(table.text).toBe(text)
  })

  test.each([
    ['no answer', null, 'single', ''],
    ['options in order', { kind: 'choice', ids: ['D', 'B'] }, 'multiple', 'BD'],
    ['an order', { kind: 'order', ids: ['C', 'A', 'B'] }, 'order', 'C→A→B'],
    ['a judgement', { kind: 'choice', ids: ['B'] }, 'judge', '错'],
    ['blanks', { kind: 'blank', texts: ['1927', '南昌'] }, 'blank', '1927；南昌'],
    ['an essay', { kind: 'essay', text: '答', ticked: [] }, 'essay', '答'],
  ] as const)('says %s as a student would write it', (_, response, type, text) => {
    const given = response && 'ids' in response ? { ...response, ids: [...response.ids] } : null
    const other = response && 'texts' in response ? { kind: response.kind, texts: [...response.texts] } : null
    const essay = response && 'text' in response ? { ...response, ticked: [] } : null
    expect(responseText(given ?? other ?? essay, type)).toBe(text)
  })
})

describe('the whole file', () => {
  test('is JSON of all that this device knows, waiting or not, and of nobody else', async () => {
    const db = openRecord()
    const written = { ctx: { sg_key: 'jg', area: '0', key: 'jg' }, at: AT }
    await createWrite(db).all('u:other', [{ kind: 'setting', payload: { name: 'dayGoal', value: 5 } }], written)
    db.close()
    const { name, text } = await made('all')
    expect(name).toMatch(/^我的数据-\d{4}-\d\d-\d\d\.json$/)
    const data = JSON.parse(text)
    expect(data).toMatchObject({
      format: 'lijian-data/1',
      questions: [
        { questionNo: 'C1_1', collected: [{ folder: '' }] },
        { questionNo: 'S1', times: 1, wrong: 1 },
        { questionNo: 'S2', notes: [{ text: '=别忘了,“公式”\n第二行' }] },
      ],
      days: [{ answered: 2, right: 1 }],
      settings: [{ id: 'dayGoal', value: 77 }],
    })
    expect(Object.keys(data).slice(3)).toEqual([
      'questions',
      'days',
      'folders',
      'settings',
      'attempts',
      'examAttempts',
      'lessons',
      'lessonNotes',
      'reports',
      'corrections',
      'orderNews',
      'missing',
    ])
  })
})

test('without a network a student makes a table and saves it', async () => {
  prepareDevice(await stage.server.student())
  const files: Blob[] = []
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${files.push(file)}`, revokeObjectURL: () => {} }),
  )
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await stage.open('/user/my_userinfo')
  stage.wire.fault = nobody
  await userEvent.click(screen.getByRole('button', { name: '导出我的数据' }))
  const dialog = within(await screen.findByRole('dialog', { name: '导出我的数据' }))
  await userEvent.click(dialog.getByRole('radio', { name: /^笔记/ }))
  await userEvent.click(dialog.getByRole('button', { name: '生成文件' }))
  await expect.poll(() => dialog.getByRole('status').textContent).toMatch(/^文件已生成：笔记-.*\.csv（/)
  // Without a tap of its own a phone would not open it.
  expect(files).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: '保存文件' }))
  expect(click).toHaveBeenCalledOnce()
  expect(await textOf(files[0] ?? new Blob())).toContain('=别忘了')
})

describe('what only the server has', () => {
  let student: Awaited<ReturnType<TestServer['student']>>
  beforeAll(async () => {
    await publishVip(stage.server, vipJson(packageJson('V', { title: '=月月会员' })))
  })
  beforeEach(async () => {
    stage.server.clock.now = AT
    student = await stage.server.student()
    prepareDevice(student)
    await topUp(stage.server, student, 5000)
    await giveCoupon(stage.server, student)
    await giveCoupon(stage.server, student, { no: 'C_old', title: '旧券', until_at: AT - 1 })
    await giveAddress(stage.server, student)
  })
  const buyOne = () =>
    order(stage.server, student, { products: [vipOf('V', 'V_month', 2)], wallet: true, coupon: '' }).then(
      ({ id }) => id,
    )

  test('is in the whole file, with sums in yuan and states in words', async () => {
    const id = await buyOne()
    const endpoint = 'https://fcm.googleapis.com/fcm/send/secret'
    const keys = { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) }
    await stage.server.call(contract.reminder.subscribe, { endpoint, ...keys }, student.token)
    const { text, missing } = await made('all')
    // Whoever has the address and the keys could send messages there.
    expect(text).not.toMatch(/send.secret|pppp|aaaa/)
    expect(missing).toEqual([])
    const time = new Date(AT).toISOString()
    const sums = { goods: '39.80', freight: '0.00', discount: '0.00', wallet: '39.80', due: '0.00', total: '39.80' }
    expect(JSON.parse(text)).toMatchObject({
      orders: [
        { id, state: '已完成', createdAt: time, ...sums, lines: [{ title: '=月月会员', price: '19.90', quantity: 2 }] },
      ],
      walletRecords: [
        { kind: '订单支付', goods: '=月月会员 等2件', amount: '-39.80', balance: '10.20', order: id, at: time },
        { kind: '充值', goods: null, amount: '50.00', balance: '50.00', order: null },
      ],
      coupons: [
        { title: '新人立减', state: '可用', off: { yuan: '10.00' } },
        { title: '旧券', state: '过期' },
      ],
      addresses: [{ name: '王小兵', region: '湖南省长沙市开福区', isDefault: true }],
      remindedDevices: [{ service: 'fcm.googleapis.com', since: time }],
      consents: [
        { name: '推送提醒', version: null, given: true, at: time },
        { name: '隐私政策', version: 1, given: true },
        { name: '用户协议', version: 1, given: true },
      ],
      missing: [],
    })
  })

  test('is a table each, which a spreadsheet neither runs nor rounds', async () => {
    const id = await buyOne()
    const moment = '2026-11-21 12:30'
    expect((await made('orders')).text).toBe(
      '\uFEFF订单编号,状态,下单时间,商品,商品金额（元）,运费（元）,优惠（元）,钱包部分（元）,其余部分（元）,合计（元）\r\n' +
        `\t${id},已完成,${moment},'=月月会员 月卡 × 2,39.80,0.00,0.00,39.80,0.00,39.80\r\n`,
    )
    expect((await made('walletRecords')).text).toBe(
      '\uFEFF时间,类型,商品,金额（元）,余额（元）,订单编号\r\n' +
        `${moment},订单支付,'=月月会员 等2件,-39.80,10.20,\t${id}\r\n${moment},充值,,50.00,50.00,\r\n`,
    )
    expect((await made('coupons')).text).toMatch(/^.*\r\n新人立减,可用,10\.00 元,0\.00,.*\r\n旧券,过期,/)
    const addresses = await made('addresses')
    expect(addresses.name).toMatch(/^收货地址-.*\.csv$/)
    expect(addresses.text).toContain('\r\n王小兵,13800001111,湖南省长沙市开福区,德雅路109号,是\r\n')
  })

  test('comes to its end, however many pages it is', async () => {
    for (let i = 0; i < 25; i++) {
      stage.server.clock.now++
      await topUp(stage.server, student, 100)
    }
    expect(JSON.parse((await made('all')).text).walletRecords).toHaveLength(26)
    const counts: string[] = []
    await exportData('walletRecords', { ...work(), tell: (_, asked = '') => void counts.push(asked) })
    expect(counts).toEqual(['钱包记录', '钱包记录 20 条', '钱包记录 26 条'])
  })

  test('that it does not give is named in the file with the reason, and the rest is there', async () => {
    await buyOne()
    stage.wire.fault = ({ path }) => (path === '/pcapi/coupon/mine' ? json({}, 500) : null)
    const { text, missing } = await made('all')
    expect(missing).toEqual([{ part: '优惠券', why: '服务器开小差了，稍后再试试!' }])
    const data = JSON.parse(text)
    expect(data).toMatchObject({ missing, orders: [{}], addresses: [{}], questions: [{}, {}, {}] })
    expect(data).not.toHaveProperty('coupons')
    stage.wire.fault = nobody
    expect((await made('all')).missing).toEqual(
      ['订单', '钱包记录', '优惠券', '收货地址', '推送提醒的设备', '同意记录'].map((part) => ({
        part,
        why: '没有网络',
      })),
    )
  })

  test('is left out without a network, as the dialog says, and comes at the second try', async () => {
    await stage.open('/user/my_userinfo')
    stage.wire.fault = nobody
    onlineManager.setOnline(false)
    await userEvent.click(screen.getByRole('button', { name: '导出我的数据' }))
    const dialog = within(await screen.findByRole('dialog', { name: '导出我的数据' }))
    dialog.getByText(/^订单、钱包记录、优惠券、收货地址、推送提醒的设备、同意记录：现在没有网络，这次不包含/)
    await userEvent.click(dialog.getByRole('button', { name: '生成文件' }))
    expect((await dialog.findByRole('alert')).textContent).toBe(
      '没有导出：订单、钱包记录、优惠券、收货地址、推送提醒的设备、同意记录（没有网络）',
    )
    dialog.getByText(/^文件已生成/)
    stage.wire.fault = null
    onlineManager.setOnline(true)
    await userEvent.click(dialog.getByRole('button', { name: '重试' }))
    await expect.poll(() => dialog.queryByText(/^文件已生成/)).not.toBeNull()
    expect(dialog.queryByRole('alert')).toBeNull()
  })
})

test('a table waits for the names of chapters, and has numbers where nobody knows them', async () => {
  prepareDevice(await stage.server.student())
  const files: Blob[] = []
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${files.push(file)}`, revokeObjectURL: () => {} }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const { promise, resolve } = Promise.withResolvers<null>()
  stage.wire.fault = ({ path }) => (path.endsWith('/libraryList') ? promise : null)
  await stage.open('/user/my_userinfo')
  await userEvent.click(screen.getByRole('button', { name: '导出我的数据' }))
  const dialog = within(await screen.findByRole('dialog', { name: '导出我的数据' }))
  await userEvent.click(dialog.getByRole('radio', { name: /^笔记/ }))
  await userEvent.click(dialog.getByRole('button', { name: '生成文件' }))
  resolve(null)
  await userEvent.click(await dialog.findByRole('button', { name: '保存文件' }))
  expect(await textOf(files[0] ?? new Blob())).toMatch(/^.*\r\n[^,]+ · [^,]+,单选题/)
})

describe('a long record', () => {
  beforeAll(async () => {
    const db = openRecord()
    await db.run(['states'], 'readwrite', async (tx) => {
      const states = tx.objectStore('states')
      const [row] = await new Promise<object[]>((resolve) => {
        const request = states.getAll()
        request.onsuccess = () => resolve(request.result)
      })
      for (let i = 0; i < 1_300; i++) states.put({ ...row, owner: offline.owner, questionNo: `X${1000 + i}` })
    })
    db.close()
  })

  test('is read page by page, each question once, and tells how far it is', async () => {
    const data = JSON.parse((await made('all')).text)
    expect(data.questions).toHaveLength(1_303)
    const local = told.filter((part, i) => part !== told[i - 1]).slice(0, 3)
    expect(local.map((part) => Math.round(part * 7 * 1303))).toEqual([500, 1000, 1303])
  })

  test('is given up between two pages', async () => {
    const stop = new AbortController()
    const tell = (part: number) => {
      told.push(part)
      stop.abort()
    }
    const given = { ...work(stop.signal), tell }
    await expect(exportData('answers', given)).rejects.toThrow(/abort/i)
    expect(told).toHaveLength(1)
  })
})
