import { beginning, onDisk } from '#tests/support/drafts.ts'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SittingRecord } from '#src/contract/sitting.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { tap } from '#tests/support/tap.ts'
import { publishTesting, testingJson } from '#tests/support/testings.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

const MINUTE = 60_000
const guide = (name: string) => [
  { from: 0, advice: `${name}从头学`, start: [{ chapter: 'L_c1' }] },
  { from: 60, advice: `${name}往下学`, start: [{ chapter: 'L_c2' }] },
]

let server: TestServer
let wire: Wire
let app: { close: () => void; path: () => string } | null = null
let student: Awaited<ReturnType<TestServer['student']>>
let testings = 0
let no = ''
beforeAll(async () => {
  server = await startServer()
  // A login lasts 30 days, and the tests go by today's clock.
  server.clock.now = Date.now()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 2, perChapter: 30 }))
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  await import('#src/offline/index.ts')
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = Date.now()
  wire = connect(server)
  no = `M${++testings}`
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
})

const engine = async () => (await import('#src/offline/index.ts')).offline
const open = async (path: string) => {
  app?.close()
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(path)
}
const detail = () => open(`/testing/testing_detail/${no}/0`)
const at = (n: number) => screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共4题`) })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const choose = async (letter: string) =>
  userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${letter}．`) }))

