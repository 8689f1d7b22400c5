import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workerReady } from './browser.ts'
import { reload, setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, markSays, beVisitor, student, signIn } = stage
const FREE = '/course/course_video/K_math0'
const lesson = (n: number) => `${FREE}/K_math0_l${n}/course`
/** The one that is a playlist; anybody may try it. */
const HLS = '/course/course_video/K_science/K_science_l2/trial'

const video = (page: Page) => page.locator('video')
const read = <T>(page: Page, of: (video: HTMLVideoElement) => T): Promise<T> =>
  video(page).evaluate(of as (element: SVGElement | HTMLElement) => T)
const at = (page: Page) => read(page, ({ currentTime }) => currentTime)
const paused = (page: Page) => read(page, (element) => element.paused)
const reaches = async (page: Page, second: number) =>
  await expect.poll(() => at(page), { timeout: 30_000 }).toBeGreaterThan(second)
/** A picture is there, and the controls over it. */
async function ready(page: Page): Promise<void> {
  await expect.poll(() => read(page, ({ readyState }) => readyState), { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: '播放', exact: true }).waitFor()
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Addresses that were signed until now have ended. */
async function endSignatures(): Promise<void> {
  await stage.product.sql(`delete from setting where key = 'media.secret'`)
  await stage.product.restart()
}
/** Holds requests for files of lessons, from the n-th on, until they are let go. */
async function hold(page: Page, from: number, of: RegExp): Promise<() => void> {
  let seen = 0
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route(of, async (route) => {
    if ((seen += 1) >= from) await gate
    await route.continue().catch(() => {})
  })
  return release
}

test('a lesson watched on one phone goes on at the same second on another; speed stays with the phone; the next lesson comes by itself', async () => {
  const { mobile } = await student()
  const first = stage.phone.page
  await open(lesson(1))
  await ready(first)
  await press(first, '播放')
  await reaches(first, 2)
  await first.keyboard.press('l')
  await reaches(first, 12)
  await press(first, '倍速，现在 1×')
  await first.getByRole('radio', { name: '1.5×' }).click()
  await press(first, '关闭')
  expect(await read(first, ({ playbackRate, preservesPitch }) => [playbackRate, preservesPitch])).toEqual([1.5, true])
  await press(first, '暂停')
  const second = Math.floor(await at(first))
  await press(first, '数学零基础入门')
  await first.getByRole('heading', { level: 1, name: '数学零基础入门' }).waitFor()
  await markSays(first, /已同步/)

  const phone = await stage.anotherPhone()
  try {
    const { page } = phone
    await signIn(page, mobile)
    await page.goto(stage.product.url + lesson(1))
    await ready(page)
    await page.getByText(`从 0:${second} 继续`).waitFor()
    expect(Math.floor(await at(page))).toBe(second)
    expect(await read(page, ({ playbackRate }) => playbackRate)).toBe(1)
    // A page that is loaded anew goes on where it was, also where it was only put.
    await press(page, '播放')
    await reaches(page, second + 2)
    const left = Math.floor(await at(page))
    await reload(page)
    await ready(page)
    expect(await at(page)).toBeGreaterThanOrEqual(left)
    await page.keyboard.press('5')
    const put = Math.floor(await at(page))
    await reload(page)
    await ready(page)
    expect(Math.floor(await at(page))).toBe(put)
    // The bar itself goes as far as the keys do.
    await page.locator('media-time-range').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => Math.floor(await at(page))).toBe(put + 5)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => Math.floor(await at(page))).toBe(put)
    await page.locator('[data-stage]').focus()
    await page.getByRole('link', { name: /集合与元素.*当前.*已学 \d+%/ }).waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('9')
    await page.keyboard.press('>')
    await page.getByRole('timer').waitFor({ timeout: 30_000 })
    await page.getByRole('heading', { level: 1, name: '交集、并集、补集' }).waitFor()
    await reaches(page, 1)
    expect(await paused(page)).toBe(false)
  } finally {
    await phone.close()
  }

  await open(lesson(1))
  await ready(first)
  expect(await read(first, ({ playbackRate }) => playbackRate)).toBe(1.5)
})

