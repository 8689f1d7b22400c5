// Ahead of time: what the page loads lazily takes a busy machine longer than a test waits.
import '#src/ui/qrCode/QrCode.tsx'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { rankSome } from '#server/exam/ranking.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { sitExam } from '#tests/support/sitExam.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

const NOS = ['R_q1', 'R_q2', 'R_q3', 'R_q4']
const bank = () => ({
  ...bankJson({ prefix: 'R', chapters: 2, perChapter: 0 }),
  points: [
    { no: 'R_p1', parent: null, name: '函数' },
    { no: 'R_p2', parent: null, name: '数列' },
  ],
  questions: NOS.map((no, i) => ({
    no,
    type: 'single',
    stem: `题干${i + 1}`,
    options: ['甲', '乙', '丙'],
    answer: 'B',
    analysis: `解析${i + 1}`,
    points: [i < 2 ? 'R_p1' : 'R_p2'],
    chapter: i < 2 ? 'R_c1' : 'R_c2',
  })),
})

let server: TestServer
let wire: Wire
let app: { close: () => void } | null = null
type Student = Awaited<ReturnType<TestServer['student']>>
let student: Student
let others: Student[]
let exams = 0
let no = ''
let rev = ''
beforeAll(async () => {
  server = await startServer()
  // A login lasts 30 days, and the tests go by today's clock.
  server.clock.now = Date.now()
  await importBank(server.db, server.mediaDir, bank())
  ;[student, ...others] = [await server.student(), await server.student(), await server.student()]
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  await import('#src/offline/index.ts')
  await import('#src/features/exam/parts/ReportDetails.tsx')
  await import('#src/features/stats/poster/PosterDialog.tsx')
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = Date.now()
  wire = connect(server)
  no = `R${++exams}`
  const paper = [['R_q1', 'R_q2'], ['R_q3'], ['R_q4']]
  await publishExam(server.db, examJson({ no, paper }))
  for (const each of [student, ...others]) await server.call(contract.exam.apply, { no }, each.token)
  rev = (await server.call(contract.exam.paper, { no }, student.token)).rev
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.restoreAllMocks()
})

const engine = async () => (await import('#src/offline/index.ts')).offline
const open = async (path: string) => {
  app?.close()
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(path)
}
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
/** Everything that waits has gone up, and what the server has is here. */
async function synced(): Promise<void> {
  const offline = await engine()
  const stop = offline.start()
  await offline.syncNow()
  await expect.poll(async () => (await offline.waiting()).length).toBe(0)
  stop()
}
/** Answers of the paper's questions in their order; '-' leaves one blank. Tells the sitting's address. */
async function sit(who: Student, letters: string, mode: 'exam' | 'practice' = 'exam'): Promise<string> {
  const answers = Object.fromEntries(
    NOS.map((each, i) => [each, letters[i] ?? '-']).filter(([, letter]) => letter !== '-'),
  )
  const begunAt = server.clock.now - 600_000
  const id = await sitExam(server, who, { no, rev, mode, answers, begunAt, tookMs: 600_000 })
  await rankSome(server.db, server.clock.now)
  return id.replaceAll('-', '')
}
/** Made-up students with nothing right, so that there are enough for places. */
const crowd = async (count: number) =>
  await sql`insert into exam_tally (exam_no, part, rev, score, n) values (${no}, 0, ${rev}, 0, ${count})`.execute(
    server.db,
  )
const openReport = async (itemNo: string) => {
  await synced()
  await open(`/exam/exam_report/${itemNo}`)
}

