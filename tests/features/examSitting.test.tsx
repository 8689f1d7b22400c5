import { act, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { tap } from '#tests/support/tap.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'
import { toItemNo } from '#src/sitting/itemNo.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** More than the test before has put the server's clock ahead, whose last answer may still be on its way. */
const LONG = 5 * HOUR
const bank = () => ({
  ...bankJson({ prefix: 'Z', chapters: 1, perChapter: 0 }),
  questions: [
    { no: 'Z_q1', type: 'single', stem: '第一', options: ['甲', '乙', '丙'], answer: 'B', analysis: '解析一' },
    { no: 'Z_q2', type: 'multiple', stem: '第二', options: ['甲', '乙', '丙'], answer: 'AB', analysis: '解析二' },
    { no: 'Z_q3', type: 'blank', stem: '首都是 ___', blanks: [['北京']], analysis: '解析三' },
    { no: 'Z_q4', type: 'essay', stem: '论述作风', answer: '参考', scoring: [{ text: '要点一', score: 1 }] },
  ].map((question) => ({ ...question, chapter: 'Z_c1' })),
})

let server: TestServer
let wire: Wire
let app: { close: () => void } | null = null
let student: Awaited<ReturnType<TestServer['student']>>
let exams = 0
let no = ''
beforeAll(async () => {
  server = await startServer()
  // A login lasts 30 days, and the tests go by today's clock.
  server.clock.now = Date.now()
  await importBank(server.db, server.mediaDir, bank())
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  await import('#src/offline/index.ts')
  // Else what the page loads lazily takes a busy machine longer than a test waits.
  await import('#src/features/exam/parts/ReportDetails.tsx')
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = Date.now()
  wire = connect(server)
  no = `E${++exams}`
  await publishExam(
    server.db,
    examJson({
      no,
      paper: [
        ['Z_q1', 'Z_q2'],
        ['Z_q3', 'Z_q4'],
      ],
    }),
  )
  await server.call(contract.exam.apply, { no }, student.token)
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** A browser with workers; @param controller the one in charge of this page */
function giveWorker(controller: object | null) {
  const worker = Object.assign(new EventTarget(), { controller, ready: new Promise(() => {}) })
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: worker })
  return worker
}

const engine = async () => (await import('#src/offline/index.ts')).offline
const open = async (path: string) => {
  app?.close()
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(path)
}
const at = (n: number) => screen.findByRole('heading', { level: 1, name: new RegExp(`^第${n}题，共4题`) })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const option = (letter: string, role: 'radio' | 'checkbox' = 'radio') =>
  screen.findByRole<HTMLInputElement>(role, { name: new RegExp(`^${letter}．`) })
const choose = async (letter: string, role: 'radio' | 'checkbox' = 'radio') =>
  userEvent.click(await option(letter, role))
/** From the exam's page into its first question; the address to come back to. */
async function begin(mode = '真实'): Promise<string> {
  await open(`/exam/exam_detail/${no}`)
  await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${mode}`) }))
  await tap('进入考试')
  await tap('开始考试')
  await at(1)
  return window.location.pathname
}
async function handIn(): Promise<void> {
  const [button] = await screen.findAllByRole('button', { name: '交卷' })
  await userEvent.click(button ?? document.body)
  await tap('确定交卷')
}
/** So much later: by the server, which the phone has heard. */
async function later(ms: number): Promise<void> {
  server.clock.now = Date.now() + ms
  const { heardServer } = await import('#src/offline/device/serverClock.ts')
  heardServer(server.clock.now)
}
/** Of this exam, as the device knows it. */
const attempt = async () => [...(await (await engine()).things('exam')).values()].find(({ exam }) => exam === no)
/** The network is back, and everything has gone up. */
async function sent(): Promise<void> {
  wire.fault = null
  const offline = await engine()
  const stop = offline.start()
  await offline.syncNow()
  await expect.poll(async () => (await offline.waiting()).length).toBe(0)
  stop()
}

describe('a sitting', () => {
  test('reveals nothing, goes on where it was left, and is marked once it is handed in', async () => {
    const address = await begin()
    expect(screen.getByRole('timer').textContent).toMatch(/^(1:00:00|59:\d\d)$/)
    await choose('B')
    await tap('下一题')
    await at(2)
    await choose('A', 'checkbox')
    await expect.poll(async () => (await option('A', 'checkbox')).checked).toBe(true)
    await tap('存疑')
    expect(screen.queryByText(/解析|正确答案/)).toBeNull()

    await open(address)
    await at(2)
    expect((await option('A', 'checkbox')).checked).toBe(true)
    await tap('下一题')
    await userEvent.type(await screen.findByRole('textbox'), '北京')
    await tap('下一题')
    await userEvent.type(await screen.findByRole('textbox'), '论点')
    await handIn()
    await heading('交卷回执')
    expect(screen.getByText('已交卷，待上传')).toBeTruthy()
    expect(screen.getByText(/^[0-9A-F]{4}-[0-9A-F]{4}$/)).toBeTruthy()

    await sent()
    await heading('成绩报告')
    expect(screen.getByLabelText('得分 1.25，满分 2')).toBeTruthy()
    await sent()
    const states = await (await engine()).states(['Z_q1', 'Z_q2', 'Z_q3', 'Z_q4'])
    expect([...states].map(([question, { lastRight, book }]) => [question, lastRight, book?.from])).toEqual([
      ['Z_q1', true, undefined],
      ['Z_q2', false, 'exam'],
      ['Z_q3', true, undefined],
    ])

    await tap('查看解析')
    await at(1)
    expect(await screen.findByText('解析一')).toBeTruthy()
    await tap('存疑')
    expect(await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })).toBeTruthy()
    expect(await screen.findByText('解析二')).toBeTruthy()
    await tap('错题')
    expect(await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })).toBeTruthy()
  })

  test('counts the time of the question at which it is handed in, too', async () => {
    await begin()
    wire.fault = nobody
    await choose('B')
    await handIn()
    await heading('交卷回执')
    const ops = await (await engine()).waiting()
    const payloads = ops.map(({ payload }) => payload).filter((payload) => 'spentMs' in payload)
    const choice = payloads.find((payload) => 'questionNo' in payload && payload.questionNo === 'Z_q1')
    expect(choice?.spentMs).toBeGreaterThan(0)
    await sent()
  })
  test('with an essay shows what the student gave it beside the score, never in it', async () => {
    await begin()
    for (const n of [2, 3, 4]) {
      await tap('下一题')
      await at(n)
    }
    await userEvent.type(await screen.findByRole('textbox'), '论点')
    await tap('存疑')
    await handIn()
    await sent()
    expect(await screen.findByText(/^主观题自评 0\/0\.5 分.*还有 1 题待自评/)).toBeTruthy()
    // Beside the score, so that nobody takes the difference for a loss.
    expect(screen.getByText(/^答对 0\/4 题；满分里的主观题 0\.5 分没有计入得分$/)).toBeTruthy()
    await userEvent.click(await screen.findByRole('link', { name: /^第 4 题，待自评/ }))
    // Marked in one view, it is marked in all.
    await tap('存疑')
    await screen.findByRole('heading', { level: 1, name: /^第1题，共1题/ })
    await userEvent.click(await screen.findByRole('checkbox', { name: /要点一/ }))
    await tap('完成自评')
    await tap('返回报告')
    expect(await screen.findByText(/^主观题自评 0\.5\/0\.5 分，不计入得分和排名。$/)).toBeTruthy()
    expect(screen.getByLabelText('得分 0，满分 2')).toBeTruthy()
    expect(await screen.findByRole('link', { name: /^第 4 题，答对/ })).toBeTruthy()
  })

  test('goes from start to hand-in without a network, and is marked when it is back', async () => {
    const address = await begin()
    wire.fault = nobody
    await choose('B')
    await open(address)
    expect((await option('B')).checked).toBe(true)
    await tap('下一题')
    await at(2)
    for (const letter of ['A', 'B']) await choose(letter, 'checkbox')
    await expect.poll(async () => (await option('B', 'checkbox')).checked).toBe(true)
    await handIn()
    await heading('交卷回执')
    expect(screen.getByText('已交卷，待上传')).toBeTruthy()
    // Its address leads to what came of it, not back into the paper.
    await open(address)
    await heading('交卷回执')
    await sent()
    expect(await screen.findByLabelText('得分 1，满分 2')).toBeTruthy()
  })

  test('is sealed as it stood when its time was over, also where the phone was off meanwhile', async () => {
    const address = await begin()
    await sent()
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    app?.close()
    await later(2 * HOUR)
    await open(address)
    await heading('交卷回执')
    expect(screen.getByText(/^1 题，用时 1 小时 0 分$/)).toBeTruthy()
    const choice = (await (await engine()).waiting()).find(({ kind }) => kind === 'examChoice')
    expect(choice?.payload.elapsedMs, 'when it was kept, not when it was found').toBeLessThan(MINUTE)
    await sent()
    expect(await screen.findByLabelText('得分 0.5，满分 2')).toBeTruthy()
    expect((await attempt())?.flags).toEqual(['late'])
  })

  test('is sealed at the next start on any page once its time is over, and says so with a way to what came of it', async () => {
    await begin()
    await sent()
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    wire.fault = nobody
    app?.close()
    await later(LONG)
    await open('/question/library')
    expect(await screen.findByText(`《${no} 模考》时间已到，已自动交卷。`)).toBeTruthy()
    const choice = (await (await engine()).waiting()).find(({ kind }) => kind === 'examChoice')
    expect(choice?.payload.elapsedMs, 'when it was kept, not when it was found').toBeLessThan(MINUTE)
    // Told again until it was read.
    await open('/')
    await userEvent.click(await screen.findByRole('link', { name: '查看结果' }))
    await heading('交卷回执')
    expect(screen.getByText(/^1 题，用时 1 小时 0 分$/)).toBeTruthy()
    await sent()
    expect(await attempt()).toMatchObject({ answered: 1, elapsedMs: HOUR })
    await open(`/exam/exam_detail/${no}`)
    expect(await screen.findByRole('button', { name: '再考一次' })).toBeTruthy()
    expect(screen.queryByText(/时间已到/)).toBeNull()
  })

  test('is shown on the home page and on every other one with the time that is left, and leads back to it', async () => {
    const address = await begin()
    await choose('B')
    expect(screen.queryByText(/模考进行中/), 'not on its own page').toBeNull()
    await open('/')
    const shown = () => screen.queryAllByRole('link', { name: /模考进行中 · 还剩 (59 分 \d+ 秒|1 小时 0 分)/ })
    await expect.poll(() => shown().length, { message: 'in the bar and as a card' }).toBe(2)
    await open('/question/library')
    await userEvent.click(await screen.findByRole('link', { name: /模考进行中/ }))
    await at(1)
    expect(window.location.pathname).toBe(address)
  })

  test('that another tab has open is left to that tab, and what the server has refused to the student', async () => {
    await begin()
    await sent()
    app?.close()
    const { sealEnded, readOpen } = await import('#src/features/exam/ended.ts')
    const [mine] = (await readOpen()).open.filter(({ sitting }) => sitting.exam === no)
    if (!mine) throw new Error('nothing has begun')
    await later(3 * LONG)
    const { id } = mine.sitting
    const query = () => Promise.resolve({ held: [{ name: `exam:${id}` }], pending: [] })
    vi.stubGlobal(
      'navigator',
      Object.assign(Object.create(navigator), { locks: { query, request: vi.fn<() => void>() } }),
    )
    await sealEnded(mine)
    vi.unstubAllGlobals()
    const waiting = async () => (await (await engine()).waiting()).map(({ kind }) => kind)
    expect(await waiting()).not.toContain('examHandIn')
    const refused = vi
      .spyOn(await engine(), 'dead')
      .mockResolvedValue([{ kind: 'examHandIn', payload: { attemptId: id }, code: 'other' } as never])
    await sealEnded(mine)
    expect(await waiting()).not.toContain('examHandIn')
    refused.mockRestore()
    await Promise.all([sealEnded(mine), sealEnded(mine)])
    expect(
      (await waiting()).filter((kind) => kind === 'examHandIn'),
      'once',
    ).toHaveLength(1)
  })

  test('goes on where the phone’s clock has jumped ahead and the server says so', async () => {
    const address = await begin()
    await sent()
    app?.close()
    const stop = (await engine()).start()
    // What it heard last makes the phone's clock two hours fast.
    const { heardServer, skewMs } = await import('#src/offline/device/serverClock.ts')
    heardServer(Date.now() + 2 * HOUR)
    await open(address)
    await at(1)
    await expect.poll(skewMs).toBe(0)
    await expect.poll(() => screen.getByRole('timer').textContent).toMatch(/^(1:00:00|59:\d\d)$/)
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    stop()
  })

  test('takes no answer any more once its time is over, though the device cannot write the hand-in', async () => {
    await begin()
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    const failing = vi.spyOn(await engine(), 'addAll').mockRejectedValue(new Error('full'))
    await later(2 * HOUR)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(await screen.findByText(/还没有交卷。答案都在这里/)).toBeTruthy()
    await choose('C')
    await tap('下一题')
    await at(2)
    await tap('上一题')
    await at(1)
    expect([(await option('B')).checked, (await option('C')).checked]).toEqual([true, false])
    failing.mockRestore()
    await handIn()
    await heading('交卷回执')
  })

  test('has recorded what stands when the phone is locked', async () => {
    await begin()
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    const id = (await (await import('#src/features/exam/sitting.ts')).readSitting(no))?.id
    const choices = async () =>
      (await (await engine()).waiting()).filter(
        ({ kind, payload }) => kind === 'examChoice' && payload.attemptId === id,
      )
    await expect.poll(async () => (await choices()).map(({ payload }) => payload.questionNo)).toEqual(['Z_q1'])
    hidden.mockRestore()
    await handIn()
    await heading('交卷回执')
    expect(await choices(), 'named by the hand-in, not made again').toHaveLength(1)
  })

  test('is left by its × and by history back only when the student means it, because the clock runs on; it has no footer', async () => {
    const address = await begin()
    const asked = () => screen.queryByText(/计时不会停，确定离开？/)
    const settled = async (n: number) => await expect.poll(() => Number(window.history.state?.jkSheet ?? 0)).toBe(n)
    expect(screen.queryByRole('contentinfo')).toBeNull()
    await settled(1)
    await tap('离开考试')
    expect(await screen.findByText(/计时不会停，确定离开？/)).toBeTruthy()
    await tap('继续考试')
    await expect.poll(asked).toBeNull()
    await settled(1)
    window.history.back()
    await expect.poll(asked).not.toBeNull()
    await settled(2)
    // Back once more is no for an answer.
    window.history.back()
    await expect.poll(asked).toBeNull()
    expect(window.location.pathname).toBe(address)
    await at(1)
    await settled(1)
    window.history.back()
    await screen.findByText(/计时不会停，确定离开？/)
    await tap('离开')
    await screen.findByRole('button', { name: '继续考试（真实）' })
    expect(window.location.pathname).toBe(`/exam/exam_detail/${no}`)
    expect(screen.getByRole('contentinfo')).toBeTruthy()
    // It went back to the entry it had come from.
    await settled(0)
    window.history.forward()
    await at(1)
    await settled(1)
    await userEvent.click(screen.getByRole('link', { name: '课程' }))
    await tap('离开')
    await expect.poll(() => window.location.pathname).toBe('/course/course_list')
  })

  test('does not promise marks at once where there is no network', async () => {
    await begin()
    const dialog = async () => {
      const [button] = await screen.findAllByRole('button', { name: '交卷' })
      await userEvent.click(button ?? document.body)
      const text = (await screen.findByRole('dialog', { name: '交卷' })).textContent
      await tap('继续检查')
      return text
    }
    expect(await dialog()).toMatch(/剩余时间(1:00:00|59:\d\d).*交卷后就能看成绩和解析/)
    const { onlineManager } = await import('@tanstack/react-query')
    onlineManager.setOnline(false)
    try {
      expect(await dialog()).toContain('答卷先封存在这台设备上，联网上传后才能看成绩和解析')
    } finally {
      onlineManager.setOnline(true)
    }
  })

  test('in 练习 stops its clock while it is away', async () => {
    const address = await begin('练习')
    app?.close()
    const { heardServer } = await import('#src/offline/device/serverClock.ts')
    heardServer(Date.now() + 2 * HOUR)
    await open(address)
    await at(1)
    expect(screen.getByRole('timer').textContent).toMatch(/^(1:00:00|59:\d\d)$/)
    await open(`/exam/exam_detail/${no}`)
    expect(await screen.findByRole('button', { name: '继续考试（练习）' })).toBeTruthy()
  })

  test('that another tab hands in is over here, too', async () => {
    await begin()
    await choose('B')
    const { readPaper, readSitting } = await import('#src/features/exam/sitting.ts')
    const { examPolicy } = await import('#src/features/exam/policy.ts')
    const { handIn: hand, openSitting } = await import('#src/sitting/engine/sitting.ts')
    const sitting = await readSitting(no)
    const paper = sitting && (await readPaper(sitting.id))
    if (!sitting || !paper) throw new Error('nothing has begun')
    const opened = () => openSitting(examPolicy, paper, sitting)
    const handAt = async (ms: number) =>
      hand(examPolicy, { ...(await opened()), taken: { elapsedMs: ms, chosenMs: ms } })
    await expect.poll(async () => Object.keys((await opened()).state.parts)).toContain('Z_q1')
    await handAt(5_000)
    await heading('交卷回执')
    expect(screen.getByText(/^1 题，/)).toBeTruthy()
    await handAt(6_000)
    await sent()
    expect(await (await engine()).dead()).toEqual([])
  })

  test('stays open where the device cannot write the hand-in', async () => {
    await begin()
    await choose('B')
    const offline = await engine()
    const failing = vi.spyOn(offline, 'addAll').mockRejectedValue(new Error('full'))
    await handIn()
    expect(await screen.findByText(/还没有交卷。答案都在这里/)).toBeTruthy()
    failing.mockRestore()
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: '交卷' })).getByRole('button', { name: '确定交卷' }),
    )
    await heading('交卷回执')
  })

  test('is on the exam’s page afterwards, and can be sat again', async () => {
    await begin()
    await handIn()
    await sent()
    await heading('成绩报告')
    await tap('返回考试')
    expect(await screen.findByRole('button', { name: '再考一次' })).toBeTruthy()
    await tap(/^查看成绩/)
    await heading('成绩报告')
  })
})

describe('a scheduled paper', () => {
  test('that the server has handed in meanwhile is handed in by its own device with all that was answered here', async () => {
    await schedule()
    await start()
    await open(`/exam/exam_detail/${no}`)
    await tap('进入考试')
    await tap('开始考试')
    await begun()
    await sent()
    wire.fault = nobody
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    app?.close()
    const { sealEndedExams } = await import('#server/study/sealEnded.ts')
    await later(5 * HOUR)
    const failed = (error: unknown) => void expect.unreachable(String(error))
    await sealEndedExams(server.db, { now: server.clock.now, stop: new AbortController().signal, failed })
    await sent()
    expect(await attempt()).toMatchObject({ by: 'server', answered: 0 })
    await open('/question/library')
    expect(await screen.findByText(`《${no} 模考》时间已到，已自动交卷。`)).toBeTruthy()
    await sent()
    expect(await attempt()).toMatchObject({ answered: 1 })
    expect(await attempt()).not.toHaveProperty('by')
    expect(await (await engine()).dead()).toEqual([])
  })

  const time = (ms: number) => new Date(ms + 8 * HOUR).toISOString().slice(0, 16).replace('T', ' ')
  const schedule = () =>
    publishExam(server.db, {
      ...examJson({ no, paper: [['Z_q1'], ['Z_q3']] }),
      startsAt: time(Date.now() + HOUR),
      endsAt: time(Date.now() + 4 * HOUR),
    })
  const start = async () => {
    server.clock.now = Date.now() + HOUR + MINUTE
    const { heardServer } = await import('#src/offline/device/serverClock.ts')
    heardServer(server.clock.now)
  }
  const begun = () => screen.findByRole('heading', { level: 1, name: /^第1题，共2题/ })

  test('is downloaded sealed before, wants its key once, and is done without a network then', async () => {
    await schedule()
    await open(`/exam/exam_detail/${no}`)
    expect(await screen.findByText(/^试卷已加密下载/)).toBeTruthy()
    await start()
    wire.fault = (sent) => (/exam\/(open|paper)$/.test(sent.path) ? nobody(sent, null) : null)
    await open(`/exam/exam_detail/${no}`)
    await screen.findByRole('button', { name: '进入考试' })
    wire.fault = nobody
    await tap('进入考试')
    await screen.findByRole('heading', { name: '试卷已下载，开考时需联网解锁一次' })
    // All that has to come through now.
    wire.fault = (sent) => (sent.path.endsWith('exam/open') ? null : nobody(sent, null))
    await tap('重试')
    await tap('暂不考试')
    wire.fault = nobody
    await tap('进入考试')
    await tap('开始考试')
    await begun()
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    await handIn()
    await heading('交卷回执')
    await sent()
    expect(await screen.findByText('待公布')).toBeTruthy()
    const { readSealed } = await import('#src/features/exam/sealed.ts')
    expect(await readSealed(no)).toBeNull()
  })

  test('of an exam under way comes with its page, so that it can be begun without a network', async () => {
    giveWorker({})
    await schedule()
    await start()
    await open(`/exam/exam_detail/${no}`)
    await screen.findByText('试卷已下载，没有网络也能开考、答完并交卷。')
    wire.fault = nobody
    await tap('进入考试')
    await tap('开始考试')
    await begun()
  })

  test('is said to begin without a network only once the app itself is on the device', async () => {
    const worker = giveWorker(null)
    await schedule()
    await start()
    await open(`/exam/exam_detail/${no}`)
    await screen.findByText('试卷已下载。开考需要网络，之后断网也能答完并交卷。')
    worker.controller = {}
    act(() => void worker.dispatchEvent(new Event('controllerchange')))
    await screen.findByText('试卷已下载，没有网络也能开考、答完并交卷。')
  })

  test('that was published anew is downloaded anew, and after the start comes as it is now', async () => {
    await schedule()
    await open(`/exam/exam_detail/${no}`)
    await screen.findByText(/^试卷已加密下载/)
    const { readSealed } = await import('#src/features/exam/sealed.ts')
    const before = (await readSealed(no))?.rev
    await publishExam(server.db, {
      ...examJson({ no, paper: [['Z_q2'], ['Z_q3']] }),
      startsAt: time(Date.now() + HOUR),
      endsAt: time(Date.now() + 4 * HOUR),
    })
    await start()
    await open(`/exam/exam_detail/${no}`)
    await tap('进入考试')
    await tap('开始考试')
    await begun()
    expect(screen.getByText('第二')).toBeTruthy()
    const { readPaper, readSitting } = await import('#src/features/exam/sitting.ts')
    expect((await readPaper((await readSitting(no))?.id ?? ''))?.rev).not.toBe(before)
  })
})

describe('a hand-in', () => {
  test('that the server refuses says why, and is handed in again from the exam', async () => {
    await begin()
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    await handIn()
    await heading('交卷回执')
    const papers = server.db.updateTable('exam_paper').where('exam_no', '=', no)
    const { rev } = await server.db
      .selectFrom('exam_paper')
      .select('rev')
      .where('exam_no', '=', no)
      .executeTakeFirstOrThrow()
    await papers.set({ rev: 'gone' }).execute()
    await sent()
    await heading('这次交卷没有成功')
    expect(screen.getByText(/^试卷不存在或已下架。答案都在这台设备上/)).toBeTruthy()
    await papers.set({ rev }).execute()
    await tap('返回考试')
    await tap('继续考试（真实）')
    await at(1)
    expect((await option('B')).checked).toBe(true)
    await handIn()
    await heading('交卷回执')
    await sent()
    expect(await screen.findByLabelText('得分 0.5，满分 2')).toBeTruthy()
    expect(await (await engine()).dead()).toEqual([])
  })

  test('names no choice that the server never got', async () => {
    await begin()
    await choose('B')
    await tap('下一题')
    await at(2)
    const offline = await engine()
    const { readSitting, readPaper } = await import('#src/features/exam/sitting.ts')
    const { examPolicy } = await import('#src/features/exam/policy.ts')
    const { openSitting } = await import('#src/sitting/engine/sitting.ts')
    const sitting = await readSitting(no)
    const paper = sitting && (await readPaper(sitting.id))
    if (!paper) throw new Error('nothing has begun')
    const known = async () => (await openSitting(examPolicy, paper, sitting)).state.parts.Z_q1?.opId
    await expect.poll(known).toBeTruthy()
    const opId = (await known()) ?? ''
    const [row] = (await offline.waiting()).filter((op) => op.opId === opId)
    if (!row) throw new Error('not recorded')
    const refused = { ...row, kind: 'examHandIn', code: 'early', msg: '', missing: [opId], diedAt: 0 }
    const dead = vi.spyOn(offline, 'dead').mockResolvedValue([refused])
    expect(await known(), 'still on its way').toBe(opId)
    await sent()
    expect(await known()).toBeUndefined()
    dead.mockRestore()
  })

  test('that was taken leaves no paper behind', async () => {
    await begin()
    await choose('B')
    const { readSitting, readPaper, readHanded } = await import('#src/features/exam/sitting.ts')
    const { examPolicy } = await import('#src/features/exam/policy.ts')
    const { readElapsed } = await import('#src/sitting/engine/sitting.ts')
    const { id = '' } = (await readSitting(no)) ?? {}
    await handIn()
    await heading('交卷回执')
    expect(await readPaper(id)).not.toBeNull()
    await sent()
    await heading('成绩报告')
    await expect.poll(() => readPaper(id)).toBeNull()
    await expect.poll(() => readElapsed(examPolicy, id)).toBe(0)
    expect(await readHanded(id)).not.toBeNull()
    await tap('查看解析')
    expect(await screen.findByText('解析一')).toBeTruthy()
  })
})

describe('a sitting that is open when its window ends', () => {
  test.each(['真实', '练习'])('is handed in at the next start, in %s', async (mode) => {
    const time = (ms: number) => new Date(ms + 8 * HOUR).toISOString().slice(0, 16).replace('T', ' ')
    await publishExam(server.db, {
      ...examJson({ no, paper: [['Z_q1'], ['Z_q3']] }),
      startsAt: time(Date.now() - HOUR),
      endsAt: time(Date.now() + HOUR / 2),
    })
    await open(`/exam/exam_detail/${no}`)
    await userEvent.click(await screen.findByRole('radio', { name: new RegExp(`^${mode}`) }))
    await tap('进入考试')
    await tap('开始考试')
    await choose('B')
    await expect.poll(async () => (await option('B')).checked).toBe(true)
    await sent()
    const { readSitting } = await import('#src/features/exam/sitting.ts')
    const { id = '' } = (await readSitting(no)) ?? {}
    app?.close()
    await later(2 * HOUR)
    await open(`/exam/exam_detail/${no}`)
    await screen.findAllByText(/时间已到，已自动交卷/)
    // Those of other tests may be told as well.
    const result = () =>
      screen
        .queryAllByRole<HTMLAnchorElement>('link', { name: '查看结果' })
        .find(({ href }) => href.endsWith(toItemNo(id)))
    await expect.poll(result).toBeTruthy()
    await userEvent.click(result() ?? document.body)
    await heading('交卷回执')
    await sent()
    expect(await screen.findByLabelText('得分 0.5，满分 1')).toBeTruthy()
  })
})

describe('the marks', () => {
  test('of an exam with a window are said to come, and come when its ranking is closed', async () => {
    const now = Date.now()
    const time = (ms: number) => new Date(ms + 8 * HOUR).toISOString().slice(0, 16).replace('T', ' ')
    await publishExam(server.db, {
      ...examJson({ no, paper: [['Z_q1']] }),
      startsAt: time(now - HOUR),
      endsAt: time(now + HOUR),
    })
    await open(`/exam/exam_detail/${no}`)
    await tap('进入考试')
    await tap('开始考试')
    await choose('B')
    await handIn()
    await sent()
    expect(await screen.findByText('待公布')).toBeTruthy()
    expect(screen.getByText(/^排名截止后公布成绩与解析：.*\d\d:\d\d。$/)).toBeTruthy()
    server.clock.now = now + 2 * HOUR
    await open(window.location.pathname)
    expect(await screen.findByLabelText('得分 0.5，满分 0.5')).toBeTruthy()
  })

  test('of a sitting that nobody knows are not there, which is said', async () => {
    await open('/exam/exam_report/0123456789abcdef0123456789abcdef')
    await heading('没有找到这次交卷')
    await tap('返回考试')
    await heading('模拟考试')
  })
})

test('who cannot see the clock is told at 15, 5 and 1 minutes, once each', async () => {
  const { Countdown, leftText } = await import('#src/sitting/Countdown.tsx')
  const { rerender } = render(<Countdown leftMs={16 * MINUTE} />)
  const told = [16, 15, 14, 5, 4, 1, 0].map((minutes) => {
    rerender(<Countdown leftMs={minutes * MINUTE} />)
    return [screen.getByRole('status').textContent, screen.getByRole('timer').dataset.look ?? '']
  })
  expect(told).toEqual([
    ['', ''],
    ['还剩 15 分钟', ''],
    ['还剩 15 分钟', ''],
    ['还剩 5 分钟', 'soon'],
    ['还剩 5 分钟', 'soon'],
    ['还剩 1 分钟', 'soon'],
    ['还剩 1 分钟', 'soon'],
  ])
  expect([0, 1, 59_000, HOUR, HOUR + 61_000].map(leftText)).toEqual(['00:00', '00:01', '00:59', '1:00:00', '1:01:01'])
})
