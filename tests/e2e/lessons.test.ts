import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { longLesson } from '#tests/support/spoken.ts'
import { fillDevice, rowsOf, workerReady } from './browser.ts'
import { setStage, STUDY } from './stage.ts'

const stage = setStage({ own: true })
const { open, stem, solve, keptStudent, markSays, answers } = stage
const DEMO = path.resolve(import.meta.dirname, '../../server/demo/content/course/junzheng')
const COURSE = '/course/course_detail/E2E_C'
const DAY = 86_400_000
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-course-'))
  writeFileSync(path.join(folder, 'long.mp3'), longLesson('1.mp3', 26))
  for (const name of ['1.vtt', '2.mp3', 'cover.svg']) copyFileSync(path.join(DEMO, name), path.join(folder, name))
  const lesson = (n: number, file: string) => ({ no: `E2E_l${n}`, title: `第${n}讲`, media: [file] })
  const subtitles = [{ lang: 'zh-CN', label: '中文', file: '1.vtt' }]
  const units = [
    {
      no: 'E2E_u',
      title: '单元',
      lessons: [{ ...lesson(1, 'long.mp3'), seconds: 1_400, subtitles }, lesson(2, '2.mp3')],
    },
  ]
  const course = {
    no: 'E2E_C',
    title: '离线课程',
    kind: 'audio',
    teacher: '教员',
    cover: 'cover.svg',
    price: 100,
    units,
  }
  const file = path.join(folder, 'course.json')
  writeFileSync(file, JSON.stringify({ format: 'lijian-course/1', directions: [], areas: [], ...course }))
  stage.product.importFile(file)
  importSpoken()
})

/** What is said in a lesson, with signs that WebVTT writes in its own way. */
const SAID = `WEBVTT

00:01.000 --> 00:03.000
<v 王教员>当 x &lt; 3 &amp;&amp; y&nbsp;&gt;&nbsp;2 时

00:04.000 --> 00:06.000
<b>动能</b>定理怎么用

00:07.000 --> 00:09.000
动能的变化等于功
`
/** A free course of one lesson, in which that is said; its files lie in `folder`. */
function importFree(name: string, kind: 'audio' | 'video', media: string, questions: readonly object[] = []): void {
  const subtitles = [{ lang: 'zh-CN', label: '中文', file: 'said.vtt' }]
  const lesson = { no: `E2E_${name}_1`, title: '动能', media: [media], questions, subtitles }
  const file = path.join(folder, `${name}.json`)
  writeFileSync(
    file,
    JSON.stringify({
      format: 'lijian-course/1',
      no: `E2E_${name}`,
      title: '有文稿的课程',
      kind,
      teacher: '教员',
      cover: 'cover.svg',
      directions: [],
      areas: [],
      units: [{ no: `E2E_${name}_u`, title: '单元', lessons: [lesson] }],
    }),
  )
  stage.product.importFile(file)
}
function importSpoken(): void {
  for (const [from, to] of [
    ['junzheng/2.mp3', 'spoken.mp3'],
    ['junzheng/1.mp3', 'corrected.mp3'],
    ['math0/1.webm', 'seen.webm'],
  ] as const)
    copyFileSync(path.join(DEMO, '..', from), path.join(folder, to))
  writeFileSync(path.join(folder, 'said.vtt'), SAID)
  importFree('audio', 'audio', 'spoken.mp3')
  importFree('video', 'video', 'seen.webm')
  importFree('asks', 'audio', 'spoken.mp3', [{ at: '0:02', no: 'E2E_q1' }])
}

const buy = (uid: string) =>
  stage.product.sql(`insert into entitlement (uid, kind, no, until) values ($1, 'course', 'E2E_C', $2)`, [
    uid,
    Date.now() + 30 * DAY,
  ])
const page = () => stage.phone.page
const button = (name: RegExp | string) => page().getByRole('button', { name })
const kept = () => page().getByRole('region', { name: '已下载课程' })

