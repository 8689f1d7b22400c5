import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFailed, test } from 'vitest'
import { rowsOf, workerReady } from './browser.ts'
import { act, ENGINE_KINDS } from './engine.ts'
import type { Fault } from './product.ts'
import { checkSaved, forgetUnsent, nothingSaved, type ExamSat, type Saved } from './saved.ts'
import { goTo, OTHER, setStage, STUDY } from './stage.ts'

/** offline.md §7.3, layer 3: `npm run nemesis` runs many more seeds; NEMESIS_SEED replays one. */
const stage = setStage({ own: true })
const { open, stem, keptStudent, signIn } = stage

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

/** By how much a phone's clock may be ahead, ms: a day, years, hours behind. */
const CLOCKS = [0, 86_400_000, 400 * 86_400_000, -3_600_000 * 5, -3_650 * 86_400_000]
/** Run in a page, before its own scripts and whenever the clock is set again. */
function clockAhead(ms: number): void {
  const page = window as Window & { clock?: { ahead: number } }
  if (!page.clock) {
    const clock = (page.clock = { ahead: 0 })
    const Real = Date
    window.Date = class extends Real {
      constructor(...given: [] | [number]) {
        super(...((given.length > 0 ? given : [Real.now() + clock.ahead]) as [number]))
      }
      static override now(): number {
        return Real.now() + clock.ahead
      }
    } as DateConstructor
  }
  page.clock.ahead = ms
}

interface Student {
  uid: string
  mobile: string
  saved: Saved
  /** Acts that the browser has cleared and that they are still to be told of. */
  lost: number
}

