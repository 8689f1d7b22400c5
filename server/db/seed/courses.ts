import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { checkCourse } from '#server/content/courseFile.ts'
import { writeCheckedCourse } from '#server/content/coursePublish.ts'
import { checkPackage, writeCheckedPackage } from '#server/content/packageFile.ts'
import type { Tx } from '#server/db/open.ts'
import { handouts } from './handouts.ts'

const FOLDER = path.join(import.meta.dirname, 'content', 'course')

/** What goes with a course is printed for several (handouts.ts), so it stands in no course's folder. */
const handoutsOf = (course: string) =>
  Object.values(handouts)
    .filter((each) => each.course === course)
    .map(({ title, address, size }) => ({ title, src: address, bytes: size }))

export interface DemoCourses {
  folder: string
  /** All that the courses are made of, relative to the folder. */
  files: string[]
}

export async function readCourses(): Promise<DemoCourses> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(FOLDER, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
  return { folder: FOLDER, files: files.sort() }
}

/** Publishes the demo's courses and packages from their files, like an operator's. */
export async function publishCourses(tx: Tx, { folder, files }: DemoCourses, mediaDir: string): Promise<void> {
  const named = async (name: string) => {
    const found = files.filter((file) => path.posix.basename(file) === name).map((file) => path.join(folder, file))
    return Promise.all(found.map(async (file) => ({ file, json: JSON.parse(await readFile(file, 'utf8')) as unknown })))
  }
  const now = Date.now()
  for (const { file, json } of await named('course.json')) {
    const { course, ...checked } = await checkCourse(tx, file, json)
    const withHandout = course && { ...course, handouts: handoutsOf(course.no) }
    await writeCheckedCourse(tx, { ...checked, course: withHandout }, { mediaDir, now })
  }
  for (const { file, json } of await named('package.json'))
    await writeCheckedPackage(tx, await checkPackage(tx, file, json), mediaDir)
}
