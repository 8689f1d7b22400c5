import type { Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext, LoaderStats } from 'hls.js'
import { ErrorTypes, Events, Hls } from 'hls.js/light'
import type { Files } from '../media/files.ts'

/** Never asked: names are relative to something, and ours go to `Files`. */
const BASE = 'https://lesson.invalid/'

/** Who plays asks for the lesson anew when this comes to nothing, so it need not go on for long. */
const policy = (maxLoadTimeMs: number) => ({
  default: {
    maxTimeToFirstByteMs: maxLoadTimeMs,
    maxLoadTimeMs,
    timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2_000 },
  },
})
/** What is there already is played to its end; meanwhile the rest is asked for so often. */
const AGAIN_MS = 3_000
const ENOUGH_S = 1

/** How much can be played from here without a network, seconds. */
function ahead({ buffered, currentTime }: HTMLMediaElement): number {
  for (let i = 0; i < buffered.length; i += 1)
    if (buffered.start(i) <= currentTime && currentTime < buffered.end(i)) return buffered.end(i) - currentTime
  return 0
}

/**
 * Plays a playlist in an element.
 * @param onFatal it cannot go on; `media`: what came cannot be played on this device
 * @returns ends it
 */
export function playHls(
  element: HTMLMediaElement,
  { main, files, at }: { main: string; files: Files; at: number },
  onFatal: (why: 'network' | 'media') => void,
): () => void {
  // Without a worker of its own: the pieces are fragmented MP4, which need no rewriting.
  const hls = new Hls({
    loader: loaderOf(files),
    startPosition: at,
    enableWorker: false,
    maxBufferLength: 60,
    manifestLoadPolicy: policy(10_000),
    playlistLoadPolicy: policy(10_000),
    // A piece of 4 s on one bar of signal.
    fragLoadPolicy: policy(60_000),
  })
  let mended = false
  let again: ReturnType<typeof setTimeout> | undefined
  hls.on(Events.ERROR, (_, { fatal, type }) => {
    if (!fatal) return
    if (type === ErrorTypes.MEDIA_ERROR && !mended) {
      mended = true
      hls.recoverMediaError()
    } else if (type !== ErrorTypes.NETWORK_ERROR) onFatal('media')
    else if (ahead(element) < ENOUGH_S) onFatal('network')
    else again = setTimeout(() => hls.startLoad(), AGAIN_MS)
  })
  hls.loadSource(BASE + main)
  hls.attachMedia(element)
  return () => {
    clearTimeout(again)
    hls.destroy()
  }
}

const moment = () => ({ start: 0, first: 0, end: 0 })

const loaderOf = (files: Files) =>
  class implements Loader<LoaderContext> {
    context: LoaderContext | null = null
    stats: LoaderStats = {
      aborted: false,
      loaded: 0,
      retry: 0,
      total: 0,
      chunkCount: 0,
      bwEstimate: 0,
      loading: moment(),
      parsing: { start: 0, end: 0 },
      buffering: moment(),
    }
    readonly #ended = new AbortController()

    load(context: LoaderContext, _: LoaderConfiguration, tell: LoaderCallbacks<LoaderContext>): void {
      const { url, rangeStart, rangeEnd, responseType } = context
      const { stats } = this
      this.context = context
      stats.loading.start = performance.now()
      const range = rangeEnd ? ([rangeStart ?? 0, rangeEnd] as const) : null
      files.read(decodeURI(url.slice(BASE.length)), range, this.#ended.signal).then(
        (bytes) => {
          if (stats.aborted) return
          stats.loading.end = performance.now()
          // How long the first byte took is not known; that it took some time keeps the measure of speed sane.
          stats.loading.first = Math.max(stats.loading.start, stats.loading.end - 1)
          stats.loaded = stats.total = bytes.byteLength
          const data = responseType === 'arraybuffer' ? bytes : new TextDecoder().decode(bytes)
          tell.onSuccess({ url, data, code: 200 }, stats, context, null)
        },
        (error: unknown) => {
          if (stats.aborted) return
          tell.onError({ code: 0, text: error instanceof Error ? error.message : '' }, context, null, stats)
        },
      )
    }
    abort(): void {
      this.stats.aborted = true
      this.#ended.abort()
    }
    destroy(): void {
      this.abort()
      this.context = null
    }
  }
