import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { givePublished, takePublished } from '#server/bin/publishCommands.ts'
import { judgeBooks, readBooks } from '#server/content/publish/bookFile.ts'
import { publishedIn } from '#server/content/publish/paperFile.ts'
import { checkVip } from '#server/content/publish/vipFile.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import {
  bookJson,
  booksJson,
  packageJson,
  publishBooks,
  publishVip,
  sell,
  shopFile,
  variantJson,
  vipJson,
} from '#tests/support/shop.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ prefix: 'Q', chapters: 1, perChapter: 4 }))
  await publish(server.db, setJson({ no: 'SET', papers: [[['Q_q1']]] }))
  await publishVip(server, vipJson(packageJson('V')))
  await publishBooks(server, booksJson(bookJson('FIRST', 10)))
})
afterAll(() => server.close())

const bookFaults = async (json: unknown) =>
  (await judgeBooks(server.db, readBooks(shopFile, json))).findings.map(({ at, reason }) => `${at}：${reason}`)
const vipFaults = async (json: unknown) =>
  (await checkVip(server.db, 'vip.json', json)).findings.map(({ at, reason }) => `${at}：${reason}`)
const variant = (over: object = {}) => [variantJson('X_1', over)]
const stockOf = async (no: string) => (await server.call(contract.store.detail, { no })).stock
const receipts = (...all: [receipt: string, count: number][]) => all.map(([receipt, count]) => ({ receipt, count }))
/** FIRST with these receipts and no others. */
const first = (...all: [receipt: string, count: number][]) =>
  booksJson(
    bookJson('FIRST', 0, {
      variants: [variantJson('FIRST_1', { stock: receipts(...all) })],
    }),
  )

describe('a file of books says what is wrong with it, and where', () => {
  test.each<[string, unknown, string[]]>([
    [
      'another format',
      { ...booksJson(bookJson('X', 0)), format: 'lijian-books/9' },
      ['format：format 应为 "lijian-books/1"'],
    ],
    [
      'no price, no weight',
      booksJson(bookJson('X', 0, { variants: variant({ price: 0, weight: 0 }) })),
      ['books[0].variants[0].price：价格至少 1 分', 'books[0].variants[0].weight：重量至少 1 克'],
    ],
    [
      'a price in yuan',
      booksJson(bookJson('X', 0, { variants: variant({ price: 39.8 }) })),
      ['books[0].variants[0].price：价格的单位是分，应为整数'],
    ],
    ['nothing to sell', booksJson(bookJson('X', 0, { variants: [] })), ['books[0].variants：至少要有一个规格']],
    [
      'a stock that every import would put back',
      booksJson(bookJson('X', 0, { variants: variant({ stock: 50 }) })),
      [
        'books[0].variants[0].stock：stock 应为入库单的数组，如 [{ "receipt": "20261122-1", "count": 200 }]：库存不能直接写成数字',
      ],
    ],
    [
      'a number twice',
      booksJson(bookJson('X', 0, { variants: [...variant(), ...variant({ no: 'X' })] })),
      ['books[0].variants[1].no：编号 X 与 books[0].no 重复'],
    ],
    [
      'numbers of other things',
      booksJson(bookJson('SET_1', 0, { variants: variant({ no: 'V_month' }) })),
      ['books[0].no：编号 SET_1 已被套卷使用', 'books[0].variants[0].no：编号 V_month 已被会员时长使用'],
    ],
    [
      'another book’s variant',
      booksJson(bookJson('X', 0, { variants: variant({ no: 'FIRST_1' }) })),
      ['books[0].variants[0].no：规格编号 FIRST_1 已被图书 FIRST 使用'],
    ],
    [
      'a picture that is not there',
      booksJson(bookJson('X', 0, { pictures: [{ name: '封面', src: '../x.svg' }] })),
      ['books[0].pictures[0]：图片不可用：../x.svg'],
    ],
    [
      'a picture elsewhere that was not copied',
      booksJson(bookJson('X', 0, { pictures: [{ name: '封面', src: 'https://a.cn/x.png' }] })),
      ['books[0].pictures[0]：图片不可用：https://a.cn/x.png'],
    ],
    [
      'a code for nothing',
      booksJson(bookJson('X', 0, { variants: variant({ gives: 'V' }) })),
      ['books[0].variants[0].gives：会员时长 V 不存在，请先导入会员文件'],
    ],
    [
      'a receipt twice',
      booksJson(bookJson('X', 0, { variants: variant({ stock: receipts(['A', 1], ['A', 1]) }) })),
      ['books[0].variants[0].stock[1]：入库单 A 写了两次'],
    ],
  ])('%s', async (_, json, faults) => expect(await bookFaults(json)).toEqual(faults))

  test('script in an introduction is taken out', async () => {
    const intro = '<p onclick="x()">好书</p><script>alert(1)</script>'
    await publishBooks(server, booksJson(bookJson('CLEAN', 0, { intro })))
    expect((await server.call(contract.store.detail, { no: 'CLEAN' })).intro).toBe('<p>好书</p>')
  })
})