test.each(SEEDS)(
  'seed %i: a student with two tabs does all there is while network, server, worker, tabs, browser and versions come and go',
  { timeout: 300_000 },
  async (seed) => {
    const random = seeded(seed)
    /** What was done in this run: a seed alone does not bring back how fast things went. */
    const history: string[] = []
    onTestFailed(() => void process.stderr.write(`${history.join('\n')}\n`))
    const below = (n: number): number => Math.floor(random() * n)
    const owner: Student = { ...(await keptStudent()), saved: nothingSaved(), lost: 0 }
    await open(STUDY)
    await stem(stage.phone.page, 1).waitFor()
    await open(OTHER)
    await stage.phone.page.getByText('第2章第1题：').waitFor()
    await workerReady(stage.phone.page)
    let skew = 0
    /** Who holds the phone. */
    let student = owner
    let guest: Student | null = null
    let lostInAll = 0
    const paper = await stage.anyPaper()
    const exam = await stage.anyExam()
    const tabs: { second: Page | null } = { second: null }
    const tab = async (): Promise<Page> => {
      if (random() < 0.5) return stage.phone.page
      return (tabs.second ??= await stage.phone.context.newPage())
    }
    const visit = async (page: Page): Promise<void> => {
      if (student.lost > 0) await hearLater(page)
      await goTo(page, stage.product.url + (random() < 0.5 ? STUDY : OTHER), { waitUntil: 'domcontentloaded' })
      // What is shown first may be from before what the other tab did.
      await page.locator('#view').waitFor({ state: 'detached' })
      expect(await uidOn(page)).toBe(student.uid)
      if (student.lost > 0) await hearOfLoss(page)
      else if (killed) await hearAgain(page)
    }

    const uidOn = (page: Page): Promise<string> =>
      page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').uid)
    /** How much the device has noted beside its record. */
    const notedWaiting = (page: Page, { uid } = student): Promise<number> =>
      page.evaluate((of) => JSON.parse(localStorage.getItem(`jk-waiting:u:${of}`) ?? '{}').waiting ?? 0, uid)

    /** A killed browser may have lost that it was told, and tells it again, with what came since. */
    let killed = false
    const notice = (page: Page) => page.getByText(/^有 \d+ 条未同步的记录被系统清除/)
    const close = (page: Page) => page.getByRole('button', { name: '知道了' }).click()
    const hearAgain = (page: Page) => page.addLocatorHandler(notice(page), () => close(page))
    /** What closes the notice by itself must not close the one that the story is to read. */
    const hearLater = (page: Page) => page.removeLocatorHandler(notice(page))
    async function hearOfLoss(page: Page): Promise<void> {
      const told = Number(/\d+/.exec((await notice(page).textContent()) ?? '')?.[0])
      expect(killed ? Math.min(told, student.lost) : told, `told of ${told}`).toBe(student.lost)
      await close(page)
      student.lost = 0
    }
    const reopen = async (offline = false): Promise<void> => {
      tabs.second = null
      await stage.phone.reopen({ offline })
      await setClock(skew)
    }
    /** The phone's clock is put right, or wrong, while what was done waits. */
    async function setClock(ms: number): Promise<void> {
      skew = ms
      await stage.phone.context.addInitScript(clockAhead, ms)
      for (const page of stage.phone.context.pages()) await page.evaluate(clockAhead, ms)
    }
    const dieAndReopen = async (offline = false): Promise<void> => {
      await stage.phone.kill()
      killed = true
      await reopen(offline)
    }
    /** A worker on its way up or down never answers the driver: then the phone is switched off and on again. */
    const setOffline = async (offline: boolean): Promise<void> => {
      const limit = AbortSignal.timeout(DRIVER_MS)
      await Promise.race([stage.phone.context.setOffline(offline), once(limit, 'abort')])
      if (limit.aborted) await dieAndReopen(offline)
    }

    const nemeses: (() => Promise<unknown>)[] = [
      spoilWire,
      spoilWire,
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
      () => setClock(CLOCKS[below(CLOCKS.length)] ?? 0),
      evict,
      killDatabase,
      changeHands,
    ]

    async function spoilWire(): Promise<void> {
      const fault = FAULTS[below(FAULTS.length)] ?? 'ok'
      history.push(`the wire: ${fault}`)
      await stage.product.wire.set(fault)
    }

    /** The browser clears its databases, and leaves the rest: what was not sent is lost, and that is said. */
    async function evict(): Promise<void> {
      await setOffline(false)
      await stage.product.wire.set('down')
      // A page of ours, from the worker: what waits stays as it is.
      await visit(stage.phone.page)
      const waiting = await rowsOf<{ owner: string; opId: string }>(stage.phone.page, 'jk-outbox', 'ops')
      // A page that is killed as it starts knows no more than the one before.
      const own = waiting.filter(({ owner: of }) => of === `u:${student.uid}`).length
      await expect.poll(() => notedWaiting(stage.phone.page)).toBe(own)
      const students = guest ? [owner, guest] : [owner]
      for (const each of students) {
        const theirs = waiting.filter(({ owner: of }) => of === `u:${each.uid}`).length
        // A page that its student left while answers came has noted more than waits: too many are told of then, never too few.
        const noted = await notedWaiting(stage.phone.page, each)
        // Of a browser that was killed the note may be an older one, of more or of less.
        expect(killed ? theirs : noted).toBeGreaterThanOrEqual(theirs)
        each.lost += killed ? Math.min(theirs, noted) : noted
      }
      await stage.phone.end()
      // What was on its way is taken or gone.
      await stage.product.kill()
      await stage.product.restart()
      const unsent = new Set(waiting.map(({ opId }) => opId))
      for (const each of students) await forgetUnsent(stage.product, each.uid, each.saved, unsent)
      await reopen()
      await stage.product.wire.set('ok')
      // A browser that was busy may have lost what it was to write down, as one that is killed.
      await goTo(stage.phone.page, `${stage.product.url}/icon.svg`)
      if ((await notedWaiting(stage.phone.page)) !== own) killed = true
      const session = await stage.phone.context.newCDPSession(stage.phone.page)
      await session.send('Storage.clearDataForOrigin', { origin: stage.product.url, storageTypes: 'indexeddb' })
      lostInAll += waiting.length
      await visit(stage.phone.page)
    }

    /** The database alone is gone, as when the system takes its memory: the server sees to that. */
    async function killDatabase(): Promise<void> {
      const lock = path.join(stage.product.socketFolder, 'data/postmaster.pid')
      process.kill(Number.parseInt(readFileSync(lock, 'utf8'), 10), 'SIGKILL')
      await expect
        .poll(
          () =>
            stage.product.sql('select 1').then(
              () => true,
              () => false,
            ),
          { timeout: 60_000 },
        )
        .toBe(true)
    }

    /** Somebody else studies on this phone, or gives it back, whatever the wire is. */
    async function changeHands(): Promise<void> {
      await tabs.second?.close()
      tabs.second = null
      const next = student === owner ? (guest ??= await newcomer()) : owner
      await signIn(stage.phone.page, next.mobile)
      student = next
      // A browser keeps localStorage, and the login with it, in memory for seconds.
      await stage.phone.end()
      await reopen()
      await visit(stage.phone.page)
      await byEngine(stage.phone.page)
    }
    async function newcomer(): Promise<Student> {
      const mobile = stage.newMobile()
      await signIn(stage.phone.page, mobile)
      return { mobile, uid: await stage.uidOf(mobile), saved: nothingSaved(), lost: 0 }
    }

    async function byEngine(page: Page): Promise<void> {
      const { saved } = student
      await visit(page)
      for (let i = 0; i < 3; i++) {
        const chapter = 1 + below(2)
        const questionNo = `E2E_q${(chapter - 1) * 40 + (BY_ENGINE[below(BY_ENGINE.length)] ?? 40)}`
        const kind = ENGINE_KINDS[below(ENGINE_KINDS.length)] ?? 'note'
        const own = saved.answers.findIndex((each) => kind === 'handIn' || each.questionNo === questionNo)
        const target = saved.answers[own]?.opId
        if (!target && ['retract', 'handIn', 'selfMark'].includes(kind)) continue
        const attemptId = kind === 'handIn' ? randomUUID() : saved.attempts.at(-1)?.id
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
        if (kind === 'handIn' && attemptId) saved.attempts.push({ id: attemptId, opId })
      }
    }

    for (let step = 0; step < STEPS; step++) {
      history.push(`${step}, ${new Date().toISOString()}, ${student === owner ? 'owner' : 'guest'}`)
      if (random() < 0.35) {
        const which = below(nemeses.length)
        history.push(`nemesis ${which}: ${nemeses[which]?.toString().replaceAll(/\s+/g, ' ').slice(0, 80)}`)
        await nemeses[which]?.()
      } else if (random() < 0.5) await byEngine(await tab())
      else {
        const page = await tab()
        await visit(page)
        history.push(await answerOne(page, student.saved.questions))
      }
    }

    await setOffline(false)
    await stage.product.wire.set('ok')
    await tabs.second?.close()
    let count = 0
    for (const each of guest ? [guest, owner] : [owner]) {
      if (student !== each) await signIn(stage.phone.page, each.mobile)
      student = each
      await hearLater(stage.phone.page)
      await open(STUDY)
      if (each.lost > 0) await hearOfLoss(stage.phone.page)
      else if (killed) await hearAgain(stage.phone.page)
      await stage.markSays(stage.phone.page, /已同步/)
      await checkSaved(stage.product, each.uid, each.saved)
      count += each.saved.questions.size + each.saved.ops.size
    }
    expect(count + lostInAll).toBeGreaterThan(STEPS / 3)
  },
)

