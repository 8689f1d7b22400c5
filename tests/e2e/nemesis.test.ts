import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { act, ENGINE_KINDS } from './engine.ts'
import type { Fault } from './product.ts'
import { OTHER, setStage, STUDY } from './stage.ts'

/** offline.md §7.3, layer 3: `npm run nemesis` runs many more seeds; NEMESIS_SEED replays one. */
const stage = setStage({ own: true })
const { open, stem, keptStudent } = stage

const FIRST = Number(process.env.NEMESIS_SEED ?? 20_261_121)
const SEEDS = Array.from({ length: Number(process.env.NEMESIS_SEEDS ?? 1) }, (_, i) => FIRST + i)
const STEPS = Number(process.env.NEMESIS_STEPS ?? 25)
const FAULTS: Fault[] = ['ok', 'ok', 'down', 'hang', 'drop-answer', 'captive', '500']
/** The driver's own limit for a call, which this one lacks. */
const DRIVER_MS = 15_000
/** Answers by the screens stay below these. */
const BY_ENGINE = [37, 38, 39, 40]

/** mulberry32: a failing run can be played again by its seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What the screens and the engine have called saved. */
interface Saved {
  questions: Set<string>
  ops: Set<string>
  /** Answers by the engine that were not taken back. */
  answers: { opId: string; questionNo: string }[]
  /** Ids of sittings that were handed in. */
  attempts: string[]
  /** Sittings of an exam; what they have chosen last on each question. */
  exams: ExamSat[]
}

interface ExamSat {
  attemptId: string
  exam: string
  rev: string
  choices: string[]
  handed: boolean
}

test.each(SEEDS)(
  'seed %i: a student with two tabs does all there is while network, server, worker, tabs, browser and versions come and go',
  { timeout: 300_000 },
  async (seed) => {
    const random = seeded(seed)
    const below = (n: number): number => Math.floor(random() * n)
    const { uid } = await keptStudent()
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await open(OTHER)
    await stage.phone.page.getByText('第2章第1题：').waitFor()
    await workerReady(stage.phone.page)
    const saved: Saved = { questions: new Set(), ops: new Set(), answers: [], attempts: [], exams: [] }
    const paper = await stage.anyPaper()
    const exam = await stage.anyExam()
    const tabs: { second: Page | null } = { second: null }
    const tab = async (): Promise<Page> => {
      if (random() < 0.5) return stage.phone.page
      return (tabs.second ??= await stage.phone.context.newPage())
    }
    const visit = async (page: Page): Promise<void> => {
      await page.goto(stage.product.url + (random() < 0.5 ? STUDY : OTHER), { waitUntil: 'domcontentloaded' })
      // What is shown first may be from before what the other tab did.
      await page.locator('#view').waitFor({ state: 'detached' })
    }

    const dieAndReopen = async (offline = false): Promise<void> => {
      await stage.phone.kill()
      tabs.second = null
      await stage.phone.reopen({ offline })
    }
    /** A worker on its way up or down never answers the driver: then the phone is switched off and on again. */
    const setOffline = async (offline: boolean): Promise<void> => {
      const silent = new Promise<'silent'>((resolve) => setTimeout(resolve, DRIVER_MS, 'silent'))
      if ((await Promise.race([stage.phone.context.setOffline(offline), silent])) === 'silent')
        await dieAndReopen(offline)
    }

    const nemeses: (() => Promise<unknown>)[] = [
      async () => stage.product.wire.set(FAULTS[below(FAULTS.length)] ?? 'ok'),
      async () => stage.product.wire.set(FAULTS[below(FAULTS.length)] ?? 'ok'),
      () => setOffline(random() < 0.5),
      async () => {
        await tabs.second?.close()
        tabs.second = null
      },
      async () => {
        const session = await stage.phone.context.newCDPSession(stage.phone.page)
        await session.send('ServiceWorker.enable')
        await session.send('ServiceWorker.stopAllWorkers')
      },
      () => dieAndReopen(),
      async () => {
        await stage.product.kill()
        await stage.product.restart()
      },
      () => stage.product.release(),
      () => full(async () => byEngine(await tab())),
    ]

    async function byEngine(page: Page): Promise<void> {
      await visit(page)
      for (let i = 0; i < 3; i++) {
        const chapter = 1 + below(2)
        const questionNo = `E2E_q${(chapter - 1) * 40 + (BY_ENGINE[below(BY_ENGINE.length)] ?? 40)}`
        const kind = ENGINE_KINDS[below(ENGINE_KINDS.length)] ?? 'note'
        const own = saved.answers.findIndex((each) => kind === 'handIn' || each.questionNo === questionNo)
        const target = saved.answers[own]?.opId
        if (!target && ['retract', 'handIn', 'selfMark'].includes(kind)) continue
        const attemptId = kind === 'handIn' ? randomUUID() : saved.attempts.at(-1)
        if (!attemptId && kind === 'selfMark') continue
        const sitting = attemptId ? { attemptId, paper } : undefined
        const sat = examOf(kind, saved, exam)
        if (sat === null) continue
        const given = { kind, exam: sat, questionNo, chapterNo: `E2E_c${chapter}`, how: below(12), target, sitting }
        const opId = await act(page, given).catch(told)
        if (opId === null) continue
        saved.ops.add(opId)
        if (kind === 'answer') saved.answers.push({ opId, questionNo })
        if (kind === 'retract') saved.answers.splice(own, 1)
        if (sat) keepExam(kind, saved, sat, opId)
        if (kind === 'handIn' && attemptId) saved.attempts.push(attemptId)
      }
    }

    for (let step = 0; step < STEPS; step++) {
      if (random() < 0.35) await nemeses[below(nemeses.length)]?.()
      else if (random() < 0.5) await byEngine(await tab())
      else {
        const page = await tab()
        await visit(page)
        await answerOne(page, saved.questions)
      }
    }

    await setOffline(false)
    await stage.product.wire.set('ok')
    await tabs.second?.close()
    await open(STUDY)
    await stage.markSays(stage.phone.page, /已同步/)
    expect(saved.questions.size + saved.ops.size).toBeGreaterThan(STEPS / 3)
    await check(uid, saved)
  },
)