describe('the report', () => {
  test('says where a sitting stands, against the average, and what to study next', async () => {
    for (const [i, letters] of ['BBBB', 'ABBA'].entries()) if (others[i]) await sit(others[i], letters)
    await crowd(7)
    await openReport(await sit(student, 'BBA-'))
    expect(await screen.findByLabelText('得分 1，满分 2')).toBeTruthy()
    const standing = await region('排名')
    expect(await standing.findByText(/^截至 /)).toBeTruthy()
    expect(standing.getByText('名次').parentElement?.textContent).toBe('名次2 / 10 人')
    expect(standing.getByText('击败').parentElement?.textContent).toContain('77.7%')
    expect(standing.getByText('平均分').parentElement?.textContent).toContain('0.4')
    expect(standing.getByText('最高分').parentElement?.textContent).toContain('2')
    expect(rowsOf((await region('各大题')).getByRole('table'))).toEqual([
      ['大题', '答对', '得分', '平均'],
      ['第1大题', '2/2', '1/1', '0.83'],
      ['第2大题', '0/1', '0/0.5', '0.33'],
      ['第3大题', '0/1', '0/0.5', '0.17'],
    ])
    expect(rowsOf((await region('各题型')).getByRole('table'))[1]).toEqual(['单选题', '2/4', '1/2'])
    expect(rowsOf((await region('得分分布')).getByRole('table'))).toEqual([
      ['分数段', '人数'],
      ['0–0.1 分', '7 人'],
      ['1–1.1 分（我在这一段）', '2 人'],
      ['1.9–2 分', '1 人'],
    ])
    expect(rowsOf((await region('各知识点')).getByRole('table')).slice(1)).toEqual([
      ['数列', '0/2', '0/1'],
      ['函数', '2/2', '1/1'],
    ])
    const study = (await region('学习建议')).getByRole('link', { name: '去练习 数列' })
    expect(study.getAttribute('href')).toMatch(/^\/question\/library_study\/R_c2\/20\//)
    await userEvent.click(study)
    expect(await screen.findByText('题干3')).toBeTruthy()
  })

  test('tells no place among fewer than ten, and neither does the ranking', async () => {
    await crowd(8)
    const itemNo = await sit(student, 'BBA-')
    await openReport(itemNo)
    const standing = await region('排名')
    expect(await standing.findByText('参加排名的满 10 人后，显示名次、平均分和得分分布。')).toBeTruthy()
    expect(standing.getByText('参加排名').parentElement?.textContent).toBe('参加排名9 人')
    expect(standing.queryByText(/^(名次|击败|平均分|最高分)$/)).toBeNull()
    expect(screen.queryByRole('region', { name: '得分分布' })).toBeNull()
    expect(screen.queryByText(/^平均/)).toBeNull()
    await open(`/exam/exam_rank/${no}/x/0`)
    expect(await screen.findByText('参加排名的满 10 人后，显示名次、平均分和得分分布。')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByText(/^我的名次|^平均 /)).toBeNull()
  })

  test('makes a poster of the score, and of the place once the report has told it', async () => {
    for (const [i, letters] of ['BBBB', 'ABBA'].entries()) if (others[i]) await sit(others[i], letters)
    await crowd(7)
    await openReport(await sit(student, 'BBA-'))
    await (await region('排名')).findByText(/^截至 /)
    await userEvent.click(await screen.findByRole('button', { name: '生成海报' }))
    const dialog = within(await screen.findByRole('dialog', { name: '海报' }))
    expect(dialog.getByRole('img').getAttribute('aria-label')).toMatch(
      /^海报：.+ 1 分；满分 2 分；答对 2\/4 题；名次 2\/10 人；击败 77\.7%；/,
    )
    await userEvent.click(dialog.getByRole('button', { name: '考试名次' }))
    const place = () => dialog.getByRole('img').getAttribute('aria-label')
    expect(place()).toMatch(/ 第 2 名；共 10 人参加排名；得分 1\/2；/)
    // Only who wants it is named.
    const nickname = (await import('#src/session/session.ts')).session.get().userinfo?.nickname ?? '-'
    expect(place()).not.toContain(nickname)
    await userEvent.click(dialog.getByRole('checkbox', { name: '显示昵称' }))
    expect(place()).toContain(`海报：${nickname}；`)
  })

  test('shows how long each question took, in words and signs; a tap opens its analysis', async () => {
    await openReport(await sit(student, 'BA--'))
    const times = await region('每题用时')
    const links = times.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.textContent])
    expect(links).toEqual([
      ['第 1 题，答对，用时 1 秒', '✓1'],
      ['第 2 题，答错，用时 1 秒', '✗2'],
      ['第 3 题，未答，用时 0 秒', '–3'],
      ['第 4 题，未答，用时 0 秒', '–4'],
    ])
    await userEvent.click(times.getByRole('link', { name: /^第 2 题/ }))
    expect(await screen.findByText('解析2')).toBeTruthy()
  })

  test('says of a sitting that is not ranked why', async () => {
    await sit(student, 'BBBB', 'practice')
    await openReport(await sit(student, 'BBBB'))
    expect(await (await region('排名')).findByText(/^排名只看第一次作答/)).toBeTruthy()
  })

  test('without a network has all that the key tells, and says where the ranking is', async () => {
    const itemNo = await sit(student, 'BBA-')
    await synced()
    wire.fault = ({ path }) => (path === '/pcapi/exam/report' ? nobody({} as never, null) : null)
    await open(`/exam/exam_report/${itemNo}`)
    expect(await (await region('排名')).findByText('联网后可查看排名和平均分。')).toBeTruthy()
    expect(rowsOf((await region('各大题')).getByRole('table'))[1]).toEqual(['第1大题', '2/2', '1/1'])
    expect((await region('学习建议')).getByRole('link', { name: '去练习 数列' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: '得分分布' })).toBeNull()
  })

  test('is asked for again while the place is being counted', async () => {
    await crowd(9)
    const itemNo = await sit(student, 'BBBB')
    await synced()
    let asked = 0
    wire.fault = ({ path }) => {
      if (path !== '/pcapi/exam/report' || ++asked > 1) return null
      return new Response(JSON.stringify({ status: 1, msg: '', data: counting(itemNo) }), {
        headers: { 'content-type': 'application/json' },
      })
    }
    await open(`/exam/exam_report/${itemNo}`)
    expect(await screen.findByText('排名统计中，统计好会自动显示。')).toBeTruthy()
    await expect.poll(() => screen.queryByText('名次')?.parentElement?.textContent).toBe('名次1 / 10 人')
  })

  test('has a receipt with a code for cameras', async () => {
    await openReport(await sit(student, 'BBBB'))
    const code = await screen.findByRole('img', { name: /^交卷回执二维码/ })
    expect(code.closest('figure')?.textContent).toMatch(/^给老师或客服核对交卷扫码看到回执编号、校验码/)
    expect(code.querySelectorAll('path')).toHaveLength(2)
  })
})