/** The sitting that an act is about: a new one, or the last one that is open. Null: there is none; undefined: of no exam. */
function examOf(kind: string, { exams }: Saved, of: { exam: string; rev: string }) {
  if (kind === 'examBegin') return { ...of, attemptId: randomUUID(), begun: '', choices: [], handIn: '' }
  if (!kind.startsWith('exam')) return undefined
  return exams.findLast(({ handIn }) => handIn === '') ?? null
}
function keepExam(kind: string, { exams }: Saved, sat: ExamSat, opId: string): void {
  if (kind === 'examBegin') exams.push({ ...sat, begun: opId })
  if (kind === 'examChoice') sat.choices.push(opId)
  if (kind === 'examHandIn') sat.handIn = opId
}

/** A device without space: the engine says so, or it has saved. */
const told = (error: Error): null => {
  if (/存储空间不足|本地存储/.test(error.message)) return null
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

/** Answers the question on the screen; it counts when the screen says that it is kept. Resolves to what became of it. */
async function answerOne(page: Page, questions: Set<string>): Promise<string> {
  const text = await page
    .getByText(/第[12]章第\d+题：|此内容尚未下载|服务器开小差了/)
    .first()
    .textContent()
  const [, chapter, place] = /第([12])章第(\d+)题/.exec(text ?? '') ?? []
  // A device without space has given up what can be fetched again, and nobody answers for it now.
  if (!chapter) return `not asked: ${text}`
  const right = page.getByText('回答正确').first()
  if (!(await right.isVisible())) {
    await page.getByRole('radio', { name: /^B．/ }).click()
    const unsaved = page.getByRole('alert').getByText('未保存')
    await right.or(unsaved).first().waitFor()
    if (await unsaved.isVisible()) return `not kept: ${text}`
    questions.add(`E2E_q${(Number(chapter) - 1) * 40 + Number(place)}`)
  }
  await page.getByRole('button', { name: /下一题|查看结果/ }).click()
  return `right: ${text}`
}
