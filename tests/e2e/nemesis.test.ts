import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import type { Fault } from './product.ts'
import { OTHER, setStage, STUDY } from './stage.ts'

const stage = setStage()
const { answers, open, stem, student } = stage

const SECONDS = Number(process.env.NEMESIS_SECONDS ?? 20)
const SEED = Number(process.env.NEMESIS_SEED ?? 20_261_121)
const FAULTS: Fault[] = ['ok', 'ok', 'down', 'hang', 'drop-answer', 'captive']

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

test(`seed ${SEED}: a student answers while network, server and browser come and go`, async () => {
  const random = seeded(SEED)
  const { uid } = await student()
  // The login is on disk before anything is killed.
  await stage.phone.context.close()
  await stage.phone.reopen()
  await open(STUDY)
  await stem(stage.phone.page, 1).waitFor()
  await open(OTHER)
  await stage.phone.page.getByText('第2章第1题：').waitFor()
  await workerReady(stage.phone.page)
  const ticked = new Set<string>()

  /** Answers the question on the screen; it counts when the screen says that it is kept. */
  const answerOne = async () => {
    await stage.phone.page.goto(stage.product.url + (random() < 0.5 ? STUDY : OTHER), { waitUntil: 'domcontentloaded' })
    const text = await stage.phone.page
      .getByText(/第[12]章第\d+题：/)
      .first()
      .textContent()
    const [, chapter, place] = /第([12])章第(\d+)题/.exec(text ?? '') ?? []
    if (await stage.phone.page.getByText('回答正确').first().isVisible())
      return stage.phone.page.getByRole('button', { name: /下一题|看结果/ }).click()
    await stage.phone.page.getByRole('radio', { name: /^B．/ }).click()
    await stage.phone.page.getByText('回答正确').first().waitFor()
    ticked.add(`E2E_q${(Number(chapter) - 1) * 40 + Number(place)}`)
    await stage.phone.page.getByRole('button', { name: /下一题|看结果/ }).click()
  }
  const until = performance.now() + SECONDS * 1000
  while (performance.now() < until) {
    const dice = random()
    if (dice < 0.2) await stage.product.wire.set(FAULTS[Math.floor(random() * FAULTS.length)] ?? 'ok')
    else if (dice < 0.25) {
      await stage.phone.kill()
      await stage.phone.reopen()
    } else if (dice < 0.3) {
      await stage.product.kill()
      await stage.product.restart()
    } else await answerOne()
  }

  await stage.product.wire.set('ok')
  await open(STUDY)
  expect(ticked.size).toBeGreaterThan(3)
  await expect
    .poll(async () => new Set((await answers(uid)).map((row) => row.question_no)), { timeout: 30_000 })
    .toEqual(ticked)
  expect((await answers(uid)).filter((row) => row.times !== 1)).toEqual([])
})