const counting = (itemNo: string) => ({
  attemptId: itemNo,
  no,
  asOf: Date.now(),
  ranked: 0,
  average: null,
  best: null,
  rank: null,
  unranked: null,
  beaten: null,
  sections: [null, null, null],
  bands: Array.from({ length: 20 }, () => 0),
})

describe('the ranking', () => {
  test('has ties in one place, and mine among them', async () => {
    await crowd(7)
    await sit(student, 'BBAA')
    for (const [i, letters] of ['BBBB', 'AABB'].entries()) if (others[i]) await sit(others[i], letters)
    await open(`/exam/exam_detail/${no}`)
    await userEvent.click(await screen.findByRole('link', { name: '查看排名' }))
    const rows = rowsOf(await screen.findByRole('table'))
    expect(rows.map(([rank, name, score]) => [rank, name?.endsWith('我'), score])).toEqual([
      ['名次', false, '得分'],
      ['1', false, '2'],
      ['2', expect.any(Boolean), '1'],
      ['2', expect.any(Boolean), '1'],
    ])
    expect(rows.filter(([, name]) => name?.endsWith('我'))).toHaveLength(1)
    expect(screen.getByText('报名 10 人 · 实考 10 人')).toBeTruthy()
    expect(screen.getByText(/^截至 /)).toBeTruthy()
    expect(screen.getByText(/^我的名次/).textContent).toBe('我的名次 2')
  })

  test('says beside a name that the sitting came late, and what that means', async () => {
    await crowd(8)
    await sit(student, 'BBAA')
    server.clock.now += 3_600_000
    const answers = { R_q1: 'B', R_q2: 'B', R_q3: 'B', R_q4: 'B' }
    // Handed in ten minutes after it was begun, and an hour before it arrives.
    const sitting = { no, rev, answers, begunAt: Date.now(), tookMs: 600_000 }
    await sitExam(server, { uid: others[0]?.uid ?? '', token: others[0]?.token ?? '' }, sitting)
    await rankSome(server.db, server.clock.now)
    await open(`/exam/exam_rank/${no}/x/0`)
    const rows = rowsOf(await screen.findByRole('table', { name: /；标“离线交卷”的，答卷在封卷一分钟以后才上传$/ }))
    expect(rows.map(([, name]) => name?.includes('离线交卷'))).toEqual([false, true, false])
  })

  test('is called by the exam’s own title and counts its own students, whatever the address says; so is the analysis', async () => {
    const itemNo = await sit(student, 'BBAA')
    await open(`/exam/exam_rank/${no}/假标题/99`)
    await screen.findByRole('heading', { level: 1, name: `${no} 模考` })
    await screen.findByText('报名 3 人 · 实考 1 人')
    expect(screen.queryByText('假标题')).toBeNull()
    await synced()
    await open(`/exam/exam_analysis/${no}/假标题/${itemNo}`)
    await screen.findByRole('heading', { level: 1, name: /^第1题/ })
    await screen.findByText(`${no} 模考`)
    expect(screen.queryByText('假标题')).toBeNull()
  })

  test('is without my name until I want it there, and again when I do not', async () => {
    await crowd(9)
    await sit(student, 'BBAA')
    await synced()
    await open(`/exam/exam_rank/${no}/x/0`)
    await screen.findByRole('table')
    const box = () => screen.getByRole<HTMLInputElement>('switch', { name: '在排名里显示我的昵称' })
    expect(box().checked).toBe(false)
    const named = async () =>
      (await server.call(contract.exam.rank, { no }, others[0]?.token)).top.map(({ name }) => name)
    expect(new Set(await named())).toEqual(new Set(['匿名考生']))
    await userEvent.click(box())
    await screen.findByRole('rowheader', { name: /^学\*/ })
    expect(await named()).toContainEqual(expect.stringMatching(/^学\*/))
    await userEvent.click(box())
    await expect.poll(() => screen.queryByRole('rowheader', { name: /^学\*/ })).toBeNull()
    expect(new Set(await named())).toEqual(new Set(['匿名考生']))
  })

  test('that nobody is in yet says how to be; without a network it says so; before its time it is to come', async () => {
    await open(`/exam/exam_rank/${no}/x/0`)
    const none = await screen.findByText(/^暂无排名/)
    expect(none.previousElementSibling?.textContent).toBe('暂无更多...')
    const time = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
    await publishExam(server.db, {
      ...examJson({ no: `${no}w`, paper: [['R_q1']] }),
      startsAt: time(Date.now() - 3_600_000),
      endsAt: time(Date.now() + 3_600_000),
    })
    await open(`/exam/exam_rank/${no}w/x/0`)
    expect(await screen.findByText('待公布')).toBeTruthy()
    expect(screen.getByText('排名截止后公布排名。')).toBeTruthy()
    wire.fault = nobody
    await open(`/exam/exam_rank/${no}/月考/0`)
    expect(await screen.findByText('此内容尚未下载，联网后可查看')).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: '月考' })).toBeTruthy()
  })
})
