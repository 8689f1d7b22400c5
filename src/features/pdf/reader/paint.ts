import { TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { CANVAS_PIXELS, type PdfPage } from './engine.ts'
import { cutPiece, type Match } from './find.ts'
import { pixelRatio } from './layout.ts'

/**
 * Draws a page, next to what stands in `host`, and puts it in its place when it is whole.
 * @param scale CSS px per point.
 * @returns what ends it.
 */
export function paint(page: PdfPage, host: HTMLElement, scale: number): () => void {
  const { width, height } = page.getViewport({ scale })
  const ratio = pixelRatio({ width, height }, CANVAS_PIXELS, window.devicePixelRatio || 1)
  const viewport = page.getViewport({ scale: scale * ratio })
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  const task = page.render({ canvas, viewport })
  let ended = false
  task.promise.then(
    () => {
      if (ended) return free(canvas)
      clear(host)
      host.append(canvas)
    },
    // Ended, or a page so broken that nothing of it can be drawn: its place stays white.
    () => free(canvas),
  )
  return () => {
    ended = true
    task.cancel()
  }
}

/** Safari keeps a canvas's memory until it is collected, unless it has no size. */
function free(canvas: HTMLCanvasElement): void {
  canvas.width = 0
  canvas.height = 0
}

export function clear(host: HTMLElement): void {
  for (const canvas of host.querySelectorAll('canvas')) free(canvas)
  host.replaceChildren()
}

/** The words of a page over its picture, unseen: to be selected, found, and read aloud. */
export interface WordsLayer {
  ready: Promise<void>
  /** Shows what was found. @returns the element of the one that is looked at. */
  mark: (matches: readonly Match[], active: Match | null, activeClass: string) => Element | null
  end: () => void
}

export function layWords(page: PdfPage, container: HTMLElement): WordsLayer {
  const viewport = page.getViewport({ scale: 1 })
  container.replaceChildren()
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
  const marked = new Set<number>()
  return {
    ready: layer.render().then(() => {}),
    mark(matches, active, activeClass) {
      const items = new Set(matches.flatMap(({ pieces }) => pieces.map(({ item }) => item)))
      let seen: Element | null = null
      for (const item of new Set([...marked, ...items])) {
        const element = layer.textDivs[item]
        if (!element) continue
        const parts = cutPiece(layer.textContentItemsStr[item] ?? '', item, matches).map(({ text, of }) => {
          if (!of) return document.createTextNode(text)
          const mark = document.createElement('mark')
          if (of === active) mark.className = activeClass
          mark.textContent = text
          if (of === active) seen ??= mark
          return mark
        })
        element.replaceChildren(...parts)
      }
      marked.clear()
      for (const item of items) marked.add(item)
      return seen
    },
    end: () => layer.cancel(),
  }
}
