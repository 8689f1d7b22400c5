import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PART_BYTES } from '#src/contract/course.ts'
import { courseRow, publishCourse } from './courses.ts'
import type { TestServer } from './server.ts'

/** A lesson's files by their names; a playlist is what ends so, else the first one is played. */
export type LessonFiles = Record<string, Buffer<ArrayBuffer>>
export const noise = (bytes: number): Buffer<ArrayBuffer> => randomBytes(bytes)

const TYPES: Record<string, string> = {
  mp3: 'audio/mpeg',
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  vtt: 'text/vtt; charset=utf-8',
}
const typeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? ''
const partsOf = (bytes: Buffer): string[] =>
  Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, n) =>
    createHash('sha256')
      .update(bytes.subarray(n * PART_BYTES, (n + 1) * PART_BYTES))
      .digest('hex'),
  )

/** Publishes a course of one unit whose lessons have these very files; the first may be tried, as courses.ts says. */
export async function publishLessons(
  server: TestServer,
  lessons: Record<string, LessonFiles>,
  { no = 'C', price = 0 }: { no?: string; price?: number } = {},
): Promise<void> {
  const row = courseRow({ no, units: [Object.keys(lessons)] })
  const units = row.units.map((unit) => ({ ...unit, lessons: unit.lessons.map((each) => withFiles(each, lessons)) }))
  await publishCourse(server, { ...row, price, units })
  for (const { rev, no: lesson } of units.flatMap((unit) => unit.lessons))
    for (const [name, bytes] of Object.entries(lessons[lesson] ?? {})) {
      const at = path.join(server.mediaDir, 'lesson', rev, name)
      mkdirSync(path.dirname(at), { recursive: true })
      writeFileSync(at, bytes)
    }
}

type Lesson = ReturnType<typeof courseRow>['units'][number]['lessons'][number]

function withFiles(lesson: Lesson, all: Record<string, LessonFiles>): Lesson {
  const files = Object.entries(all[lesson.no] ?? {})
  const rev = createHash('sha256')
  for (const [name, bytes] of files) rev.update(name).update(bytes)
  const listed = files.map(([name, bytes]) => ({
    name,
    type: typeOf(name),
    bytes: bytes.length,
    parts: partsOf(bytes),
  }))
  const played = listed.filter(({ name }) => !name.endsWith('.vtt'))
  const main = played.find(({ name }) => name.endsWith('.m3u8')) ?? played[0]
  if (!main) throw new Error(`${lesson.no} has no file to play`)
  const subtitles = listed.filter(({ name }) => name.endsWith('.vtt'))
  return {
    ...lesson,
    rev: rev.digest('hex').slice(0, 16),
    bytes: files.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    media: {
      renditions: [{ type: main.type, main: main.name, files: played }],
      subtitles: subtitles.map((file) => ({ lang: 'zh-CN', label: '中文', file })),
    },
  }
}
