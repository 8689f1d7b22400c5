import { Blob } from 'node:buffer'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '#src/features/course/CourseDetailPage.tsx'
import '#src/features/course/download/GroupDownload.tsx'
import '#src/features/course/download/KeptCourses.tsx'
import '#src/features/course/download/LessonDownload.tsx'
import '#src/features/course/download/LessonUpdate.tsx'
import '#src/features/course/lesson/LessonPage.tsx'
import { lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type LessonFiles, noise, publishLessons } from '#tests/support/lessons.ts'
import { giveMedia, media } from '#tests/support/mediaElement.ts'
import { silence } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const MB = 1024 ** 2
const OLD: LessonFiles = { '1.mp3': noise(1.2 * MB) }
const NEW: LessonFiles = { '1.mp3': noise(1.8 * MB) }

let no = ''
let courses = 0
const stage = setScreens(async () => giveMedia())
beforeEach(async () => {
  let made = 0
  // jsdom's own cannot be put into a database.
  vi.stubGlobal('Blob', Blob)
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => `blob:${++made}`, revokeObjectURL: () => {} }))
  no = `U${++courses}`
  await publish(OLD, OLD)
  await lessons.open()
})
afterEach(async () => {
  stage.wire.fault = null
  await lessons.remove([...(lessons.get().rows?.keys() ?? [])])
})

const publish = (first: LessonFiles, second: LessonFiles) =>
  publishLessons(stage.server, { [`${no}_1`]: first, [`${no}_2`]: second }, { no })
const visit = async (path: string) => {
  await stage.open(path)
}
async function download(...numbers: number[]): Promise<void> {
  const of = { course: no, courseTitle: `${no} 课程`, bytes: 1, free: true }
  await lessons.start(numbers.map((n) => ({ ...of, lesson: `${no}_${n}`, title: `第${n}课` })))
  for (const n of numbers) await eventually(() => expect(revOf(n)).toBeTruthy())
}
const revOf = (n: number) => lessons.get().rows?.get(`${no}_${n}`)?.ready?.media.rev
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const tap = async (name: string | RegExp) => userEvent.click(await button(name))

describe('更新 of a downloaded lesson that was corrected', () => {
  test('stands on its row in the course with its size, and brings the new one', async () => {
    await download(1)
    const old = revOf(1)
    await publish(NEW, OLD)
    await visit(`/course/course_detail/${no}`)
    await screen.findByText('有新版，更新完成前旧版照常能学')
    expect((await button('更新（1.8 MB） 第1课')).textContent).toBe('更新（1.8 MB）')
    await tap('更新（1.8 MB） 第1课')
    await screen.findByText('已下载')
    expect(revOf(1)).not.toBe(old)
    expect(screen.queryByText(/有新版/)).toBeNull()
  })

  test('stands in 已下载课程, which asks for the courses of what it lists, and is one tap for several', async () => {
    await download(1, 2)
    await publish(NEW, NEW)
    await visit('/course/course_list?kept=1')
    const list = within(await screen.findByRole('region', { name: `${no} 课程` }))
    await list.findByRole('button', { name: '更新（1.8 MB） 第1课' })
    await list.findByRole('button', { name: '更新（1.8 MB） 第2课' })
    await tap('全部更新（3.6 MB）')
    await eventually(() => expect(list.getAllByText('已下载')).toHaveLength(2))
    expect(screen.queryByRole('button', { name: /更新/ })).toBeNull()
  })

  test('stands under the lesson that plays; the old one plays on until the student takes the new one, where they are', async () => {
    await download(1)
    const [old] = [revOf(1)]
    await publish(NEW, OLD)
    await visit(`/course/course_audio/${no}/${no}_1`)
    const bar = within(await screen.findByRole('region', { name: '课时更新' }))
    bar.getByText('已下载的是旧版')
    const audio = () => {
      const found = document.querySelector('audio')
      if (!found) throw new Error('nothing plays here')
      return found
    }
    await eventually(() => expect(audio().getAttribute('src')).toMatch(/^blob:/))
    media.loaded(audio(), 60)
    await audio().play()
    media.plays(audio(), 25)
    expect(bar.queryByRole('button', { name: /移除/ })).toBeNull()
    const playing = audio().getAttribute('src')
    stage.wire.fault = (sent, signal) => (sent.headers.range === 'bytes=0-1048575' ? silence(sent, signal) : null)
    await tap('更新（1.8 MB） 第1课')
    await bar.findByRole('button', { name: '暂停下载 第1课' })
    expect([revOf(1), audio().getAttribute('src')]).toEqual([old, playing])
    await tap('暂停下载 第1课')
    stage.wire.fault = null
    await tap('继续下载 第1课')
    await bar.findByText('新版已下载，正在播放的还是旧版')
    expect(audio().getAttribute('src')).toBe(playing)
    await tap('换成新版')
    await eventually(() => expect(audio().getAttribute('src')).not.toBe(playing))
    media.loaded(audio(), 60)
    expect(audio().currentTime).toBe(25)
    await eventually(() => expect(screen.queryByRole('region', { name: '课时更新' })).toBeNull())
  })

  test('is not spoken of where the copy is the one that is offered', async () => {
    await download(1)
    await visit(`/course/course_audio/${no}/${no}_1`)
    await screen.findByRole('heading', { level: 1, name: '第1课' })
    await eventually(() => expect(document.querySelector('audio')?.getAttribute('src')).toMatch(/^blob:/))
    expect(screen.queryByText(/旧版|新版/)).toBeNull()
  })
})

test('a lesson that plays from the network asks for no hashes', async () => {
  await visit(`/course/course_audio/${no}/${no}_2`)
  await eventually(() => expect(document.querySelector('audio')?.getAttribute('src')).toContain('/media/lesson/'))
  const asked = stage.wire.sent.filter(({ path }) => path === '/pcapi/course/lesson')
  expect(asked.map(({ body }) => body.hashes)).toEqual(['false'])
})
