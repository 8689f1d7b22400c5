import { dropBegunDocuments } from './documents/documentParts.ts'
import { freeHalfLesson } from './lessons/lessonLeave.ts'
import { freeHalfPack } from './packs/packFree.ts'
import { dropSlices } from '../device/room.ts'

/** Frees some of what came of downloads that are not whole, for an answer that finds no room; false: there is nothing. */
export async function freeHalfDownload(owner: string): Promise<boolean> {
  for (const free of [dropSlices, () => freeHalfLesson(owner), freeHalfPack, dropBegunDocuments])
    if (await free().catch(() => false)) return true
  return false
}
