import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type CourseRow, type CourseWritten, writeCourse } from '#server/course/store.ts'
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
