import { isPlaylist } from '#src/offline/media.ts'
import type { PlayedMedia, PlayedRendition } from '#src/contract/course.ts'

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

export const ableOf = (element: HTMLMediaElement): Able => ({
  canPlayType: (type) => element.canPlayType(type),
  mse: 'MediaSource' in window || 'ManagedMediaSource' in window,
})