/** Parts of lessons on this phone, as file and place. */
const parts = async () =>
  (await rowsOf<string[]>(page(), 'jk-media', 'parts', 'getAllKeys')).map(
    ([, lesson, , file, n]) => `${lesson}/${file}/${n}`,
  )

/** The editions that those parts are of. */
const editions = async () =>
  (await rowsOf<string[]>(page(), 'jk-media', 'parts', 'getAllKeys')).map(([, , edition]) => edition)

/** Plays the kept file of a lesson as the engine hands it out, its parts side by side, and seeks to its end and back. */
const playAndSeek = (lesson: string) =>
  page().evaluate(async (no) => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('jk-media')
      request.onsuccess = () => resolve(request.result)
    })
    const rows = await new Promise<{ lesson: string; file: string; data: Blob }[]>((resolve) => {
      const request = db.transaction('parts').objectStore('parts').getAll()
      request.onsuccess = () => resolve(request.result)
    })
    db.close()
    const own = rows.filter((row) => row.lesson === no && row.file.endsWith('.mp3')).map(({ data }) => data)
    const audio = new Audio(URL.createObjectURL(new Blob(own, { type: 'audio/mpeg' })))
    const heard = (event: string) => new Promise((resolve) => audio.addEventListener(event, resolve, { once: true }))
    audio.muted = true
    await heard('loadedmetadata')
    const seeked = heard('seeked')
    audio.currentTime = audio.duration - 5
    await seeked
    await audio.play()
    await heard('timeupdate')
    const late = audio.currentTime > audio.duration - 6
    audio.currentTime = 10
    await heard('seeked')
    await heard('timeupdate')
    const back = audio.currentTime >= 10 && audio.currentTime < 20
    audio.pause()
    return { error: audio.error?.message ?? '', late, back, blobs: own.every((data) => data instanceof Blob) }
  }, lesson)

test('a lesson is downloaded, the transfer breaks, the browser is killed, it goes on by itself on any screen, and plays and seeks without a network', async () => {
  const { uid } = await keptStudent()
  await buy(uid)
  await open(COURSE)
  await workerReady(page())
  await button(/^下载 第1讲，5\.4 MB$/).waitFor()
  let asked = 0
  await page().route('**/media/lesson/**', (route) => (++asked > 3 ? route.abort() : route.continue()))
  await button(/^下载 第1讲/).click()
  await page().getByText('网络不可用，恢复后自动继续').first().waitFor()
  const before = await parts()
  expect(before).toHaveLength(3)

  await stage.phone.kill()
  await stage.phone.reopen()
  const ranges: string[] = []
  page().on('request', (request) => {
    if (request.url().includes('/media/lesson/')) ranges.push(request.headers()['range'] ?? '')
  })
  const told = Promise.withResolvers<void>()
  await page().route('**/media/lesson/**', (route) => told.promise.then(() => route.continue()))
  await open('/')
  await page().getByRole('progressbar', { name: '下载进度，共 1 项' }).waitFor()
  told.resolve()
  await expect.poll(async () => (await parts()).length, { timeout: 60_000 }).toBe(7)
  // What was there is not fetched again.
  expect(ranges).toHaveLength(4)
  await open('/user/my_course')
  await kept().getByText('已下载', { exact: true }).waitFor()

  await stage.phone.end()
  await stage.phone.reopen({ offline: true })
  await open('/user/my_course')
  await kept().getByText('已下载', { exact: true }).waitFor()
  await kept().getByText('课时占用 5.4 MB', { exact: true }).waitFor()
  expect(await playAndSeek('E2E_l1')).toEqual({ error: '', late: true, back: true, blobs: true })

  await button('移除已下载的 第1讲').click()
  await page().getByRole('dialog', { name: '移除下载' }).getByRole('button', { name: '移除' }).click()
  await kept()
    .getByText(/^还没有下载课时/)
    .waitFor()
  expect(await parts()).toEqual([])
})

