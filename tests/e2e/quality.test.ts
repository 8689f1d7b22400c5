import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bytesText } from '#src/domain/text/bytes.ts'
import { makeLadder, RUNGS, weigh } from '#tests/support/ladder.ts'
import { workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, keptStudent } = stage
const page = () => stage.phone.page
const COURSE = '/course/course_detail/LADDER'
const LESSON = '/course/course_video/LADDER/LADDER_1/course'

/** Publishes a course of two lessons that both come in three qualities. */
async function publish(): Promise<{ ladder: string; isReal: boolean }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-ladder-'))
  const ladder = path.join(folder, 'ladder')
  const isReal = await makeLadder(ladder, 24)
  writeFileSync(path.join(folder, 'cover.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"/>')
  const lessonOf = (no: string, title: string) => ({ no, title, media: ['ladder/main.m3u8'] })
  const lessons = [lessonOf('LADDER_1', '第一课'), lessonOf('LADDER_2', '第二课')]
  const course = {
    format: 'lijian-course/1',
    no: 'LADDER',
    title: '多种画质',
    kind: 'video',
    teacher: '王教员',
    cover: 'cover.svg',
    units: [{ no: 'LADDER_u1', title: '第一单元', lessons }],
  }
  const file = path.join(folder, 'course.json')
  writeFileSync(file, JSON.stringify(course))
  stage.product.importFile(file)
  return { ladder, isReal }
}

/** Bytes of lessons that come to this phone, and of which pictures. */
function watch(): { bytes: () => Promise<number>; lines: () => string[]; forget: () => void } {
  let coming: Promise<number>[] = []
  let lines = new Set<string>()
  page().on('response', (response) => {
    const [, at] = /\/media\/lesson\/.*\/1\/(.*)$/.exec(response.url()) ?? []
    if (at === undefined) return
    coming.push(
      response.body().then(
        ({ length }) => length,
        () => 0,
      ),
    )
    if (at.endsWith('.m4s')) lines.add(at.split('/')[0] ?? '')
  })
  return {
    bytes: async () => (await Promise.all(coming)).reduce((sum, each) => sum + each, 0),
    lines: () => [...lines].sort(),
    forget: () => {
      coming = []
      lines = new Set()
    },
  }
}
const played = <T>(of: (video: HTMLVideoElement) => T): Promise<T> =>
  page()
    .locator('video')
    .evaluate(of as (element: SVGElement | HTMLElement) => T)
const at = () => played(({ currentTime }) => currentTime)
const height = () => played(({ videoHeight }) => videoHeight)
async function plays(): Promise<void> {
  await expect.poll(() => played(({ readyState }) => readyState), { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  await page().getByRole('button', { name: '播放', exact: true }).click()
  const from = await at()
  await expect.poll(at, { timeout: 30_000 }).toBeGreaterThan(from + 1)
}
const whole = (title: string) =>
  page()
    .getByRole('button', { name: `移除已下载的 ${title}` })
    .waitFor({ timeout: 30_000 })

test('a lesson in three qualities: the smallest is downloaded at its own weight and plays without a network; online another is chosen, and both choices stay', async () => {
  const { ladder, isReal } = await publish()
  const all = readdirSync(ladder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(ladder, name)))
    .reduce((sum, is) => sum + (is.isFile() ? is.size : 0), 0)
  await keptStudent()
  await open('/')
  await workerReady(page())
  const wire = watch()
  await open(COURSE)
  await page()
    .getByRole('button', { name: /^下载 第一课，/ })
    .click()
  const dialog = page().getByRole('dialog', { name: '下载画质' })
  const names = { 360: '流畅', 540: '标清', 720: '高清' }
  for (const [lines] of RUNGS)
    await dialog
      .getByRole('button', { name: `${names[lines]} ${lines}P，${bytesText(weigh(ladder, lines))}`, exact: true })
      .waitFor()
  await dialog.getByRole('button', { name: /^流畅/ }).click()
  await whole('第一课')
  expect(await wire.bytes()).toBe(weigh(ladder, 360))
  expect(weigh(ladder, 360) * 3).toBeLessThan(all)
  // The second one is not asked about, and says what it will weigh.
  await page()
    .getByRole('button', { name: `下载 第二课，${bytesText(weigh(ladder, 360))}` })
    .click()
  await whole('第二课')
  expect(await wire.bytes()).toBe(2 * weigh(ladder, 360))

  await stage.product.wire.set('down')
  await stage.phone.context.setOffline(true)
  await open(LESSON)
  await page().getByText('已下载 流畅').waitFor()
  await plays()
  expect(await height()).toBe(360)
  await page().keyboard.press('5')
  await expect.poll(at, { timeout: 30_000 }).toBeGreaterThan(8)
  expect(await page().getByRole('alert').count()).toBe(0)

  await stage.product.wire.set('ok')
  await stage.phone.context.setOffline(false)
  await open(COURSE)
  // Another quality of what is here comes only when it is asked for.
  await page().getByRole('button', { name: '画质：流畅 360P' }).click()
  await page().getByRole('radio', { name: /^标清/ }).click()
  await page()
    .getByText(/已下载流畅 360P，可换成标清 540P/)
    .first()
    .waitFor()
  wire.forget()
  await page().getByRole('button', { name: '换画质 第二课' }).click()
  await expect
    .poll(
      () =>
        page()
          .getByText(/已下载流畅/)
          .count(),
      { timeout: 30_000 },
    )
    .toBe(1)
  await whole('第二课')
  expect(await wire.bytes()).toBe(weigh(ladder, 540))
  await page().getByRole('button', { name: '移除已下载的 第一课' }).click()
  await page().getByRole('dialog').getByRole('button', { name: '移除' }).click()
  await page()
    .getByRole('button', { name: /^下载 第一课，/ })
    .waitFor()

  await open(LESSON)
  await plays()
  wire.forget()
  await page().getByRole('button', { name: '画质 自动' }).click()
  await page().getByRole('radio', { name: /^高清/ }).click()
  await expect.poll(() => wire.lines(), { timeout: 30_000 }).toEqual(['720'])
  // Pictures of the demo, where nothing could be made, are all of one height.
  await expect.poll(height, { timeout: 30_000 }).toBe(isReal ? 720 : 360)
  wire.forget()
  await open(LESSON)
  await page().getByRole('button', { name: '画质 高清 720P' }).waitFor()
  await expect.poll(() => wire.lines(), { timeout: 30_000 }).toEqual(['720'])

  // It is chosen while the picture fills the screen, too, and goes on filling it.
  await plays()
  const inBar = page().getByRole('button', { name: '画质，现在 高清 720P' })
  expect(await inBar.count()).toBe(0)
  wire.forget()
  await page().keyboard.press('f')
  const fills = () => page().evaluate(() => document.fullscreenElement?.hasAttribute('data-stage') ?? false)
  await expect.poll(fills).toBe(true)
  // The bar comes back when the student moves.
  await page().locator('video').hover()
  await inBar.click()
  await page().getByRole('radio', { name: /^流畅/ }).click()
  await expect.poll(() => wire.lines(), { timeout: 30_000 }).toEqual(['360'])
  await page().getByRole('button', { name: '画质，现在 流畅 360P' }).waitFor()
  expect(await fills()).toBe(true)
})
