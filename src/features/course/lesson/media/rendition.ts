import { isPlaylist } from '#src/offline/downloads/lessons/media.ts'
import type { PlayedFile, PlayedMedia, PlayedRendition } from '#src/contract/course.ts'
import { type Choice, choicesOf, pick, type Wish } from '#src/domain/course/quality.ts'

const HLS = 'application/vnd.apple.mpegurl'

/** What of a device decides which rendition it plays. */
export interface Able {
  /** As an element says it: '' is no. */
  canPlayType: (type: string) => string
  /** Pieces of a playlist can be given to an element by a script. */
  mse: boolean
}

export const canPlay = ({ canPlayType, mse }: Able, rendition: PlayedRendition, onDevice: boolean): boolean =>
  isPlaylist(rendition)
    ? // An element by itself finds the pieces of a playlist only on the network.
      mse || (!onDevice && canPlayType(rendition.type) !== '')
    : canPlayType(rendition.type) !== ''

/** The first one that this device plays; those that have failed here are left out. */
export const firstPlayable = (
  able: Able,
  { renditions }: PlayedMedia,
  failed: ReadonlySet<string>,
): PlayedRendition | undefined => renditions.find((each) => !failed.has(each.main) && canPlay(able, each, false))

/** The qualities that this device can choose from over the network. */
export const choicesFor = ({ canPlayType, mse }: Able, { renditions }: PlayedMedia): Choice<PlayedFile>[] =>
  choicesOf(renditions, (type, as) => (as === 'file' || mse || canPlayType(HLS) !== '') && canPlayType(type) !== '')

/** What is played: in the quality that is wished for, if there is one; those that have failed here are left out. */
export function renditionOf(
  able: Able,
  media: PlayedMedia,
  failed: ReadonlySet<string>,
  wish: Wish | null,
): PlayedRendition | undefined {
  const choices = wish ? choicesFor(able, media).filter(({ rendition }) => !failed.has(rendition.main)) : []
  const picked = wish && choices.length > 1 ? pick(choices, wish) : undefined
  return picked?.rendition ?? firstPlayable(able, media, failed)
}

export const ableOf = (element: HTMLMediaElement): Able => ({
  canPlayType: (type) => element.canPlayType(type),
  mse: 'MediaSource' in window || 'ManagedMediaSource' in window,
})
