import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { bankJson } from '#tests/support/bank.ts'
import { rowsOf, workerReady } from './browser.ts'
import { setStage } from './stage.ts'

const stage = setStage({ own: true })
const { open, openLibraries, stem, choose, solve, student, markSays, answers } = stage

const card = () => stage.phone.page.getByRole('region', { name: 'E2E 章节题库' })
const act = (name: string) => card().getByRole('button', { name: `${name} E2E 章节题库` })
const downloaded = () =>
  card()
    .getByText(/^已下载 · /)
    .waitFor()
const blocksOnPhone = async () => (await rowsOf(stage.phone.page, 'jk-packs', 'blocks', 'getAllKeys')).length

/** The browser is killed while a download that hangs says that it is under way, and opened again with a server that answers. */
async function beKilledAt(going: () => Locator): Promise<void> {
  // Logins are in the browser's memory for seconds: on disk before the kill.
  await stage.phone.end()
  await stage.phone.reopen()
  await stage.product.wire.set('hang')
  await openLibraries()
  await going().first().waitFor()
  await stage.phone.kill()
  await stage.product.wire.set('ok')
  await stage.phone.reopen()
  await openLibraries()
}

/** As after the five minutes for which a list is fresh. */
async function forgetLists(uid: string): Promise<void> {
  await stage.phone.page.goto(`${stage.product.url}/icon.svg`)
  await stage.phone.page.evaluate(
    (name) =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase(name).onsuccess = resolve
      }),
    `jk-cache:u:${uid}`,
  )
}

test('a library is downloaded, the browser is killed in the middle, it goes on by itself, and chapters never opened are studied offline', async () => {
  const { uid } = await student()
  await openLibraries()
  await workerReady(stage.phone.page)
  // The manifest comes, the questions do not.
  await stage.phone.page.route('**/question/blocks*', (route) => route.abort())
  await act('下载离线包').click()
  await card()
    .getByText(/^网络不可用，已下载/)
    .first()
    .waitFor()
  await beKilledAt(() => card().getByText(/^(正在下载|排队)/))
  await downloaded()
  expect(await blocksOnPhone()).toBe(4)

  await stage.phone.end()
  await stage.phone.reopen({ offline: true })
  await open('/question/library_study/E2E_c2/20/第2章')
  const { page } = stage.phone
  await page.getByText('第2章第1题：').waitFor()
  await solve(page)
  await stage.phone.context.setOffline(false)
  await markSays(page, /已同步/)
  expect(await answers(uid)).toEqual([{ question_no: 'E2E_q41', times: 1, wrong: 0 }])
})

test('all libraries are downloaded by one tap, the browser is killed in the middle, and what was never opened is studied offline', async () => {
  await student()
  await openLibraries()
  await workerReady(stage.phone.page)
  const all = () => stage.phone.page.getByRole('region', { name: '下载全部题库' })
  await stage.phone.page.route('**/question/blocks*', (route) => route.abort())
  await all().getByRole('button', { name: '下载全部题库' }).click()
  await all().getByText('网络不可用，恢复后自动继续').waitFor()
  await beKilledAt(() => all().getByText(/^正在下载/))
  await all()
    .getByText(/^\d+ 个题库都已下载$/)
    .waitFor()

  await stage.phone.end()
  await stage.phone.reopen({ offline: true })
  for (const chapter of ['L_chemistry_1', 'L_history_2_2']) {
    await open(`/question/library_study/${chapter}/20/x`)
    await stage.phone.page.getByRole('heading', { level: 1, name: /^第1题/ }).waitFor()
  }
})

