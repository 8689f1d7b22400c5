// Ahead of time: what the page loads lazily takes a busy machine longer than a test waits.
import { onDisk } from '#tests/support/drafts.ts'
import '#src/app/Available.tsx'
import { screen, within } from '@testing-library/react'
import { onlineManager } from '@tanstack/react-query'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lastSitting } from '#src/offline/drafts/sitting.ts'
import { lessons } from '#src/offline/downloads/lessons/lessons.ts'
import { offline } from '#src/offline/index.ts'
import { keepQuestions } from '#src/offline/downloads/keptQuestions.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { memoryCaches } from '#tests/support/cacheStorage.ts'
import { noise, publishLessons } from '#tests/support/lessons.ts'
import { single } from '#tests/support/questions.ts'
import { placeIn } from '#tests/support/states.ts'
import { nobody } from '#tests/support/wire.ts'
import { setScreens } from '#tests/support/screens.ts'

const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 2, perChapter: 5 }))
})
beforeEach(() => {
  vi.stubGlobal('caches', memoryCaches())
})
afterEach(() => {
  onlineManager.setOnline(true)
})

const { open } = stage

test('a card of what is not here says what to do when nothing is, and goes away by itself when the network is back', async () => {
  stage.wire.fault = nobody
  await open('/question/library_study/L_c2/5/x')
  await within(await screen.findByRole('alert')).findByText(/^还没有下载题目和课时。/)
  onlineManager.setOnline(false)
  stage.wire.fault = null
  onlineManager.setOnline(true)
  await screen.findByRole('heading', { level: 1, name: /^第1题，共5题/ })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a card of what is not here names the chapters, papers and wrong questions that are, and leads to them', async () => {
  const student = await stage.server.student()
  prepareDevice(student)
  await open('/question/library_study/L_c1/5/x')
  await screen.findByRole('heading', { level: 1, name: /^第1题，共5题/ })
  await expect.poll(() => stage.app?.queryClient.isFetching()).toBe(0)
  await open('/question/library')
  await screen.findByRole('region', { name: 'L 章节题库' })
  await expect.poll(() => stage.app?.queryClient.isFetching()).toBe(0)
  for (const questionNo of ['L_q1', 'L_q2'])
    await offline.recordAnswer({
      questionNo,
      response: { kind: 'choice', ids: ['A'] },
      spentMs: 1,
      from: 'library',
      version: 1,
      right: false,
      place: placeIn(),
    })
  await keepQuestions(offline.owner, [{ question: single('L_q1'), chapterNo: 'L_c1', libraryNo: 'L', retired: false }])
  const value = { id: 'a', setNo: 'S', itemNo: 'here', mode: 'exam', startedAt: 1 }
  await offline.saveDraft({ key: onDisk(lastSitting.key('here', 'exam')), value })
  await offline.saveDraft({
    key: onDisk(lastSitting.key('gone', 'exam')),
    value: { ...value, id: 'b', itemNo: 'gone' },
  })
  const paper = 'http://localhost/pcapi/questionSet/paper?area=0&itemNo=here&key=jg&no=S&sg_key=jg'
  await (await caches.open(`api-v1:${offline.owner}`)).put(paper, new Response())
  stage.wire.fault = nobody
  await open('/question/library_study/L_c2/5/x')
  const here = within(await screen.findByRole('navigation', { name: '现在可以离线学习' }))
  expect(here.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    '题库1 个章节：L 章节题库',
    '我的题集1 套试卷',
    '我的错题1 题',
  ])
  await userEvent.click(here.getByRole('link', { name: /^题库/ }))
  await screen.findByRole('region', { name: 'L 章节题库' })
})

test('a card of what is not here leads a visitor to the lessons on this phone, which no login keeps from them', async () => {
  await publishLessons(stage.server, { V1: { '1.mp3': noise(1_000) } })
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('probably')
  await lessons.start([{ lesson: 'V1', title: '第1课', course: 'C', courseTitle: 'C 课程', bytes: 1, free: true }])
  await expect.poll(() => lessons.get().rows?.get('V1')?.ready).toBeTruthy()
  stage.wire.fault = nobody
  await open('/course/course_detail/NONE')
  await userEvent.click(await screen.findByRole('link', { name: '已下载课程1 个已下载的课时' }))
  await within(await screen.findByRole('region', { name: 'C 课程' })).findByText('第1课')
  await lessons.remove(['V1'])
})