test('a visitor tries a lesson that is a playlist: it seeks, its address ends on the way, the network goes and comes, and nothing is lost', async () => {
  const { page } = stage.phone
  await beVisitor()
  const release = await hold(page, 3, /_\d\d\.m4s$/)
  await open(HLS)
  await ready(page)
  await press(page, '播放')
  await reaches(page, 1)
  await endSignatures()
  release()
  await page.keyboard.press('5')
  await reaches(page, 27)
  expect(await page.getByRole('alert').count()).toBe(0)

  // From the beginning: what is held back must not lie behind the end.
  await page.keyboard.press('0')
  await expect.poll(() => at(page)).toBeLessThan(5)
  await page.unroute(/_\d\d\.m4s$/)
  await open(HLS)
  const again = await hold(page, 3, /_\d\d\.m4s$/)
  await reload(page)
  await ready(page)
  await press(page, '播放')
  await stage.product.wire.set('down')
  again()
  await page.getByText('网络断开了').waitFor({ timeout: 60_000 })
  const stood = await at(page)
  await stage.product.wire.set('ok')
  await reaches(page, stood + 1)
  expect(await page.getByRole('alert').count()).toBe(0)
  await press(page, '暂停')
  await reload(page)
  await page.getByText(/^从 0:\d\d 继续$/).waitFor()
  await press(page, '从头播放')
  await expect.poll(() => at(page)).toBeLessThan(5)
})

test('an address that ended while the lesson stood is asked for anew, and it opens where it was left', async () => {
  await student()
  const { page } = stage.phone
  await open(lesson(3))
  await ready(page)
  await workerReady(page)
  await press(page, '播放')
  await page.keyboard.press('3')
  await reaches(page, 15)
  await press(page, '暂停')
  const stood = await at(page)
  const release = await hold(page, 1, /\/media\/lesson\/.*\.(webm|mp4)$/)
  await Promise.all([page.waitForRequest(/\/media\/lesson\/.*\.(webm|mp4)$/), reload(page)])
  await endSignatures()
  release()
  await ready(page)
  // The picture goes there once it has come; and a pause settles on a frame.
  await expect.poll(async () => Math.abs((await at(page)) - stood)).toBeLessThan(1)
  await press(page, '播放')
  await reaches(page, stood + 1)

  // What was used once is there without a network: the screen says what can be done.
  const parts = () =>
    page.evaluate(async () =>
      (
        await Promise.all(
          (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
        )
      ).flat(),
    )
  await expect.poll(parts, { timeout: 30_000 }).toContainEqual(expect.stringMatching(/assets\/chrome-/))
  await stage.phone.context.setOffline(true)
  await reload(page)
  await page.getByText('没有网络，这个课时也没有下载').waitFor()
  await expect.poll(() => page.evaluate(() => customElements.get('media-controller') !== undefined)).toBe(true)
})

test('everything is done by keyboard alone', async () => {
  await student()
  const { page } = stage.phone
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(lesson(2))
  await ready(page)
  const play = page.getByRole('button', { name: '播放', exact: true })
  while (!(await play.evaluate((button) => button === document.activeElement))) await page.keyboard.press('Tab')
  await page.keyboard.press(' ')
  await reaches(page, 0.5)
  await page.keyboard.press('k')
  expect(await paused(page)).toBe(true)
  await page.keyboard.press('2')
  const fifth = (await read(page, ({ duration }) => duration)) / 5
  expect(await at(page)).toBeCloseTo(fifth, 0)
  await page.keyboard.press('j')
  await expect.poll(() => at(page)).toBeCloseTo(Math.max(0, fifth - 10), 0)
  await page.keyboard.press('c')
  await expect.poll(() => read(page, ({ textTracks }) => textTracks[0]?.mode)).toBe('showing')
  await page.keyboard.press('m')
  expect(await read(page, ({ muted }) => muted)).toBe(true)
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement === null)).toBe(true)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: '键盘快捷键' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: '交集' }).waitFor()
  await reaches(page, 0.5)
})