/** The sitting that an act is about: a new one, or the last one that is open. Null: there is none; undefined: of no exam. */
function examOf(kind: string, { exams }: Saved, of: { exam: string; rev: string }) {
  if (kind === 'examBegin') return { ...of, attemptId: randomUUID(), choices: [], handed: false }
  if (!kind.startsWith('exam')) return undefined
  return exams.findLast(({ handed }) => !handed) ?? null
}
function keepExam(kind: string, { exams }: Saved, sat: ExamSat, opId: string): void {
  if (kind === 'examBegin') exams.push(sat)
  if (kind === 'examChoice') sat.choices.push(opId)
  sat.handed ||= kind === 'examHandIn'
}

/** A device without space: the engine says so, or it has saved. */
const told = (error: Error): null => {
  if (/本机空间不足|本机存储/.test(error.message)) return null
  throw error
}

async function full(meanwhile: () => Promise<void>): Promise<void> {
  const session = await stage.phone.context.newCDPSession(stage.phone.page)
  const { url: origin } = stage.product
  const { usage } = await session.send('Storage.getUsageAndQuota', { origin })
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: Math.max(1, usage) })
  await meanwhile()
  await session.send('Storage.overrideQuotaForOrigin', { origin })
}

/** Answers the question on the screen; it counts when the screen says that it is kept. */
async function answerOne(page: Page, questions: Set<string>): Promise<void> {
  const text = await page
    .getByText(/第[12]章第\d+题：|此内容尚未下载|服务器开小差了/)
    .first()
    .textContent()
  const [, chapter, place] = /第([12])章第(\d+)题/.exec(text ?? '') ?? []
  // A device without space has given up what can be fetched again, and nobody answers for it now.
  if (!chapter) return
  const right = page.getByText('回答正确').first()
  if (!(await right.isVisible())) {
    await page.getByRole('radio', { name: /^B．/ }).click()
    const unsaved = page.getByRole('alert').getByText('未保存')
    await right.or(unsaved).first().waitFor()
    if (await unsaved.isVisible()) return
    questions.add(`E2E_q${(Number(chapter) - 1) * 40 + Number(place)}`)
  }
  await page.getByRole('button', { name: /下一题|看结果/ }).click()
}

/** Nothing that was called saved is missing, and nothing counts twice. */
async function check(uid: string, saved: Saved): Promise<void> {
  const ops = await stage.product.sql<{ op_id: string; kind: string; verdict: string; question_no: string | null }>(
    'select op_id, kind, verdict, question_no from study_op where uid = $1',
    [uid],
  )
  expect(ops.filter(({ verdict }) => verdict !== 'applied')).toEqual([])
  const there = new Set(ops.map(({ op_id }) => op_id))
  expect([...saved.ops].filter((opId) => !there.has(opId))).toEqual([])
  const byScreen = ops.filter(({ op_id, kind }) => kind === 'answer' && !saved.ops.has(op_id))
  const counted = byScreen.flatMap(({ question_no }) => (saved.questions.has(question_no ?? '') ? [question_no] : []))
  expect(new Set(counted)).toEqual(saved.questions)
  expect(counted).toHaveLength(saved.questions.size)
  const attempts = await stage.product.sql<{ id: string }>(
    `select id from study_record where uid = $1 and kind = 'attempt'`,
    [uid],
  )
  expect(attempts.map(({ id }) => id).sort()).toEqual([...saved.attempts].sort())
  const exams = await stage.product.sql<{ id: string; answered: number; handed: boolean }>(
    `select id, (body ->> 'answered')::int as answered, body ->> 'handIn' <> '' as handed
     from study_record where uid = $1 and kind = 'exam' order by id collate "C"`,
    [uid],
  )
  const sat = saved.exams.map(({ attemptId: id, choices, handed }) => {
    return { id, answered: handed ? choices.length : 0, handed }
  })
  expect(exams).toEqual(sat.sort((a, b) => (a.id < b.id ? -1 : 1)))
  const answered =
    ops.filter(({ kind }) => kind === 'answer').length - ops.filter(({ kind }) => kind === 'retract').length
  const states = await stage.answers(uid)
  expect(states.reduce((sum, { times }) => sum + times, 0)).toBe(answered)
  const days = await stage.product.sql<{ answered: number }>(
    `select coalesce(sum((body ->> 'answered')::int), 0)::int as answered from study_record where uid = $1 and kind = 'day'`,
    [uid],
  )
  expect(days).toEqual([{ answered }])
}
