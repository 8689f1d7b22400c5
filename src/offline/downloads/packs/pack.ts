import { DEVICE_KEYS } from '#src/device/keys.ts'
import type { Block, BlockRef, Chapter, Outline, Pack, Picture } from '#src/contract/question.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { chaptersWithin } from '#src/domain/question/chapters.ts'
import { createDatabase, done } from '#src/offline/device/idb.ts'
import { PACK_DB } from '#src/offline/device/names.ts'

/** A downloaded library, or one that is being downloaded. */
export interface PackRow {
  libraryNo: string
  title: string
  /** The numbers that this pack answers for, the library's and its chapters': none until it is ready. */
  of: string[]
  /** Of the complete, verified version; '' while there is none. */
  rev: string
  total: number
  chapters: Chapter[]
  refs: BlockRef[]
  ready: boolean
  /** What it takes on this device, without pictures. */
  bytes: number
  pictures: Picture[]
  /** Whose it is; null: free, so for every student of this device. */
  owner: string | null
  /** The version that is being fetched; null: none. */
  next: Pack | null
  /** To be downloaded, and which version has not been asked yet; rows of earlier versions do not say. */
  wanted?: boolean
  /** By the student; what was only interrupted goes on by itself. */
  paused: boolean
  /** Paused because the device was full; rows of earlier versions do not say. */
  full?: boolean
  /** The student said that mobile data may be used for it. */
  anyNetwork: boolean
  /** Left out by 省流模式. */
  withoutPictures: boolean
}
export interface PackBlockRow {
  id: string
  json: string
}
export type PackInput = Pick<BlockRef, 'no'> & { at?: number }

/** Something of it is still to be fetched. */
export const isPending = ({ next, wanted }: Pick<PackRow, 'next' | 'wanted'>): boolean =>
  next !== null || wanted === true

/** By content: another version of a block is another block. */
export const idOf = ({ no, at, rev }: Pick<BlockRef, 'no' | 'at' | 'rev'>): string => `${no}:${at}:${rev}`

export const openPacks = () =>
  createDatabase(PACK_DB, 1, (db) => {
    db.createObjectStore('packs', { keyPath: 'libraryNo' }).createIndex('of', 'of', { multiEntry: true })
    db.createObjectStore('blocks', { keyPath: 'id' })
  })
export const packDb = openPacks()

/** Told without opening a database: most launches have nothing to look for in it. */
export const hasPacks = (): boolean => deviceMemory.get(DEVICE_KEYS.packs) !== null || !deviceMemory.works()
/** Endpoints whose answers packs hold. */
export const isPacked = (path: unknown): boolean => path === 'question/chapter' || path === 'question/block'

/**
 * An outline or, with `at`, a block of a downloaded library, from its complete version; undefined: in none. One transaction, so
 * that an update is seen whole or not at all.
 */
export const readPacked = ({ no, at }: PackInput): Promise<Outline | Block | undefined> =>
  packDb.run(['packs', 'blocks'], 'readonly', async (tx) => {
    const pack = await done<PackRow | undefined>(tx.objectStore('packs').index('of').get(no))
    if (!pack) return
    if (at === undefined) return outlineOf(pack, no)
    const ref = pack.refs.find((each) => each.no === no && each.at === at)
    const row = ref && (await done<PackBlockRow | undefined>(tx.objectStore('blocks').get(idOf(ref))))
    return row && { no, at, rev: ref.rev, questions: JSON.parse(row.json) }
  })

function outlineOf({ libraryNo, title, total, chapters, refs }: PackRow, no: string): Outline {
  const within = no === libraryNo ? null : chaptersWithin(no, chapters)
  const head = chapters.find((each) => each.no === no) ?? { title, total }
  return {
    no,
    libraryNo,
    title: head.title,
    total: head.total,
    blocks: refs.filter((ref) => within?.has(ref.no) ?? true),
  }
}