test('a full device gives up a lesson, says so, and keeps the answer; what is left leaves at logout', async () => {
  const { uid } = await keptStudent()
  await buy(uid)
  // From the browser's start on, as faults.test.ts says.
  const session = await stage.phone.context.newCDPSession(page())
  const origin = stage.product.url
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 16_000_000 })
  await open(COURSE)
  await workerReady(page())
  await button('下载整门课程').click()
  await page().getByText('2 课时已下载').waitFor()
  await open(STUDY)
  await stem(page(), 1).waitFor()
  await page().evaluate(fillDevice)
  await solve(page())
  await page().getByText('存储空间不足，已移除课时“第1讲”').waitFor()
  await session.send('Storage.overrideQuotaForOrigin', { origin })
  await markSays(page(), /已同步/)
  expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  expect(await parts()).toEqual(['E2E_l2/1.mp3/0'])

  await open('/user/my_course')
  await kept().getByText('存储空间不足时已移除').waitFor()
  await open('/user/my_userinfo')
  await page().getByRole('button', { name: '退出登录' }).click()
  const dialog = page().getByRole('dialog', { name: '退出登录' })
  expect(await dialog.textContent()).toMatch(/已下载的 1 个课时（0\.2 MB）会移除/)
  await Promise.all([page().waitForEvent('load'), dialog.getByRole('button', { name: '退出', exact: true }).click()])
  await expect.poll(parts).toEqual([])
})

test.each([
  ['heard', '/course/course_audio/E2E_audio/E2E_audio_1', 'audio'],
  ['watched', '/course/course_video/E2E_video/E2E_video_1/course', 'video'],
])(
  'what is said in a lesson that is %s reads as it was meant, is searched in place, and a line jumps to its time',
  async (_, address, kind) => {
    await keptStudent()
    await open(address)
    const said = page().getByRole('region', { name: '文稿' })
    const lines = said.getByRole('listitem')
    await expect
      .poll(() => lines.allTextContents())
      .toEqual(['0:01当 x < 3 && y > 2 时', '0:04动能定理怎么用', '0:07动能的变化等于功'])
    await said.getByRole('textbox', { name: '在文稿里查找' }).fill('动能')
    await said.getByText('第 1 处，共 2 处').waitFor()
    expect(await said.locator('mark').allTextContents()).toEqual(['动能', '动能'])
    await page().keyboard.press('Enter')
    await said.getByText('第 2 处，共 2 处').waitFor()
    const at = () => page().evaluate((name) => document.querySelector<HTMLMediaElement>(name)?.currentTime, kind)
    await said.getByRole('button', { name: '动能的变化' }).click()
    await expect.poll(at).toBe(7)
    await open(`${address}?t=4`)
    await expect.poll(at).toBe(4)
    await expect.poll(() => new URL(page().url()).search).toBe('')
  },
)

test('in full screen a picture that is wider than high asks the phone to turn on its side, and gives it back', async () => {
  await keptStudent()
  const session = await stage.phone.context.newCDPSession(page())
  const turned: boolean[] = []
  session.on('Emulation.screenOrientationLockChanged', ({ locked, orientation }) =>
    turned.push(locked && orientation?.type === 'landscapePrimary'),
  )
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: 390,
    height: 800,
    deviceScaleFactor: 2,
    mobile: true,
    screenOrientation: { type: 'portraitPrimary', angle: 0 },
    screenOrientationLockEmulation: true,
  })
  await open('/course/course_video/E2E_video/E2E_video_1/course')
  await expect.poll(() => page().evaluate(() => document.querySelector('video')?.readyState)).toBeGreaterThan(0)
  await page().keyboard.press('f')
  await expect.poll(() => turned).toEqual([true])
  await page().keyboard.press('f')
  await expect.poll(() => turned).toEqual([true, false])
})

