import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newWorker, rowsOf, workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, keptStudent, markSays } = stage

/** A picture in a file, a picture in a playlist, which anybody may try, and a voice. */
const LESSONS = [
  { course: 'K_math0', no: 'K_math0_l1', title: '集合与元素' },
  { course: 'K_science', no: 'K_science_l2', title: '匀变速直线运动' },
  { course: 'K_gangwei', no: 'K_gangwei_l1', title: '行文方向' },
]
const page = () => stage.phone.page
const kept = () => page().getByRole('region', { name: '已下载课程' })
const played = <T>(of: (element: HTMLMediaElement) => T): Promise<T> =>
  page()
    .locator('video, audio')
    .evaluate(of as (element: SVGElement | HTMLElement) => T)
const at = () => played(({ currentTime }) => currentTime)

/** The download is seen on its way, and then whole. */
async function download({ course, title }: (typeof LESSONS)[number]): Promise<void> {
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page().route('**/media/lesson/**', async (route) => {
    await gate
    await route.continue()
  })
  await open(`/course/course_detail/${course}`)
  await page()
    .getByRole('button', { name: new RegExp(`^下载 ${title}，`) })
    .click()
  await page()
    .getByRole('progressbar', { name: `${title} 下载进度` })
    .waitFor()
  release()
  await page()
    .getByRole('button', { name: `移除已下载的 ${title}` })
    .waitFor()
  await page().unroute('**/media/lesson/**')
}

/** Addresses of everything that this browser's caches keep. */
const cached = () =>
  page().evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname)
  })

/** Of the next version the screen of lessons is another file. */
function withNewPlayer(dist: string): void {
  const list = path.join(dist, 'parts.json')
  const parts: string[] = JSON.parse(readFileSync(list, 'utf8'))
  const lesson = parts.find((part) => /\/lesson-.*\.js$/.test(part)) ?? ''
  copyFileSync(path.join(dist, lesson), path.join(dist, 'assets/lesson-0000000.js'))
  writeFileSync(list, JSON.stringify([...parts, '/assets/lesson-0000000.js']))
}

/** Acts on this phone that wait, as text. */
const waiting = async () => JSON.stringify(await rowsOf(page(), 'jk-outbox', 'ops'))

async function playAndSeek({ no, title }: (typeof LESSONS)[number]): Promise<void> {
  await page().getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => played(({ readyState }) => readyState), { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  await page().getByRole('button', { name: '播放', exact: true }).click()
  await expect.poll(at, { timeout: 30_000 }).toBeGreaterThan(2)
  const middle = (await played(({ duration }) => duration)) / 2
  await page().keyboard.press('5')
  await expect.poll(at, { timeout: 30_000 }).toBeGreaterThan(middle + 1)
  await page().keyboard.press('1')
  await expect.poll(at).toBeLessThan(middle)
  await page().getByRole('button', { name: '暂停', exact: true }).click()
  expect(await page().getByRole('alert').count()).toBe(0)
  // Who leaves in the very moment of pausing may lose up to five seconds (0032).
  await expect.poll(waiting).toContain(no)
}

test('lessons of every kind play and seek in the player without a network, from a killed browser, after an update, and though no answer of the server is kept; what was watched arrives', async () => {
  const { uid } = await keptStudent()
  await open('/')
  await workerReady(page())
  for (const each of LESSONS) await download(each)
  await expect.poll(cached).toContainEqual(expect.stringMatching(/\/hls-/))

  await stage.product.release(withNewPlayer)
  await newWorker(page())
  // While it waits, its player is here.
  expect(await cached()).toContain('/assets/lesson-0000000.js')
  await Promise.all([page().waitForEvent('load'), page().getByRole('button', { name: '更新' }).click()])
  // A month has passed, or the device was full.
  await page().evaluate(async () => {
    for (const name of await caches.keys()) if (name.startsWith('api-')) await caches.delete(name)
  })
  await stage.phone.kill()
  await stage.product.wire.set('down')
  await stage.phone.reopen({ offline: true })

  for (const each of LESSONS) {
    await open('/user/my_course')
    await kept()
      .getByRole('link', { name: new RegExp(`^${each.title}`) })
      .click()
    await playAndSeek(each)
  }

  await stage.product.wire.set('ok')
  await stage.phone.context.setOffline(false)
  await open('/user/my_course')
  await markSays(page(), /已同步/)
  const told = () =>
    stage.product.sql<{ id: string; spans: [number, number][] }>(
      `select id, body -> 'watched' as spans from study_record where uid = $1 and kind = 'lesson' order by id`,
      [uid],
    )
  await expect.poll(async () => (await told()).map(({ id }) => id)).toEqual(LESSONS.map(({ no }) => no).sort())
  for (const { spans } of await told()) expect(spans.reduce((sum, [from, to]) => sum + to - from, 0)).toBeGreaterThan(1)
})
