import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LessonMedia } from '#src/contract/course.ts'
import { termsOf } from '#src/domain/text/searchText.ts'
import { ANONYMOUS } from '#src/offline/device/names.ts'
import { createLessonStore } from '#src/offline/downloads/lessons/lessonStore.ts'
import { type LessonRow, openMedia } from '#src/offline/downloads/lessons/media.ts'
import { findSaid, lessonsOnDevice } from '#src/search/lessons.ts'

const NOW = Date.UTC(2026, 10, 26)
const DAY = 86_400_000
let people = 0
let me = ''
beforeEach(() => {
  me = `u:l${++people}`
})

/** A lesson as its download leaves it, with what it says; null: its subtitles are not on this device any more. */
async function keep(no: string, said: string | null, row: Partial<LessonRow> = {}): Promise<void> {
  const vtt = `WEBVTT\n\n00:05.000 --> 00:06.000\n${said}\n\n00:07.000 --> 00:08.000\n又一句\n`
  const bytes = Buffer.byteLength(vtt)
  const file = { name: 'zh-CN.vtt', type: 'text/vtt', bytes, parts: ['0'] }
  const media: LessonMedia = {
    lesson: no,
    course: 'C',
    kind: 'audio',
    rev: `r${no}`,
    base: '/',
    until: NOW,
    rightUntil: null,
    renditions: [],
    subtitles: [{ lang: 'zh-CN', label: '中文', file }],
  }
  const version = { media, rendition: { type: 'audio/mpeg', main: '1.mp3', files: [] } }
  const owner = row.owner ?? me
  const db = openMedia()
  const full: LessonRow = {
    owner,
    lesson: no,
    title: `课时${no}`,
    course: 'C',
    courseTitle: '课程',
    bytes,
    free: false,
    ready: version,
    next: null,
    wanted: false,
    paused: false,
    anyNetwork: false,
    left: false,
    rightUntil: null,
    confirmedAt: NOW,
    addedAt: 1,
    playedAt: 0,
    ...row,
  }
  await db.run(['lessons', 'parts'], 'readwrite', async (tx) => {
    tx.objectStore('lessons').put(full)
    const data = new TextEncoder().encode(vtt).buffer
    if (said !== null) tx.objectStore('parts').put({ owner, lesson: no, rev: media.rev, file: file.name, n: 0, data })
  })
  db.close()
}
const found = async (words: string, subject?: string) =>
  findSaid((await lessonsOnDevice(me, NOW)).said, termsOf(words), subject)
const nos = async (words: string) => (await found(words)).map(({ lesson }) => lesson.no)

describe('what the lessons on a device say', () => {
  test('is found with its second and its words marked', async () => {
    await keep('1', '动能 &amp; 功')
    expect(await found('动能')).toEqual([
      {
        course: { no: 'C', title: '课程', kind: 'audio', open: true, subject: null },
        lesson: { no: '1', title: '课时1' },
        at: 5,
        pieces: [
          { text: '动能', hit: true },
          { text: ' & 功', hit: false },
        ],
      },
    ])
    expect(await found('动能', 'politics')).toEqual([])
  })
  test('is not found of another student’s lessons, only of what a visitor had for nothing', async () => {
    await keep('1', '口令', { owner: `${me}x` })
    await keep(`${me.slice(2)}_free`, '口令', { owner: ANONYMOUS, free: true })
    await keep(`${me.slice(2)}_sold`, '口令', { owner: ANONYMOUS })
    expect((await nos('口令')).filter((no) => no.startsWith(me.slice(2)))).toEqual([`${me.slice(2)}_free`])
    expect(await nos('口令')).not.toContain('1')
  })
  test('is not found of a lesson whose right has ended or was not confirmed for a week, as it does not play', async () => {
    await keep('ended', '军号', { rightUntil: NOW })
    await keep('long', '军号', { confirmedAt: NOW - 8 * DAY })
    await keep('free', '军号', { confirmedAt: 0, free: true })
    await keep('mine', '军号', { rightUntil: NOW + DAY })
    expect((await nos('军号')).toSorted()).toEqual(['free', 'mine'])
  })
  test('is not found of one that is only half there, and one that has lost its words stops no search', async () => {
    await keep('half', '军号', { ready: null })
    await keep('lost', null)
    await keep('whole', '军号')
    expect(await nos('军号')).toEqual(['whole'])
  })
  test('leaves when the lesson leaves', async () => {
    await keep('gone', '军号')
    const db = openMedia()
    await createLessonStore(db, me).remove(['gone'])
    db.close()
    expect(await nos('军号')).toEqual([])
  })
})