test('a pack is updated by what changed, and removed without losing an answer that waits', async () => {
  const { uid } = await student()
  await openLibraries()
  await act('下载离线包').click()
  await downloaded()
  await workerReady(stage.phone.page)
  const bank = bankJson({ prefix: 'E2E', chapters: 2, perChapter: 40 })
  const questions = bank.questions.map((each, i) => (i === 0 ? { ...each, analysis: '改过的解析。' } : each))
  stage.product.importBank({ ...bank, questions })
  await forgetLists(uid)
  await openLibraries()
  const asked: string[] = []
  stage.phone.page.on('request', (request) => {
    if (request.url().endsWith('/question/blocks')) asked.push(request.postData() ?? '')
  })
  await act('更新').click()
  await act('更新').waitFor({ state: 'detached' })
  await downloaded()
  expect(asked.map((form) => JSON.parse(new URLSearchParams(form).get('list') ?? '[]').length)).toEqual([1])

  await open('/question/library_study/E2E_c1/20/第1章')
  await stem(stage.phone.page, 1).waitFor()
  await stage.product.wire.set('down')
  await choose(stage.phone.page, 'B')
  await stage.phone.page.getByText('改过的解析。').waitFor()
  await openLibraries()
  await act('移除').click()
  const sure = stage.phone.page.getByRole('dialog', { name: '移除离线包' })
  expect(await sure.textContent()).toContain('未同步的答案')
  await sure.getByRole('button', { name: '移除' }).click()
  await act('下载离线包').waitFor()
  expect(await blocksOnPhone()).toBe(0)
  await stage.product.wire.set('ok')
  await markSays(stage.phone.page, /已同步/)
  expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
})

test('a listening question is heard without a network once its library is downloaded, its transcript is told after the answer, and a recording that is not here says what to do', async () => {
  await student()
  await openLibraries('英语')
  const { page } = stage.phone
  const library = page.getByRole('region', { name: '英语听力题库' })
  expect(await library.getByText(/^离线包 · 下载/).textContent()).toMatch(/ 0\.\d MB$/)
  await library.getByRole('button', { name: /^下载离线包/ }).click()
  await library.getByText(/^已下载 · /).waitFor()
  await workerReady(page)
  await stage.product.wire.set('down')
  await open('/question/library_study/L_english_listening_1/20/x?q=eng_lis_01')
  const recording = page.getByLabel('听力录音')
  await expect.poll(() => recording.getAttribute('src')).toMatch(/^blob:/)
  const play = () =>
    recording.evaluate(async (audio) => {
      if (audio instanceof HTMLAudioElement) await audio.play().catch(() => {})
    })
  const heard = () => recording.evaluate((audio) => audio instanceof HTMLAudioElement && audio.currentTime)
  await play()
  await expect.poll(heard).toBeGreaterThan(0.2)
  expect(await page.getByText('听力原文').count()).toBe(0)
  await choose(page, 'C')
  await page.getByText('听力原文').waitFor()

  await stage.product.wire.set('ok')
  await page.evaluate(() => caches.delete('pack-img-v1'))
  await page.route('**/media/*.mp3', (route) => route.abort())
  await open('/question/library_study/L_english_listening_1/20/x?q=eng_lis_02')
  await play()
  await page.getByRole('alert').getByText('录音没有加载出来').waitFor()
  await page.unroute('**/media/*.mp3')
  await page.getByRole('button', { name: '重试' }).click()
  await expect.poll(heard).toBeGreaterThan(0.2)
})

test('省流模式 fetches a picture when it is tapped, and not before', async () => {
  await student()
  await open('/user/my_userinfo')
  await stage.phone.page.getByRole('switch', { name: '省流模式' }).check()
  const { page } = stage.phone
  const media: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/media/') && request.method() === 'GET') media.push(request.url())
  })
  const [row] = await stage.product.sql<{ no: string; chapter_no: string }>(
    `select no, chapter_no from question where type <> 'composite' and body ->> 'stem' like '%<img src=%' and not retired limit 1`,
  )
  await open(`/question/library_study/${row?.chapter_no}/20/x?q=${row?.no}`)
  const offer = page.getByRole('button', { name: /^图片.*点按加载图片$/ }).first()
  await offer.waitFor()
  await expect.poll(() => offer.textContent()).toMatch(/^图片 \d+ KB/)
  expect(media).toEqual([])
  await offer.click()
  await expect.poll(() => media.length).toBe(1)
  await page.locator('main img[src^="/media/"]').first().waitFor()
})
