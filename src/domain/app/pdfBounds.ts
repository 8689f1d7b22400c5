/**
 * How much one document may ask of whoever reads it: the reader of a phone (features/pdf) and the importer (server/content), which
 * refuses what the reader would.
 */

/** One buffer: a page of A4 in colour at 600 dpi takes 105 MB of it. */
export const MOST_BUFFER = 128 * 1024 * 1024
/** All of them together, until they are collected. */
const MOST_HELD = 512 * 1024 * 1024
/** Smaller ones are not counted: there are too many. */
const LARGE = 1024 * 1024
/** Pixels of one picture in a document: a page of A4 at 600 dpi has 35 million. */
export const MOST_PIXELS = 40_000_000
/** Pages. More make no reader break, but no student finds anything in them. */
export const MANY_PAGES = 2_000

/** The same message to and from the worker: whether it still hears. */
export const PING = 'pdf-ping'
/** What the worker says when something was larger than MOST_BUFFER. */
export const TOO_MUCH = 'pdf-too-much'

/** As much of a stream as pdf.js asks of one that inflates. */
interface Inflater {
  readable: { getReader: () => { read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }> } }
  writable: {
    getWriter: () => { write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>; close: () => Promise<void> }
  }
}
interface Scope<Format> {
  Uint8Array: Uint8ArrayConstructor
  DecompressionStream?: new (format: Format) => Inflater
}

/**
 * Bounds what a worker may inflate, in one piece and together; pdf.js itself has no such bound, and two megabytes can become
 * gigabytes.
 * @param onExcess is called before the error is thrown, as pdf.js takes some errors for a damaged file and tries on.
 * @returns what takes the place of the worker's own, before pdf.js is loaded.
 */
export function boundBuffers<Format>(
  { Uint8Array: Bytes, DecompressionStream: Inflate }: Scope<Format>,
  onExcess: () => void,
) {
  let held = 0
  const take = (bytes: number, whole: number): void => {
    held += bytes
    if (whole <= MOST_BUFFER && held <= MOST_HELD) return
    onExcess()
    throw new RangeError('more than a document may take')
  }
  const give = (bytes: number): void => void (held -= bytes)
  const collected = new FinalizationRegistry(give)
  const bounded: typeof Bytes = new Proxy(Bytes, {
    construct(target, given: unknown[], newTarget) {
      const [length] = given
      const isLarge = typeof length === 'number' && length >= LARGE
      if (isLarge) take(length, length)
      const made: object = Reflect.construct(target, given, newTarget === bounded ? target : newTarget)
      if (isLarge) collected.register(made, length)
      return made
    },
  })
  return { Uint8Array: bounded, ...(Inflate && { DecompressionStream: boundInflater(Inflate, take, give) }) }
}

/** A browser inflates all that it is given before anybody reads of it: given so little at a time, it makes 4 MB of it at most. */
const SLICE = 4 * 1024

const boundInflater = <Format>(
  Inflate: new (format: Format) => Inflater,
  take: (bytes: number, whole: number) => void,
  give: (bytes: number) => void,
) =>
  class {
    readonly readable: Inflater['readable']
    readonly writable: Inflater['writable']
    constructor(format: Format) {
      const { readable, writable } = new Inflate(format)
      const [reader, writer] = [readable.getReader(), writable.getWriter()]
      let total = 0
      const end = (): void => {
        give(total)
        total = 0
      }
      const read = async () => {
        try {
          const next = await reader.read()
          const length = next.value?.length ?? 0
          total += length
          take(length, total)
          if (next.done) end()
          return next
        } catch (error) {
          end()
          throw error
        }
      }
      // Whoever closes it does not wait until all is written.
      let writing = Promise.resolve()
      const write = (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
        writing = (async () => {
          for (let at = 0; at < bytes.length; at += SLICE) await writer.write(bytes.subarray(at, at + SLICE))
        })()
        return writing
      }
      this.readable = { getReader: () => ({ read }) }
      this.writable = { getWriter: () => ({ write, close: () => writing.then(() => writer.close()) }) }
    }
  }