describe('stock', () => {
  test('comes by receipts that count once: the same file again brings nothing back that was sold', async () => {
    expect(await stockOf('FIRST')).toBe(10)
    await sell(server, 'FIRST_1', 7)
    expect(await publishBooks(server, booksJson(bookJson('FIRST', 10)))).toEqual({ added: 0, changed: 0, copies: 0 })
    expect(await stockOf('FIRST')).toBe(3)
    expect((await publishBooks(server, first(['R1', 10], ['R2', 20]))).copies).toBe(20)
    expect((await publishBooks(server, first(['R2', 20]))).copies).toBe(0)
    expect((await publishBooks(server, first())).copies).toBe(0)
    expect(await stockOf('FIRST')).toBe(23)
  })

  test('stays when the book itself changes, and when a variant that was left out comes back', async () => {
    const json = bookJson('BACK', 5)
    await publishBooks(server, booksJson(json))
    const other = { no: 'BACK_2', name: '线圈装', price: 100, weight: 10 }
    expect(await publishBooks(server, booksJson({ ...json, variants: [other] }))).toMatchObject({ changed: 1 })
    expect(await stockOf('BACK')).toBe(0)
    expect(await publishBooks(server, booksJson({ ...json, title: '新版' }))).toEqual({
      added: 0,
      changed: 1,
      copies: 0,
    })
    expect(await server.call(contract.store.detail, { no: 'BACK' })).toMatchObject({ title: '新版', stock: 5 })
  })

  test('never goes below nothing, and a receipt that was counted is not changed', async () => {
    await publishBooks(server, booksJson(bookJson('FEW', 5)))
    await sell(server, 'FEW_1', 3)
    const few = (...all: [string, number][]) =>
      booksJson(bookJson('FEW', 0, { variants: [variantJson('FEW_1', { stock: receipts(...all) })] }))
    expect(await bookFaults(few(['LOST', -3]))).toEqual(['books[0].variants[0].stock：出库比库存多 1 册：现有 2 册'])
    expect(await bookFaults(few(['R1', 50]))).toEqual([
      'books[0].variants[0].stock[0]：入库单 R1 已按 5 册入账，不能改成 50 册；差额请另写一单',
    ])
    expect((await publishBooks(server, few(['LOST', -2]))).copies).toBe(-2)
    expect(await stockOf('FEW')).toBe(0)
    await expect(sell(server, 'FEW_1', 1)).rejects.toThrow(/check constraint/)
  })

  test('two imports of one receipt at the same moment count it once', async () => {
    await publishBooks(server, booksJson(bookJson('RACE', 0)))
    const written = await Promise.all([1, 2, 3].map(() => publishBooks(server, booksJson(bookJson('RACE', 8)))))
    expect(written.map(({ copies }) => copies).sort((a, b) => a - b)).toEqual([0, 0, 8])
    expect(await stockOf('RACE')).toBe(8)
  })
})

describe('a file of VIP packages says what is wrong with it, and where', () => {
  const month = { no: 'X_1', name: '月卡', days: 30, price: 100 }
  test.each<[string, unknown, string[]]>([
    ['no duration', vipJson(packageJson('X', { durations: [] })), ['packages[0].durations：至少要有一种时长']],
    [
      'a duration of nothing',
      { format: 'lijian-vip/1', packages: [{ ...packageJson('X'), durations: [{ ...month, days: 0 }] }] },
      ['packages[0].durations[0].days：days 应为天数（1 到 3660 的整数）或 "exam"（到考试当天）'],
    ],
    [
      'another package’s duration',
      vipJson(packageJson('X', { durations: [{ ...month, no: 'V_month' }] })),
      ['packages[0].durations[0].no：时长编号 V_month 已被功能包 V 使用'],
    ],
    [
      'a line that is not in the table',
      vipJson(packageJson('X', { features: { F_more: true } })),
      ['packages[0].features.F_more：对比项 F_more 不存在，请写在 features 里'],
    ],
    [
      'a word that no column holds',
      vipJson(packageJson('X', { features: { F_set: '每个月可以做两套整卷' } })),
      ['packages[0].features.F_set：对比表里的说明最多8字'],
    ],
    [
      'something that is not there to open',
      vipJson(packageJson('X', { unlocks: [{ kind: 'exam', no: 'SET' }] })),
      ['packages[0].unlocks[0]：编号 SET 不存在，或不是这一类'],
    ],
    ['a book’s number', vipJson(packageJson('FIRST')), ['packages[0].no：编号 FIRST 已被图书使用']],
  ])('%s', async (_, json, faults) => expect(await vipFaults(json)).toEqual(faults))

  test('a table that is not in the file stays; one that is takes its place', async () => {
    const { features: _, ...rest } = vipJson(packageJson('LINES', { unlocks: [{ kind: 'set', no: 'SET' }] }))
    await publishVip(server, rest)
    const lines = async () => (await server.call(contract.vip.list, {})).free.map(({ name }) => name)
    expect(await lines()).toEqual(['章节练习', 'VIP 题集'])
    await publishVip(server, { format: 'lijian-vip/1', features: [{ no: 'F_set', name: '题集' }] })
    expect(await lines()).toEqual(['题集'])
    await publishVip(server, vipJson())
    expect((await server.call(contract.vip.detail, { no: 'LINES' })).unlocks).toEqual([
      { kind: 'set', no: 'SET', title: 'SET 仿真卷', count: null },
    ])
  })
})

