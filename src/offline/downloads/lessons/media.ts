import type { LessonMedia, MediaFile, PlayedMedia, Rendition } from '#src/contract/course.ts'
import { choicesOf, type ChosenRendition, pick, USUAL_WISH, type Wish } from '#src/domain/course/quality.ts'
import type { LessonRight } from '#src/domain/course/entitlement.ts'
import { createDatabase } from '#src/offline/device/idb.ts'
import { MEDIA_DB } from '#src/offline/device/names.ts'

/** A lesson as its course's catalogue lists it. */
export interface WantedLesson {
  lesson: string
  title: string
  course: string
  courseTitle: string
  bytes: number
  /** The quality that its download is to have; none: there is no choice, or nobody had one yet. */
  wish?: Wish | undefined
  /** Its course costs nothing, or it is 试看. */
  free: boolean
}
/** One version of a lesson, in the rendition that this device plays. */
export interface LessonVersion {
  media: LessonMedia
  /** Of a playlist that was kept before qualities were told apart, it has the files of all of them. */
  rendition: ChosenRendition
}
/** Which version of a lesson the server offers. */
export interface OfferedVersion {
  rev: string
  /** 0 where the server does not say. */
  edition: number
  /** What its download weighs; null: not known yet. */
  bytes: number | null
}
/** A lesson that a student has downloaded, downloads, or had to give up. */
export interface LessonRow extends WantedLesson, LessonRight {
  owner: string
  /** Complete and verified; null: none yet. */
  ready: LessonVersion | null
  /** What is being fetched; null: the server has not been asked yet, or nothing is. */
  next: LessonVersion | null
  /** A download is under way; what was only interrupted goes on by itself. */
  wanted: boolean
  /** By the student. */
  paused: boolean
  /** Paused because the device was full; rows of earlier versions do not say. */
  full?: boolean
  /** Paused with it or behind it, and not by the student: it goes on when there is room. */
  rested?: boolean
  /** The student said that mobile data may be used for it. */
  anyNetwork: boolean
  /** The version that the server offers now, as far as this device has heard. */
  offered?: OfferedVersion | undefined
  /** It left this device to make room for an answer. */
  left: boolean
  addedAt: number
  /** 0: never. */
  playedAt: number
  /** So many bytes the student has agreed to spend on a line that breaks; none: what is usual. */
  agreed?: number
}
/** As screens are told of it. */
export interface ListedLesson extends LessonRow {
  /** 0 … 1: how much of the version under way is on this device. */
  share: number
}
/** PART_BYTES of a file, verified. WebKit at times refuses a Blob; then they are bytes. */
export interface PartRow {
  owner: string
  lesson: string
  rev: string
  file: string
  n: number
  data: Blob | ArrayBuffer
}
/** What came of a part before the line broke: its bytes from `at` to `end`. */
export interface PieceRow extends Omit<PartRow, 'data'> {
  at: number
  end: number
  data: ArrayBuffer
}
/** What the line has brought for a lesson since its download began. */
export interface SpentRow {
  owner: string
  lesson: string
  bytes: number
}

export const openMedia = () =>
  createDatabase(MEDIA_DB, 3, (db, _, from) => {
    if (from < 1) {
      db.createObjectStore('lessons', { keyPath: ['owner', 'lesson'] })
      db.createObjectStore('parts', { keyPath: ['owner', 'lesson', 'rev', 'file', 'n'] })
    }
    if (from < 2) db.createObjectStore('courses', { keyPath: ['owner', 'no'] })
    // Where a piece ends stands in its key: what there is of a part is known without reading any of it.
    db.createObjectStore('pieces', { keyPath: ['owner', 'lesson', 'rev', 'file', 'n', 'at', 'end'] })
    db.createObjectStore('spent', { keyPath: ['owner', 'lesson'] })
  })

/** All that a version is made of, its subtitles too. */
export const filesOf = ({ media, rendition }: LessonVersion): MediaFile[] => [
  ...rendition.files,
  ...media.subtitles.map(({ file }) => file),
]
export const bytesOf = (version: LessonVersion): number => filesOf(version).reduce((sum, { bytes }) => sum + bytes, 0)
/** What a row takes, or will take, of the device. */
export const sizeOf = ({ ready, next, bytes }: Pick<LessonRow, 'ready' | 'next' | 'bytes'>): number => {
  const version = ready ?? next
  return version ? bytesOf(version) : bytes
}
/** The version that can take the place of the complete one; null: it is the one that is offered, or none is here. */
export const updateOf = ({ ready, offered }: Pick<LessonRow, 'ready' | 'offered'>): OfferedVersion | null =>
  ready && offered && offered.rev !== ready.media.rev ? offered : null
/** The quality that a row is to keep: of what is whole here, else what was wished for. */
export function keptWish({ ready, wish }: Pick<LessonRow, 'ready' | 'wish'>): Wish | undefined {
  const { quality, lines = null } = ready?.rendition ?? {}
  return quality ? { quality, lines } : wish
}
/** What lessons take of the device now, half ones too. */
export const takenBy = (rows: readonly ListedLesson[]): number =>
  rows.reduce((sum, row) => sum + sizeOf(row) * (row.ready ? 1 : row.share), 0)

/** Whether every file has its hashes: without them nothing could be verified, and a lesson of no parts would count as whole. */
export const isHashed = (media: PlayedMedia): media is LessonMedia =>
  [...media.renditions.flatMap(({ files }) => files), ...media.subtitles.map(({ file }) => file)].every(
    ({ parts }) => parts !== undefined,
  )

/** HLS: what is played is a list of other files. */
export const isPlaylist = ({ type }: Pick<Rendition, 'type'>): boolean => /mpegurl/i.test(type)

/**
 * What of a lesson is worth downloading: the quality that is wished for; where there is none to choose, a file before a playlist,
 * which only an element fed by script plays from the device.
 * @param plays whether the device plays a type at all
 * @param feeds whether it can be fed by script (MSE)
 */
export function renditionFor(
  { renditions }: Pick<LessonMedia, 'renditions'>,
  plays: (type: string) => boolean,
  feeds: boolean,
  wish: Wish = USUAL_WISH,
): ChosenRendition | undefined {
  const choices = choicesOf(renditions, (type, as) => (as === 'file' || feeds) && plays(type))
  return (
    pick(choices, wish)?.rendition ??
    renditions.find((each) => !isPlaylist(each) && plays(each.type)) ??
    (feeds ? renditions.find(isPlaylist) : undefined)
  )
}
