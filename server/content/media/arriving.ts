import { randomUUID } from 'node:crypto'
import { mkdir, opendir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FileFault } from '#server/content/draft.ts'
import { noProgress, type Progress } from '#server/content/progress.ts'
import type { LessonFiles } from './lessonFiles.ts'
import { copyLesson, isShelved, keepShelved, SHELF } from './lessonShelf.ts'

/** What something published names: pictures and documents by their public names, and the files of lessons. */
export interface Media {
  files: ReadonlyMap<string, Buffer>
  lessons: readonly LessonFiles[]
}

/** The same, as it comes: pictures of a bank may be more than the memory holds. */
interface Coming extends Pick<Media, 'lessons'> {
  files: Iterable<readonly [string, Buffer]>
}

/** Files of one import beside where they are served from, whole and hashed: only their names are to change. */
export interface Arriving {
  /** Gives them their names, under the imports' lock: nothing is swept meanwhile. @throws FileFault when one is gone. */
  place: () => Promise<void>
  /** Removes what was not placed. */
  drop: () => Promise<void>
}

/** Copies what an import names, before its transaction: that waits for no disk. @throws FileFault when a file has changed since. */
export async function bring(
  mediaDir: string,
  media: readonly Coming[],
  progress: Progress = noProgress,
): Promise<Arriving> {
  const coming = path.join(mediaDir, `.import-${randomUUID()}`)
  const lessons = new Map(media.flatMap((each) => each.lessons.map((lesson) => [lesson.rev, lesson] as const)))
  const copied = new Set<string>()
  const drop = () => rm(coming, { recursive: true, force: true })
  try {
    await mkdir(coming, { recursive: true })
    for (const { files } of media) for (const [name, bytes] of files) await writeFile(path.join(coming, name), bytes)
    for (const [i, [rev, lesson]] of [...lessons].entries()) {
      progress('复制音视频', i, lessons.size)
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
    for await (const file of await opendir(coming))
      if (file.isFile()) await rename(path.join(coming, file.name), path.join(mediaDir, file.name))
    for (const rev of lessons.keys()) {
      const there = await isShelved(mediaDir, rev)
      if (!there && !copied.has(rev)) throw new FileFault('音视频文件刚被清理，请重新导入')
      if (!there) await rename(path.join(coming, rev), path.join(mediaDir, SHELF, rev))
      await keepShelved(mediaDir, rev)
    }
  }
  return { place, drop }
}
