import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { manyBoxes, manyBoxesInside, manyCues, manyLists, missingFiles, nestedLists } from '#tests/support/busyMedia.ts'
import { courseFolder, first, subtitles, withLessons } from '#tests/support/courses.ts'
import { checking } from './checking.ts'
import type { Figure } from './figures.ts'

const MAX_SECONDS = 5
const MAX_MB = 200
/** A lesson of a course, whose files are written into the course's folder. */
const LESSONS: [name: string, lesson: (folder: string) => object][] = [
  ['8,000,000 boxes', (folder) => ({ media: [manyBoxes(folder, 8_000_000)], subtitles: [] })],
  ['8,000,000 boxes in the moov', (folder) => ({ media: [manyBoxesInside(folder, 8_000_000)], subtitles: [] })],
  ['100,000 missing names', (folder) => ({ media: [missingFiles(folder, 100_000)], subtitles: [] })],
  ['2,000 lists, each in the one before', (folder) => ({ media: [nestedLists(folder, 2_000)], subtitles: [] })],
  ['2,000 lists in one', (folder) => ({ media: [manyLists(folder, 2_000)], subtitles: [] })],
  ['60,000 cues', (folder) => ({ subtitles: subtitles(manyCues(folder, 60_000)) })],
]

/** Courses whose files are made to keep the importer busy, checked by the operator's command beside one that is not. */
export async function busyMedia(): Promise<Figure[]> {
  const usual = await checking(withLesson({}))
  const figures: Figure[] = []
  for (const [name, lessonIn] of LESSONS) {
    const { seconds, peakMb } = await checking(withLesson(lessonIn))
    const note = `${peakMb.toFixed(0)} MB at its most; a usual course ${usual.seconds.toFixed(2)} s, ${usual.peakMb.toFixed(0)} MB`
    figures.push(
      { name: `check of a lesson of ${name}`, value: seconds * 1000, unit: 'ms', budget: { max: MAX_SECONDS * 1000 } },
      {
        name: 'its memory beside a usual course',
        value: peakMb - usual.peakMb,
        unit: 'MB',
        budget: { max: MAX_MB },
        note,
      },
    )
  }
  return figures
}

/** A course of one lesson, as a file. */
function withLesson(lesson: object | ((folder: string) => object)): string {
  const folder = courseFolder()
  const changed = typeof lesson === 'function' ? lesson(folder) : lesson
  const file = path.join(folder, 'course.json')
  writeFileSync(file, JSON.stringify(withLessons({ ...first, ...changed })))
  return file
}
