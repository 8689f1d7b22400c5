import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { dueBetween, NOTHING_ASKED, settled } from '#src/features/course/lesson/questions/asking.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, LESSON_SECONDS, publishCourse } from '#tests/support/courses.ts'
import { giveMedia, media } from '#tests/support/mediaElement.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { connect, nobody, type Wire } from '#tests/support/wire.ts'

let server: TestServer
let wire: Wire
let app: { close: () => void } | null = null
let student: Awaited<ReturnType<TestServer['student']>>
let courses = 0
let no = ''
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson({ chapters: 1, perChapter: 30 }))
  student = await server.student()
  // A page's owner is fixed when its files are loaded, so they are loaded as this student.
  localStorage.setItem('user', JSON.stringify(student))
  giveMedia()
  await import('#src/features/course/lesson/LessonPage.tsx')
  await import('#src/features/course/lessonQuestion/QuestionSheet.tsx')
})
afterAll(() => server.close())
beforeEach(async () => {
  wire = connect(server)
  no = `K${(courses += 1)}`
  const { prepareDevice } = await import('#tests/support/app.tsx')
  prepareDevice(student)
})
afterEach(() => {
  app?.close()
  app = null
  wire.restore()
  vi.restoreAllMocks()
})

/** Numbers of this test's own questions: what one test answers, another has not. */
const question = (n: number) => `L_q${courses * 3 + n}`
const stem = (n: number) => new RegExp(`第1章第${courses * 3 + n}题`)
async function open(...times: number[]): Promise<HTMLMediaElement> {
  const row = courseRow({ no, units: [[`${no}_1`, `${no}_2`]] })
  const asked = times.map((at, i) => ({ at, no: question(i + 1) }))
  const units = row.units.map((unit) => ({
    ...unit,
    lessons: unit.lessons.map((each, i) => (i === 0 ? { ...each, questions: asked } : each)),
  }))
  await publishCourse(server, { ...row, units })
  const { openApp } = await import('#tests/support/app.tsx')
  app = await openApp(`/course/course_audio/${no}/${no}_1`)
  await screen.findByRole('heading', { level: 1, name: '第1课' })
  await expect.poll(() => element().getAttribute('src')).toContain(`/${no}_1/`)
  media.loaded(element(), LESSON_SECONDS)
  if (times.length > 0) await screen.findByRole('heading', { name: '课中提问' })
  await element().play()
  return element()
}
const element = () => {
  const found = document.querySelector<HTMLMediaElement>('audio, video')
  if (!found) throw new Error('nothing plays here')
  return found
}
const sheet = () => screen.findByRole('dialog', { name: /^课中提问/ })
const noSheet = () => expect(screen.queryByRole('dialog')).toBeNull()
/** Plays on from where it stands; it stops by itself where it is asked. */
const plays = async (audio: HTMLMediaElement, to: number) => {
  media.plays(audio, to)
  await Promise.resolve()
}
const stateOf = async (n: number) => {
  const { offline } = await import('#src/offline/index.ts')
  return (await offline.states([question(n)])).get(question(n))
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

describe('a lesson that asks something', () => {
  test('stops there; an answer is marked, explained and counted, and it goes on', async () => {
    const audio = await open(20)
    await plays(audio, 19)
    noSheet()
    await plays(audio, 20.5)
    const asked = within(await sheet())
    expect(audio.paused).toBe(true)
    asked.getByText(stem(1))
    await userEvent.click(asked.getByRole('radio', { name: /^A/ }))
    await asked.findByText('逐一相加即可。')
    expect(asked.getByRole('status').textContent).toBe('回答错误，正确答案 B')
    expect(await stateOf(1)).toMatchObject({ times: 1, wrong: 1, book: { from: 'lesson', out: false } })
    await press('继续收听')
    noSheet()
    expect(audio.paused).toBe(false)
    expect(audio.currentTime).toBe(20.5)
    within(screen.getByRole('region', { name: '课中提问' })).getByRole('button', { name: /0:20.*单选题.*答错/ })
  })

  test('goes on without an answer for who skips it, and nothing counts', async () => {
    const audio = await open(20)
    await plays(audio, 20.5)
    await sheet()
    await press('跳过，继续收听')
    noSheet()
    expect(audio.paused).toBe(false)
    expect(await stateOf(1)).toBeUndefined()
    screen.getByRole('button', { name: /0:20.*已跳过/ })
  })

  test('asks once in a viewing, and again for who taps the question in the list', async () => {
    const audio = await open(20)
    await plays(audio, 20.5)
    await sheet()
    await press('跳过，继续收听')
    audio.currentTime = 10
    await Promise.resolve()
    await plays(audio, 25)
    noSheet()
    await press(/0:20.*已跳过/)
    const asked = within(await sheet())
    expect(audio.paused).toBe(true)
    await userEvent.click(asked.getByRole('radio', { name: /^B/ }))
    await press('继续收听')
    await screen.findByRole('button', { name: /0:20.*答对/ })
    expect(audio.paused).toBe(false)
  })

  test('does not ask what is seeked over; both of one moment are asked, one after the other', async () => {
    const audio = await open(20, 40, 40)
    audio.currentTime = 30
    await Promise.resolve()
    await plays(audio, 39)
    noSheet()
    await plays(audio, 40.5)
    within(await sheet()).getByText(stem(2))
    await press('跳过，继续收听')
    within(await sheet()).getByText(stem(3))
    expect(audio.paused).toBe(true)
    await press('跳过，继续收听')
    noSheet()
    expect(audio.paused).toBe(false)
    screen.getByRole('button', { name: /0:20.*未作答/ })
  })

  test('is answered by keyboard alone: the focus comes to the sheet, to what is next, and back', async () => {
    const user = userEvent.setup()
    const audio = await open(20)
    const toggle = await screen.findByRole('button', { name: '暂停' })
    toggle.focus()
    await plays(audio, 20.5)
    const asked = await sheet()
    expect(asked.contains(document.activeElement)).toBe(true)
    // A letter is no key of the player while a question is on the screen.
    await user.keyboard('k')
    expect(audio.paused).toBe(true)
    within(asked).getByRole('radio', { name: /^B/ }).focus()
    await user.keyboard(' ')
    const confirm = within(asked).queryByRole('button', { name: '确认答案' })
    if (confirm) {
      confirm.focus()
      await user.keyboard('{Enter}')
    }
    const onward = await within(asked).findByRole('button', { name: '继续收听' })
    await expect.poll(() => document.activeElement).toBe(onward)
    await user.keyboard('{Enter}')
    noSheet()
    expect(audio.paused).toBe(false)
    expect(document.activeElement).toBe(toggle)
  })

  test('asks no more once the student does not want it, and the list turns it on again', async () => {
    const audio = await open(20, 40)
    await plays(audio, 20.5)
    const asked = within(await sheet())
    await userEvent.click(asked.getByRole('checkbox', { name: '以后不再停下来提问' }))
    await press('跳过，继续收听')
    await plays(audio, 45)
    noSheet()
    const stops = screen.getByRole('switch', { name: '播放到提问处停下来作答' })
    expect(stops).toHaveProperty('checked', false)
    await userEvent.click(stops)
    audio.currentTime = 35
    await Promise.resolve()
    await plays(audio, 40.5)
    await sheet()
  })

  test('goes on while nobody sees it: a phone in the pocket does not fall silent', async () => {
    const audio = await open(20)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await plays(audio, 30)
    noSheet()
    expect(audio.paused).toBe(false)
    screen.getByRole('button', { name: /0:20.*未作答/ })
  })

  test('takes the play key of a headset as a wish to go on', async () => {
    const audio = await open(20)
    await plays(audio, 20.5)
    await sheet()
    await audio.play()
    await screen.findByRole('button', { name: /0:20.*已跳过/ })
    noSheet()
    expect(audio.paused).toBe(false)
  })

  test('keeps an answer without a network, as any other', async () => {
    const audio = await open(20)
    wire.fault = nobody
    await plays(audio, 20.5)
    const asked = within(await sheet())
    await userEvent.click(asked.getByRole('radio', { name: /^B/ }))
    await asked.findByText('逐一相加即可。')
    expect(await stateOf(1)).toMatchObject({ times: 1, wrong: 0 })
    await press('继续收听')
    expect(audio.paused).toBe(false)
  })
})

test('a lesson without questions shows nothing of them', async () => {
  const audio = await open()
  await plays(audio, 50)
  noSheet()
  expect(screen.queryByRole('heading', { name: '课中提问' })).toBeNull()
})

describe('what is due', () => {
  const asks = (at: number, number: string) =>
    ({ at, question: { no: number } }) as Parameters<typeof dueBetween>[0][number]
  const list = [asks(5, 'a'), asks(9, 'b')]

  test('lies behind where it played from, and not beyond where it has come to', () => {
    const due = (from: number, to: number) => dueBetween(list, NOTHING_ASKED, from, to)?.question.no ?? null
    expect([due(0, 4.9), due(4.9, 5), due(5, 5.2), due(0, 20), due(5, 9), due(9, 20)]).toEqual([
      null,
      'a',
      null,
      'a',
      'b',
      null,
    ])
  })
  test('is nothing that was asked before; who looks at an answer again has not taken it back', () => {
    const [a] = list
    if (!a) throw new Error('two questions')
    const right = settled({ outcomes: {}, asked: a }, 'right')
    expect(dueBetween(list, right, 0, 20)?.question.no).toBe('b')
    expect(settled({ ...right, asked: a }, 'skipped').outcomes).toEqual({ a: 'right' })
    expect(settled(NOTHING_ASKED, 'right')).toEqual(NOTHING_ASKED)
  })
})