describe('by the operator’s command', () => {
  const saved = async (name: string, json: unknown) => {
    const file = path.join(path.dirname(shopFile), name)
    writeFileSync(file, JSON.stringify(json))
    const kind = await publishedIn(file)
    if (!kind) throw new Error(`${name} is of no kind`)
    return { file, kind }
  }
  const take = (command: string, files: Awaited<ReturnType<typeof saved>>[]) =>
    takePublished(server.db, command, files, false, server.mediaDir)

  test('all or none: one fault in a file of books keeps the packages of another out, too', async () => {
    const packages = await saved('vip.json', vipJson(packageJson('CMDV')))
    const faulty = await saved('faulty.json', booksJson(bookJson('CMD', 3), bookJson('CMD', 3)))
    const { code, lines } = await take('import', [packages, faulty])
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(/faulty\.json：图书，共 2 种，错误 2[\s\S]*未发布任何内容/)
    expect(await server.ask(contract.vip.detail, { no: 'CMDV' })).toMatchObject({ status: 0 })
    expect(await server.ask(contract.store.detail, { no: 'CMD' })).toMatchObject({ status: 0 })
  })

  test('a variant is one book’s and a duration one package’s: no two files of an import share one', async () => {
    const shared = { variants: [variantJson('SHARED')] }
    const books = [
      await saved('one.json', booksJson(bookJson('ONE', 0, shared))),
      await saved('two.json', booksJson(bookJson('TWO', 0, shared))),
    ]
    expect((await take('import', books)).lines.join('\n')).toMatch(
      /图书规格编号 SHARED 在 .*one\.json 与 .*two\.json 里都有/,
    )
    const month = { durations: [{ no: 'SHARED_month', name: '月卡', days: 30, price: 100 }] }
    const packages = [
      await saved('vip1.json', vipJson(packageJson('VIP1', month))),
      await saved('vip2.json', vipJson(packageJson('VIP2', month))),
    ]
    expect((await take('import', packages)).lines.join('\n')).toMatch(/会员时长编号 SHARED_month 在 .*里都有/)
    for (const no of ['ONE', 'TWO'])
      expect(await server.ask(contract.store.detail, { no })).toMatchObject({ status: 0 })
  })

  test('a check changes nothing; an import can be repeated; what comes out goes in again as it was', async () => {
    const good = [
      await saved('vip.json', vipJson(packageJson('CMDV'))),
      await saved('books.json', booksJson(bookJson('CMD', 3))),
    ]
    expect((await take('check', good)).code).toBe(0)
    expect(await server.ask(contract.store.detail, { no: 'CMD' })).toMatchObject({ status: 0 })
    const done = (await take('import', good)).lines.join('\n')
    expect(done).toMatch(/vip\.json：新增 1 个，更新 0/)
    expect(done).toMatch(/books\.json：新增 1 种，更新 0，库存增加 3 册/)
    expect((await take('import', good)).lines.join('\n')).toMatch(
      /新增 0 个，更新 0[\s\S]*新增 0 种，更新 0，库存增加 0 册/,
    )
    for (const no of ['CMD', 'CMDV', 'books', 'vip']) {
      const out = await givePublished(server.db, no, undefined, server.mediaDir)
      const again = await saved(`out_${no}.json`, JSON.parse(out.lines.join('')))
      const { code, lines } = await take('import', [again])
      expect([code, lines.join('\n')]).toEqual([0, expect.stringMatching(/错误 0，提醒 0[\s\S]*新增 0 .，更新 0/)])
    }
  })

  test('a book is withdrawn and comes back, in the place that it had', async () => {
    const order = async () => (await server.call(contract.store.list, {})).map(({ no }) => no)
    const before = await order()
    await take('import', [await saved('off.json', booksJson(bookJson('CMD', 3, { withdrawn: true })))])
    expect(await order()).toEqual(before.filter((no) => no !== 'CMD'))
    await take('import', [await saved('on.json', booksJson(bookJson('CMD', 3)))])
    expect(await order()).toEqual(before)
    expect(await stockOf('CMD')).toBe(3)
  })
})
