import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  type CheckedCourse,
  type CourseFileInput,
  judgeCourse,
  readCourse,
} from '#server/content/publish/courseFile.ts'
import { type CheckedPackage, judgePackage, readPackage } from '#server/content/publish/packageFile.ts'
import { type CourseRow, type CourseWritten, writeCourse } from '#server/course/store.ts'
import type { Db } from '#server/db/open.ts'
import { makePdf } from './pdf.ts'
import type { TestServer } from './server.ts'

export const LESSON_SECONDS = 60

/** A course of audio lessons as it is published, one unit each list of lessons' numbers; the first lesson may be tried. */
export const courseRow = ({ no, units }: { no: string; units: string[][] }): CourseRow => ({
  no,
  title: `${no} 课程`,
  kind: 'audio',
  subject: null,
  cover: { src: '/media/0123456789abcdef.svg', width: 640, height: 360 },
  teacher: '王教员',
  aboutTeacher: '<p>教龄十年</p>',
  intro: '<p>从头讲起</p>',
  price: 0,
  vip: false,
  days: null,
  withdrawn: false,
  directions: [],
  areas: [],
  at: null,
  libraries: [],
  handouts: [],
  units: units.map((lessons, u) => ({
    no: `${no}_u${u + 1}`,
    title: `第${u + 1}单元`,
    lessons: lessons.map((lesson, l) => ({
      no: lesson,
      title: `第${l + 1}课`,
      seconds: LESSON_SECONDS,
      trial: u === 0 && l === 0,
      bytes: 1_000,
      rev: `rev_${lesson}`,
      questions: [],
      media: {
        renditions: [
          {
            type: 'audio/mpeg',
            main: '1.mp3',
            files: [{ name: '1.mp3', type: 'audio/mpeg', bytes: 1_000, parts: ['0'.repeat(64)] }],
          },
        ],
        subtitles: [],
      },
    })),
  })),
})

/** Publishes a course, each lesson with a file of a thousand bytes. */
export function publishCourse({ db, mediaDir, clock }: TestServer, row: CourseRow): Promise<CourseWritten> {
  for (const { rev } of row.units.flatMap(({ lessons }) => lessons)) {
    const folder = path.join(mediaDir, 'lesson', rev)
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, '1.mp3'), Buffer.alloc(1_000, rev))
  }
  return db.transaction().execute((tx) => writeCourse(tx, row, clock.now))
}

/** What acts of watching in the tests of the study record tell of: shorter than what some of them tell. */
export const WATCHED = { course: 'C', lessons: ['C_l0', 'C_l1'], seconds: 4 }
export function publishWatched({ db, clock }: TestServer): Promise<CourseWritten> {
  const row = courseRow({ no: WATCHED.course, units: [WATCHED.lessons] })
  const units = row.units.map((unit) => ({
    ...unit,
    lessons: unit.lessons.map((lesson) => ({ ...lesson, seconds: WATCHED.seconds })),
  }))
  return db.transaction().execute((tx) => writeCourse(tx, { ...row, units }, clock.now))
}

export const checkCourse = async (db: Db, file: string, json: unknown): Promise<CheckedCourse> =>
  judgeCourse(db, await readCourse(file, json))
export const checkPackage = async (db: Db, file: string, json: unknown): Promise<CheckedPackage> =>
  judgePackage(db, await readPackage(file, json))

/** A handout. */
export const NOTES = makePdf({ pages: ['Notes'] })

const DEMO = path.resolve(import.meta.dirname, '../../server/demo/content/course')

/** A folder with real media: a lesson in two files, one in a playlist, one of sound. */
export function courseFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lijian-course-'))
  for (const [from, to] of [
    ['math0/1.webm', '第一课.webm'],
    ['math0/1.mp4', '第一课.mp4'],
    ['math0/1.vtt', '第一课.vtt'],
    ['math0/2.webm', '第二课.webm'],
    ['science/2', 'list'],
    ['science/2.vtt', 'list.vtt'],
    ['junzheng/1.mp3', 'sound.mp3'],
    ['math0/cover.svg', 'cover.svg'],
  ] as const)
    cpSync(path.join(DEMO, from), path.join(folder, to), { recursive: true })
  writeFileSync(path.join(folder, 'notes.pdf'), NOTES)
  return folder
}
export const subtitles = (file: string) => [{ lang: 'zh-CN', label: '中文', file }]
export const first = {
  no: 'C_1',
  title: '第一课',
  trial: true,
  media: ['第一课.webm', '第一课.mp4'],
  subtitles: subtitles('第一课.vtt'),
}
export const second = { no: 'C_2', title: '第二课', media: ['list/main.m3u8'], subtitles: subtitles('list.vtt') }
export const courseJson: CourseFileInput = {
  format: 'lijian-course/1',
  no: 'C',
  title: '样课',
  kind: 'video',
  subject: 'politics',
  teacher: '王教员',
  intro: '<p>介绍</p>',
  cover: 'cover.svg',
  price: 100,
  days: 30,
  at: '2026-11-02 09:00',
  libraries: ['Q'],
  handouts: [{ title: '讲义', file: 'notes.pdf' }],
  units: [{ no: 'C_u1', title: '第一单元', lessons: [first, second] }],
}
/** The same with other lessons. */
export const withLessons = (...lessons: object[]) => ({ ...courseJson, units: [{ ...courseJson.units[0], lessons }] })
export const packageJson = {
  format: 'lijian-package/1',
  no: 'PK',
  title: '合购',
  cover: 'cover.svg',
  price: 300,
  courses: ['C', 'FREE'],
}
