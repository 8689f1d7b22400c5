import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FileFault } from './draft.ts'
import type { LessonFiles } from './lessonFiles.ts'
import { copyLesson, isShelved, keepShelved, SHELF } from './lessonShelf.ts'

/** What something published names: pictures and documents by their public names, and the files of lessons. */
export interface Media {
  files: ReadonlyMap<string, Buffer>
  lessons: readonly LessonFiles[]
}

/** Files of one import beside where they are served from, whole and hashed: only their names are to change. */
export interface Arriving {
  /** Gives them their names, under the imports' lock: nothing is swept meanwhile. @throws FileFault when one is gone. */
  place: () => Promise<void>
  /** Removes what was not placed. */
  drop: () => Promise<void>
}

/** Copies what an import names, before its transaction: that waits for no disk. @throws FileFault when a file has changed since. */
export async function bring(mediaDir: string, media: readonly Media[]): Promise<Arriving> {
  const coming = path.join(mediaDir, `.import-${randomUUID()}`)
  const files = new Map(media.flatMap((each) => [...each.files]))
  const lessons = new Map(media.flatMap((each) => each.lessons.map((lesson) => [lesson.rev, lesson] as const)))
  const copied = new Set<string>()
  const drop = () => rm(coming, { recursive: true, force: true })
  try {
    await mkdir(coming, { recursive: true })
    for (const [name, bytes] of files) await writeFile(path.join(coming, name), bytes)
    for (const [rev, lesson] of lessons) {
      // Its name is the hash of its content: what is there already is the same.
      if (await isShelved(mediaDir, rev)) continue
      await copyLesson(lesson, path.join(coming, rev))
      copied.add(rev)
    }
  } catch (error) {
    await drop()
    throw error
  }
  const place = async () => {
    if (lessons.size > 0) await mkdir(path.join(mediaDir, SHELF), { recursive: true })
    for (const name of files.keys()) await rename(path.join(coming, name), path.join(mediaDir, name))
    for (const rev of lessons.keys()) {
      const there = await isShelved(mediaDir, rev)
      if (!there && !copied.has(rev)) throw new FileFault('音视频文件刚被清理，请重新导入')
      if (!there) await rename(path.join(coming, rev), path.join(mediaDir, SHELF, rev))
      await keepShelved(mediaDir, rev)
    }
  }
  return { place, drop }
}
