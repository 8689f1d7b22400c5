import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readRevs } from '#server/course/store.ts'
import type { Db } from '#server/db/open.ts'
import { lockImports } from '../claimStore.ts'
import { FileFault } from '../draft.ts'
import { type LessonFiles, sourceOf } from './lessonFiles.ts'

/** Where the folders of lessons are served from, among the media. */
export const SHELF = 'lesson'
/** Says since when no lesson names a folder; no address leads to it. */
const LEFT = '.left'
/** An address outlives its lesson's change by hours at most. */
const KEEP_MS = 86_400_000

/** @throws FileFault when a file is not any more what was checked. */
export async function copyLesson({ sources }: LessonFiles, folder: string): Promise<void> {
  for (const { at, file, hash } of sources) {
    const to = path.join(folder, file.name)
    await mkdir(path.dirname(to), { recursive: true })
    if (typeof at !== 'string') {
      await writeFile(to, at)
      continue
    }
    await copyFile(at, to)
    if ((await sourceOf(to, file.name)).hash !== hash) throw new FileFault(`${at} 在导入时被改动，请重新导入`)
  }
}

export const isShelved = (mediaDir: string, rev: string): Promise<boolean> =>
  stat(path.join(mediaDir, SHELF, rev)).then(
    (is) => is.isDirectory(),
    () => false,
  )

/** A lesson names it again. */
export const keepShelved = (mediaDir: string, rev: string): Promise<void> =>
  rm(path.join(mediaDir, SHELF, rev, LEFT), { force: true })

/** Removes the folders that no lesson has named for a day, and what an import that was killed a day ago has left. */
export async function sweepMedia(db: Db, mediaDir: string, now: number): Promise<void> {
  // Not while another import puts files in place that no lesson names yet; that waits for names to change alone.
  const aside = await db.transaction().execute(async (tx) => {
    await lockImports(tx)
    return putAside(path.join(mediaDir, SHELF), await readRevs(tx), now)
  })
  const left = await Promise.all([mediaDir, path.join(mediaDir, SHELF)].map((folder) => halfDone(folder, now)))
  for (const each of [...aside, ...left.flat()]) await rm(each, { recursive: true, force: true })
}

/** A folder leaves its name whole: a sweep that is killed leaves none that looks like a lesson. */
async function putAside(shelf: string, revs: ReadonlySet<string>, now: number): Promise<string[]> {
  const aside: string[] = []
  for (const rev of await readdir(shelf).catch(() => [])) {
    if (rev.startsWith('.')) continue
    const folder = path.join(shelf, rev)
    const since = await stat(path.join(folder, LEFT)).catch(() => null)
    if (revs.has(rev)) await rm(path.join(folder, LEFT), { force: true })
    else if (!since) await writeFile(path.join(folder, LEFT), '')
    else if (now - since.mtimeMs > KEEP_MS) {
      const to = path.join(shelf, `.${rev}.${randomUUID()}`)
      await rename(folder, to)
      aside.push(to)
    }
  }
  return aside
}

/** Names that begin with a dot are never served: what is on its way in or out. */
async function halfDone(folder: string, now: number): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('.'))
  const found = names.map(async (name) => {
    const at = path.join(folder, name)
    const since = await stat(at).catch(() => null)
    return since && now - since.mtimeMs > KEEP_MS ? [at] : []
  })
  return (await Promise.all(found)).flat()
}
