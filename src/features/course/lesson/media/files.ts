import type { PlayedMedia } from '#src/contract/course.ts'
import type { Doors, KeptLesson } from './doors.ts'

/** Where a playlist and what it names are read from: the network, or this device. */
export interface Files {
  /** @param name below the lesson's base; @param range the second end not in it */
  read: (name: string, range: readonly [from: number, to: number] | null, signal: AbortSignal) => Promise<ArrayBuffer>
}

export const filesOnDevice = ({ file }: KeptLesson): Files => ({
  read: async (name, range) => {
    const blob = await file(name)
    if (!blob) throw new Error(`a downloaded lesson lacks ${name}`)
    return (range ? blob.slice(...range) : blob).arrayBuffer()
  },
})

/** An address that has ended is asked for anew, once for all who wait; whoever plays does not hear of it. */
export function filesOnNetwork(media: PlayedMedia, ask: Doors['ask']): Files {
  let { base } = media
  let renewing: Promise<string> | null = null
  const renew = (): Promise<string> =>
    (renewing ??= ask(media.lesson)
      .then((anew) => {
        // The operator has put another file in its place: its pieces are not those that the playlist names.
        if (anew.rev !== media.rev) throw new Error('another revision')
        return (base = anew.base)
      })
      .finally(() => (renewing = null)))
  return {
    read: async (name, range, signal) => {
      const init = { signal, ...(range && { headers: { range: `bytes=${range[0]}-${range[1] - 1}` } }) }
      const tried = base
      let answer = await fetch(tried + name, init)
      if (answer.status === 403) answer = await fetch((base === tried ? await renew() : base) + name, init)
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
      return answer.arrayBuffer()
    },
  }
}
