import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FileFault } from './draft.ts'
import { type LessonFiles, sourceOf } from './lessonFiles.ts'

/** Says since when no lesson names a folder; no address leads to it. */
const LEFT = '.left'
/** An address outlives its lesson's change by hours at most. */
const KEEP_MS = 86_400_000

/**
 * Puts a lesson's files where they are served from: all of them or none, so that a running server never has half a lesson.
 * @throws FileFault when one is not any more what was checked.
 */
export async function storeLesson(mediaDir: string, { rev, sources }: LessonFiles): Promise<void> {
  const folder = path.join(mediaDir, 'lesson', rev)
  const coming = path.join(mediaDir, 'lesson', `.${rev}.${randomUUID()}`)
  // Its name is the hash of its content: what is there already is the same, and is named again.
  if (await isFolder(folder)) return rm(path.join(folder, LEFT), { force: true })
  try {
    for (const { at, file, hash } of sources) {
      const to = path.join(coming, file.name)
      await mkdir(path.dirname(to), { recursive: true })
      await copyFile(at, to)
      if ((await sourceOf(to, file.name)).hash !== hash) throw new FileFault(`${at} 在导入时被改动，请重新导入`)
    }
    await rename(coming, folder).catch(async (error: unknown) => {
      if (!(await isFolder(folder))) throw error
    })
  } finally {
    await rm(coming, { recursive: true, force: true })
  }
}

const isFolder = (at: string): Promise<boolean> =>
  stat(at).then(
    (is) => is.isDirectory(),
    () => false,
  )

/** Removes the folders that no lesson has named for a day, and what an import that was killed has left. */
export async function sweepLessons(mediaDir: string, revs: ReadonlySet<string>, now: number): Promise<void> {
  const shelf = path.join(mediaDir, 'lesson')
  for (const name of await readdir(shelf).catch(() => [])) {
    const folder = path.join(shelf, name)
    const left = name.startsWith('.') ? folder : path.join(folder, LEFT)
    const since = await stat(left).catch(() => null)
    if (revs.has(name)) await rm(left, { force: true })
    else if (!since) await writeFile(left, '')
    else if (now - since.mtimeMs > KEEP_MS) await rm(folder, { recursive: true, force: true })
  }
}