/** Two sections of two questions, each with its advice; from the detail page to the first question. */
async function begin(mode: '交卷后看' | '即时反馈', minutes = 0): Promise<string> {
  const plain = testingJson({
    no,
    paper: [
      ['L_q1', 'L_q2'],
      ['L_q31', 'L_q32'],
    ],
  })
  const sections = plain.sections.map((section, i) => ({ ...section, guide: guide(`第${i + 1}部分`) }))
  await publishTesting(server.db, { ...plain, kind: 'entrance', minutes, guide: guide('全卷'), sections })
  await detail()
  await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${mode}`) }))
  await tap('开始测评')
  await at(1)
  return window.location.pathname
}
/** Answers the question on the screen. */
async function answer(letter: string, then?: number): Promise<void> {
  await choose(letter)
  if (!then) return
  await tap('下一题')
  await at(then)
}
async function handIn(): Promise<void> {
  const [first] = await screen.findAllByRole('button', { name: '交卷' })
  await userEvent.click(first ?? document.body)
  await tap('确定交卷')
  await heading('成绩报告')
}
const mine = async (): Promise<[string, SittingRecord][]> =>
  [...(await (await engine()).things('attempt'))].filter(([, { paper }]) => paper.no === no)
/** The network is back, and everything has gone up. */
async function sent(): Promise<void> {
  wire.fault = null
  const offline = await engine()
  const stop = offline.start()
  await offline.syncNow()
  await expect.poll(async () => (await offline.waiting()).length).toBe(0)
  stop()
}

describe('a testing', () => {
  test('stands among the papers, and says what it is before it is begun', async () => {
    await begin('交卷后看')
    await open('/question_set/question_set_list')
    const card = await screen.findByRole('button', { name: new RegExp(`${no} 测验`) })
    expect(card.textContent).toMatch(/入学测评.*免费.*4 题.*不限时/)
    await tap('测评')
    await tap(new RegExp(`${no} 测验`))
    await heading(`${no} 测验`)
    expect(screen.getByText('满分 6 分')).toBeTruthy()
    expect(screen.getByText('不限时')).toBeTruthy()
    expect(screen.queryByText('多选题少选得一半，错选不得分'), 'a paper without multiple choice').toBeNull()
    expect(screen.queryByRole('radio', { name: /^背题/ }), 'no way to be tested').toBeNull()
    await tap('全部测评')
    await heading('题集')
  })

  test('is left and gone on with, handed in, and says by section where to start; again is a new sitting', async () => {
    const address = await begin('交卷后看')
    await answer('B', 2)
    await open(address)
    await at(2)
    await detail()
    await screen.findByText('上次没做完：已答 1/4 题')
    await tap('继续')
    await at(2)
    await answer('B', 3)
    await answer('A', 4)
    await handIn()
    expect(app?.path()).toMatch(/^\/testing\/testing_analysis\//)
    expect(screen.getByLabelText('得分 3，满分 6')).toBeTruthy()
    const advice = screen.getByRole('region', { name: '学习建议' })
    expect(advice.textContent).toMatch(/全卷从头学.*第1部分3\/3 分第1部分往下学.*第2部分0\/3 分第2部分从头学/)
    const ways = within(advice).getAllByRole('link')
    expect(ways.map((way) => way.getAttribute('href'))).toEqual(
      ['L_c1/20/第1章', 'L_c2/20/第2章', 'L_c1/20/第1章'].map((to) => encodeURI(`/question/library_study/${to}`)),
    )
    expect(within(screen.getByRole('row', { name: /^第2部分/ })).getByText('0/2')).toBeTruthy()

    await tap('回看 2 道错题')
    expect(await screen.findByRole('heading', { level: 1, name: /^第1题，共2题/ })).toBeTruthy()
    await open(app?.path() ?? '')
    await tap('查看全部解析')
    await at(1)
    expect(await screen.findByText('逐一相加即可。')).toBeTruthy()

    await open(address)
    await heading('成绩报告')
    await tap('返回测评')
    const result = await screen.findByRole('region', { name: '我的结果' })
    expect(result.textContent).toMatch(/3\/6 分.*答对 2\/4 题.*全卷从头学.*第1部分往下学.*第2部分从头学/)
    await tap('再测一次')
    await at(1)
    expect(window.location.pathname).not.toBe(address)
    expect(await mine()).toHaveLength(1)
  })

  test('marks at once in 即时反馈, and its misses are in the error book in the same second', async () => {
    await begin('即时反馈')
    expect(screen.queryByRole('button', { name: '背题' })).toBeNull()
    await answer('A')
    await screen.findAllByText('回答错误')
    const states = await (await engine()).states(['L_q1'])
    expect(states.get('L_q1')?.book?.from).toBe('testing')
    for (const n of [2, 3, 4]) {
      await tap('下一题')
      await at(n)
      await choose('B')
    }
    await screen.findAllByText('回答正确')
    await tap('查看结果')
    await heading('成绩报告')
    expect(screen.getByLabelText('得分 4.5，满分 6')).toBeTruthy()
  })

  test('goes from start to report without a network, and the server comes to the same score', async () => {
    await begin('交卷后看')
    wire.fault = nobody
    await answer('B', 2)
    await answer('A')
    await handIn()
    expect(screen.getByLabelText('得分 1.5，满分 6')).toBeTruthy()
    const id = (await mine())[0]?.[0]
    await sent()
    const { rows } = await sql<{ score: number; of: string }>`
      select (body ->> 'score')::int as score, body -> 'paper' ->> 'of' as of from study_record
      where uid = ${student.uid} and kind = 'attempt' and id = ${id}`.execute(server.db)
    expect(rows).toEqual([{ score: 150, of: 'testing' }])
    expect((await mine()).map(([, { score }]) => score)).toEqual([150])
  })
})

test('a result whose paper was published anew says what the whole means, and nothing of sections that are not its own', async () => {
  await begin('交卷后看')
  await answer('B')
  await handIn()
  await publishTesting(server.db, {
    ...testingJson({ no, paper: [['L_q3'], ['L_q4', 'L_q5']] }),
    guide: guide('新卷'),
    sections: testingJson({ no, paper: [['L_q3'], ['L_q4', 'L_q5']] }).sections.map((section) => ({
      ...section,
      guide: guide('新部分'),
    })),
  })
  await detail()
  const result = await screen.findByRole('region', { name: '我的结果' })
  expect(result.textContent).toContain('1.5/6 分')
  expect(result.textContent).toContain('新卷从头学')
  expect(result.textContent).not.toContain('新部分')
})

test('a hand-in that was refused says why, and is handed in again from the analysis', async () => {
  await begin('交卷后看')
  await answer('B')
  wire.fault = ({ path }) => (path.endsWith('study/sync') ? Promise.reject(new TypeError('Failed to fetch')) : null)
  await handIn()
  const papers = await server.db
    .selectFrom('testing_paper')
    .select(['testing_no', 'rev', 'partial', 'body'])
    .where('testing_no', '=', no)
    .execute()
  await server.db.deleteFrom('testing_paper').where('testing_no', '=', no).execute()
  await sent()
  expect(await screen.findByText(/这次交卷没有成功：试卷不存在或已下架/)).toBeTruthy()
  await server.db.insertInto('testing_paper').values(papers).execute()
  await tap('再次交卷')
  await expect.poll(async () => (await mine()).length).toBe(1)
  await sent()
  const { rows } = await sql<{ score: number }>`
    select (body ->> 'score')::int as score from study_record
    where uid = ${student.uid} and kind = 'attempt' and body -> 'paper' ->> 'no' = ${no}`.execute(server.db)
  expect(rows).toEqual([{ score: 150 }])
  expect(await (await engine()).dead()).toEqual([])
})

describe('a timed testing', () => {
  test('shows its time, and hands itself in at zero with what was answered, also after a kill', async () => {
    const address = await begin('交卷后看', 15)
    expect(screen.getByRole('timer').textContent).toMatch(/^(15:00|14:\d\d)$/)
    await answer('B', 2)
    app?.close()
    const offline = await engine()
    const [pointer] = (await offline.drafts(beginning('paper'))).filter(({ key }) => key === `paper:${no}:exam`)
    const value = pointer?.value as { startedAt: number }
    await offline.saveDraft({
      key: onDisk(`paper:${no}:exam`),
      value: { ...value, startedAt: value.startedAt - 16 * MINUTE },
    })
    await open(address)
    await heading('成绩报告')
    expect(screen.getByLabelText('得分 1.5，满分 6')).toBeTruthy()
    expect(await mine()).toHaveLength(1)
  })

  test('stops while it is left in 即时反馈', async () => {
    const address = await begin('即时反馈', 15)
    const offline = await engine()
    app?.close()
    const [pointer] = (await offline.drafts(beginning('paper'))).filter(({ key }) => key === `paper:${no}:practice`)
    const value = pointer?.value as { startedAt: number }
    await offline.saveDraft({
      key: onDisk(`paper:${no}:practice`),
      value: { ...value, startedAt: value.startedAt - 60 * MINUTE },
    })
    await open(address)
    await at(1)
    expect(screen.getByRole('timer').textContent).toMatch(/^(15:00|14:\d\d)$/)
  })
})

describe('an address', () => {
  test('of a way that there is not is none of ours', async () => {
    await begin('交卷后看')
    await open(`/testing/testing_study_page/${no}/0/recite/x`)
    expect(await screen.findByText('抱歉，您访问的页面不存在。')).toBeTruthy()
  })

  test('of an analysis that is not handed in leads back into it; one of another device says where it is', async () => {
    const address = await begin('交卷后看')
    const [, , , , itemNo] = address.split('/')
    await open(`/testing/testing_analysis/${no}/${itemNo}/x`)
    await heading('还没有交卷')
    await screen.findByText(`${no} 测验`)
    expect(screen.queryByText('x')).toBeNull()
    await tap('继续作答')
    await at(1)
    await open(`/testing/testing_analysis/${no}/elsewhere/x`)
    await heading('这台设备上没有这次测评的记录')
    await tap('返回测评')
    await heading(`${no} 测验`)
  })

  test('of a testing that was never opened says so without a network', async () => {
    wire.fault = nobody
    await detail()
    expect((await screen.findByRole('alert')).textContent).toContain('测评第一次打开要联网')
  })
})
