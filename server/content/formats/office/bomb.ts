import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Unzip, type UnzipFile, UnzipInflate, UnzipPassThrough } from 'fflate'
import { FileFault } from '#server/content/draft.ts'

const MB = 1024 * 1024
/** Files of questions unpack to ten times their size. A few kilobytes that unpack to gigabytes are no questions. */
const MOST_UNPACKED = { bytes: 64 * MB, times: 25 }

interface Limits {
  /** Makes the fault of a file that is no zip. */
  invalid: (cause: unknown) => FileFault
  /** Says what to do with a file that is too large, behind how large it may be. */
  tooLarge: (most: string) => string
  /** Looks at a part as it is unpacked. */
  look?: (part: string) => (data: Uint8Array) => void
}

/**
 * Unpacks an Office file piece by piece and keeps nothing: what it says of its own sizes need not be so.
 * @throws FileFault when it is no zip, or unpacks to more than memory holds
 */
export async function refuseBomb(file: string, { invalid, tooLarge, look }: Limits): Promise<void> {
  const { size } = await stat(file)
  const most = Math.max(MOST_UNPACKED.bytes, MOST_UNPACKED.times * size)
  let total = 0
  let fault: unknown = null
  const unzip = new Unzip((entry) => {
    const see = look?.(entry.name)
    follow(entry, (data) => {
      total += data.length
      if (total > most) throw new FileFault(tooLarge(`${Math.round(most / MB)} MB`))
      see?.(data)
    })
  })
  function follow(entry: UnzipFile, take: (data: Uint8Array) => void): void {
    entry.ondata = (error, data) => {
      fault ??= error
      if (fault) return
      try {
        take(data)
      } catch (caught) {
        fault = caught
      }
    }
    entry.start()
  }
  unzip.register(UnzipPassThrough)
  unzip.register(UnzipInflate)
  try {
    for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
      unzip.push(bytes)
      if (fault) break
    }
  } catch (error) {
    throw invalid(error)
  }
  if (fault) throw fault instanceof FileFault ? fault : invalid(fault)
}
