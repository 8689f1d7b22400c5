import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Db, Tx } from '#server/db/open.ts'
import { type CourseWritten, readPublishedCourse, writeCourse } from '#server/course/store.ts'
import { type CheckedCourse, COURSE_FORMAT, type CourseFileInput } from './courseFile.ts'
import { faultless } from '#server/content/draft.ts'
import { writtenQuestions } from './lessonQuestions.ts'
import { writeTime } from '#server/content/media/time.ts'

/** Publishes a checked course. @throws FileFault when it has faults. */
export const writeCheckedCourse = (tx: Tx, checked: CheckedCourse, now: number): Promise<CourseWritten> =>
  writeCourse(tx, faultless(checked, checked.course), now)

/** A published course as the file that would publish it again, with the files that it names: their names there, their names here. */
export async function exportCourse(db: Db, no: string) {
  const course = await readPublishedCourse(db, no)
  if (!course) return null
  const files: (readonly [string, string])[] = []
  const from = (here: string, there: string): string => {
    files.push([there, here])
    return there
  }
  const hashed = (src: string): string => from(path.basename(src), path.basename(src))
  const { at, ...head } = course
  const json: CourseFileInput = {
    format: COURSE_FORMAT,
    ...head,
    ...(at !== null && { at: writeTime(at) }),
    cover: hashed(course.cover.src),
    handouts: course.handouts.map(({ title, src }) => ({ title, file: hashed(src) })),
    units: course.units.map((unit) => ({
      no: unit.no,
      title: unit.title,
      lessons: unit.lessons.map((lesson) => {
        const file = (name: string) => from(`lesson/${lesson.rev}/${name}`, `${lesson.no}/${name}`)
        const { renditions, subtitles } = lesson.media
        for (const { main, files: all } of renditions) for (const { name } of all) if (name !== main) file(name)
        return {
          no: lesson.no,
          title: lesson.title,
          trial: lesson.trial,
          seconds: lesson.seconds,
          media: renditions.map(({ main }) => file(main)),
          subtitles: subtitles.map(({ lang, label, file: { name } }) => ({ lang, label, file: file(name) })),
          ...(lesson.questions.length > 0 && { questions: writtenQuestions(lesson.questions) }),
        }
      }),
    })),
  }
  return { json, files }
}

/** Copies what an exported file names beside it. */
export async function giveFiles(
  mediaDir: string,
  folder: string,
  files: readonly (readonly [string, string])[],
): Promise<void> {
  for (const [there, here] of files) {
    const to = path.join(folder, there)
    await mkdir(path.dirname(to), { recursive: true })
    await copyFile(path.join(mediaDir, here), to)
  }
}
