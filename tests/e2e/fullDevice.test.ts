import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { fillDevice, rowsOf, workerReady } from './browser.ts'
import { reload, setStage, STUDY } from './stage.ts'

const stage = setStage({ own: true })
const { open, stem, solve, keptStudent, markSays, answers } = stage
const MB = 1024 ** 2
/** What a download must leave for answers (offline/device/room.ts). */
const MARGIN = 50 * MB
const LESSON = 150 * MB
const QUOTA = 120 * MB
const COURSE = '/course/course_detail/E2E_full'

/** A spoken lesson again and again, until it is as long as a film. */
function filmSized(): Buffer {
  const spoken = readFileSync(path.resolve(import.meta.dirname, '../../server/demo/content/course/junzheng/1.mp3'))
  for (const mark of ['Xing', 'Info'])
    if (spoken.includes(mark)) spoken.fill(0, spoken.indexOf(mark), spoken.indexOf(mark) + 4)
  return Buffer.concat(Array.from({ length: Math.ceil(LESSON / spoken.length) }, () => spoken))
}

beforeAll(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-full-'))
  writeFileSync(path.join(folder, 'long.mp3'), filmSized())
  const file = path.join(folder, 'course.json')
  const lessons = [1, 2].map((n) => ({ no: `E2E_f${n}`, title: `第${n}讲`, media: ['long.mp3'], seconds: 40_000 }))
  writeFileSync(path.join(folder, 'cover.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>')
  const course = { no: 'E2E_full', title: '装满手机的课程', kind: 'audio', teacher: '教员', cover: 'cover.svg' }
  const rest = { directions: [], areas: [], units: [{ no: 'E2E_fu', title: '单元', lessons }] }
  writeFileSync(file, JSON.stringify({ format: 'lijian-course/1', ...course, ...rest }))
  stage.product.importFile(file)
})

const page = () => stage.phone.page
const note = () => page().getByText('存储空间不足，下载已暂停。请移除一些已下载的课时或离线包，再继续', { exact: true })
const parts = () => rowsOf<string[]>(page(), 'jk-media', 'parts', 'getAllKeys')

/** Whether so much can really be written now; it is deleted again, unless it is to fill the device. */
const canWrite = (bytes: number, stays = false): Promise<boolean> =>
  page().evaluate(
    async ([size, keeps]) => {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('measure', 1)
        request.onupgradeneeded = () => request.result.createObjectStore('x', { autoIncrement: true })
        request.onsuccess = () => resolve(request.result)
      })
      const slice = new Uint8Array(1024 ** 2)
      for (let at = 0; at < slice.length; at += 65_536) crypto.getRandomValues(slice.subarray(at, at + 65_536))
      const put = () =>
        new Promise<boolean>((resolve) => {
          const tx = db.transaction('x', 'readwrite')
          tx.objectStore('x').put(new Blob([slice]))
          tx.oncomplete = () => resolve(true)
          tx.onabort = () => resolve(false)
        })
      let written = 0
      while (written < size && (await put())) written += slice.length
      db.close()
      if (!keeps) await new Promise((resolve) => (indexedDB.deleteDatabase('measure').onsuccess = resolve))
      return written >= size
    },
    [bytes, stays] as const,
  )

test('a download that fills the device pauses, says so, leaves room for answers, does not begin again by itself, and an answer given then is kept', async () => {
  const { uid } = await keptStudent()
  const origin = stage.product.url
  const limit = async (quotaSize?: number) => {
    const session = await stage.phone.context.newCDPSession(page())
    await session.send('Storage.overrideQuotaForOrigin', quotaSize === undefined ? { origin } : { origin, quotaSize })
  }
  await limit(QUOTA)
  await open(COURSE)
  await workerReady(page())
  await page().getByRole('button', { name: '下载整门课程' }).click()
  await page().getByRole('dialog', { name: '下载课时' }).getByRole('button', { name: '现在下载' }).click()
  await note().first().waitFor({ timeout: 90_000 })
  expect(await canWrite(MARGIN)).toBe(true)
  const kept = await parts()
  expect(kept.length).toBeGreaterThan(10)
  // The second lesson does not take the room that the first one gave back.
  expect(new Set(kept.map(([, lesson]) => lesson))).toEqual(new Set(['E2E_f1']))

  await stage.phone.end()
  await stage.phone.reopen()
  await limit(QUOTA)
  const asked: string[] = []
  page().on('request', (request) => {
    if (request.url().includes('/media/lesson/')) asked.push(request.url())
  })
  await open('/user/my_course')
  await note().first().waitFor()
  const region = page().getByRole('region', { name: '已下载课程' })
  expect(await region.textContent()).toMatch(/课时占用 [\d.]+ MB/)
  expect(await region.textContent()).not.toContain('还可用')

  await open(STUDY)
  await stem(page(), 1).waitFor()
  // Nothing that the browser makes smaller, and then down to what an answer takes.
  expect(await canWrite(QUOTA, true)).toBe(false)
  await page().evaluate(fillDevice)
  await solve(page())
  await limit()
  await markSays(page(), /已同步/)
  await reload(page())
  expect(await answers(uid)).toEqual([{ question_no: 'E2E_q1', times: 1, wrong: 0 }])
  expect(asked).toEqual([])
  // A half download gave way for the answer, and no more of it than the answer needs.
  expect((await parts()).length).toBeGreaterThan(kept.length / 2)
})