test('what a downloaded lesson says is found without a network by 搜题, and opens where it is said', async () => {
  await keptStudent()
  await stage.openLibraries()
  await page().getByRole('region', { name: 'E2E 章节题库' }).waitFor()
  await open('/course/course_detail/E2E_audio')
  await workerReady(page())
  await button('下载整门课程').click()
  await page().getByText('1 课时已下载').waitFor()
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  await open('/question/library')
  await button('搜题').click()
  const dialog = page().getByRole('dialog', { name: '搜题' })
  await dialog.getByRole('combobox', { name: '搜索题目' }).fill('x<3')
  const hit = dialog.getByRole('group', { name: '课程文稿' }).getByRole('option')
  await expect.poll(() => hit.allTextContents()).toEqual(['当 x < 3 && y > 2 时0:01动能有文稿的课程'])
  await dialog.getByRole('combobox', { name: '搜索题目' }).fill('定理怎么用')
  await expect.poll(() => hit.allTextContents()).toEqual(['动能定理怎么用0:04动能有文稿的课程'])
  await page().keyboard.press('Enter')
  await page().getByRole('region', { name: '文稿' }).waitFor()
  await expect.poll(() => page().evaluate(() => document.querySelector('audio')?.currentTime)).toBe(4)
})

test('a corrected lesson is offered with its size where the old one is; that plays on until the new one is whole, and then the new one plays, all without a network', async () => {
  await keptStudent()
  importFree('fixed', 'audio', 'spoken.mp3')
  await open('/course/course_detail/E2E_fixed')
  await workerReady(page())
  await button('下载整门课程').click()
  await page().getByText('1 课时已下载').waitFor()
  const [before] = await editions()

  importFree('fixed', 'audio', 'corrected.mp3')
  // Its page is told of it as soon as the course answers; the copy on the device plays until then and beyond.
  await open('/course/course_detail/E2E_fixed')
  const update = button('更新（0.2 MB） 动能')
  await update.waitFor()
  const duration = () => page().evaluate(() => Math.round(document.querySelector('audio')?.duration ?? 0))
  await stage.phone.context.setOffline(true)
  await open('/course/course_audio/E2E_fixed/E2E_fixed_1')
  await expect.poll(duration).toBe(50)
  await stage.phone.context.setOffline(false)
  await open('/user/my_course')
  await kept().getByText('有新版').waitFor()
  await update.click()
  // The old one leaves when the new one is whole.
  await expect.poll(async () => (await editions()).includes(before)).toBe(false)

  await stage.phone.end()
  await stage.phone.reopen({ offline: true })
  await open('/course/course_audio/E2E_fixed/E2E_fixed_1')
  await expect.poll(duration).toBe(54)
})

const edgesOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect())

test('a downloaded lesson stops to ask something without a network; the answer counts on the server once there is one', async () => {
  const { uid } = await keptStudent()
  await open('/course/course_detail/E2E_asks')
  await workerReady(page())
  await button('下载整门课程').click()
  await page().getByText('1 课时已下载').waitFor()
  await stage.phone.end()

  await stage.phone.reopen({ offline: true })
  await open('/course/course_audio/E2E_asks/E2E_asks_1')
  await page().getByRole('region', { name: '课中提问' }).waitFor()
  await button('播放').click()
  const asked = page().getByRole('dialog', { name: '课中提问 0:02' })
  await asked.getByText('第1章第1题：').waitFor()
  const stands = () => page().evaluate(() => document.querySelector('audio')?.paused)
  expect(await stands()).toBe(true)
  // The way on stands below what can be ticked, and leaves no empty room below itself.
  const never = await edgesOf(asked.locator('label', { hasText: '以后不再停下来提问' }))
  const way = await edgesOf(asked.getByRole('button', { name: '跳过，继续收听' }))
  expect(way.top).toBeGreaterThanOrEqual(never.bottom)
  expect((await edgesOf(asked)).bottom - way.bottom).toBeLessThanOrEqual(21)
  await solve(page())
  await page().keyboard.press('Enter')
  await asked.waitFor({ state: 'detached' })
  await expect.poll(stands).toBe(false)
  await button(/^0:02.*答对/).waitFor()
  await stage.phone.context.setOffline(false)
  await expect.poll(() => answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
})
