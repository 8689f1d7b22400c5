import * as v from 'valibot'
import type { Pdf, PdfPage } from './engine.ts'
import type { Spot } from './layout.ts'

/** A place in the document, as its own links name it: resolved only when somebody goes there. */
export type Destination = string | unknown[]
export interface Link {
  /** On the page, in parts of a hundred. */
  box: { left: number; top: number; width: number; height: number }
  to: { destination: Destination } | { url: string }
}
export interface Entry {
  title: string
  to: Destination | null
  items: Entry[]
}

const Destination = v.union([v.string(), v.array(v.unknown())])
const Annotation = v.object({
  subtype: v.literal('Link'),
  rect: v.tuple([v.number(), v.number(), v.number(), v.number()]),
  dest: v.nullish(Destination),
  url: v.nullish(v.string()),
})

/** A document's links that may be followed: to its own pages, and to https addresses. Scripts, files and commands are none. */
export async function linksOf(page: PdfPage): Promise<Link[]> {
  const { convertToViewportPoint, width, height } = pageBox(page)
  const found: unknown[] = await page.getAnnotations({ intent: 'display' })
  return found.flatMap((each): Link[] => {
    const { success, output } = v.safeParse(Annotation, each)
    if (!success) return []
    const to = target(output)
    if (!to) return []
    const [left, bottom, right, top] = output.rect
    const [x1, y1] = convertToViewportPoint(left, bottom)
    const [x2, y2] = convertToViewportPoint(right, top)
    const box = {
      left: (Math.min(x1, x2) / width) * 100,
      top: (Math.min(y1, y2) / height) * 100,
      width: (Math.abs(x2 - x1) / width) * 100,
      height: (Math.abs(y2 - y1) / height) * 100,
    }
    return [{ box, to }]
  })
}

function target({ dest, url }: v.InferOutput<typeof Annotation>): Link['to'] | null {
  if (dest) return { destination: dest }
  return url && isSafeLink(url) ? { url } : null
}

/** What may be opened from a document at all, and then only after asking. */
export function isSafeLink(url: string): boolean {
  try {
    const { protocol, username, password } = new URL(url)
    return protocol === 'https:' && username === '' && password === ''
  } catch {
    return false
  }
}

interface PageBox {
  width: number
  height: number
  convertToViewportPoint: (x: number, y: number) => [number, number]
}
function pageBox(page: PdfPage): PageBox {
  const viewport = page.getViewport({ scale: 1 })
  const convertToViewportPoint = (x: number, y: number): [number, number] => {
    const [a, b] = v.parse(v.tuple([v.number(), v.number()]), viewport.convertToViewportPoint(x, y))
    return [a, b]
  }
  return { width: viewport.width, height: viewport.height, convertToViewportPoint }
}

const Ref = v.object({ num: v.number(), gen: v.number() })
const Fit = v.object({ name: v.string() })

/** Where a destination stands; null: the document has no such place. */
export async function spotOf(pdf: Pdf, to: Destination): Promise<Spot | null> {
  const explicit: unknown[] | null = typeof to === 'string' ? await pdf.getDestination(to) : to
  if (!explicit) return null
  const [where, fit, ...rest] = explicit
  const index = v.is(Ref, where) ? await pdf.getPageIndex(where) : where
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= pdf.numPages) return null
  const kind = v.is(Fit, fit) ? fit.name : ''
  const top = kind === 'XYZ' ? rest[1] : kind === 'FitH' || kind === 'FitBH' ? rest[0] : null
  if (typeof top !== 'number') return { page: index, x: 0, y: 0 }
  const { convertToViewportPoint, height } = pageBox(await pdf.getPage(index + 1))
  const y = convertToViewportPoint(0, top)[1] / height
  return { page: index, x: 0, y: Math.min(1, Math.max(0, y)) }
}

/** The entries of a document's own table of contents; empty: it has none. */
export async function outlineOf(pdf: Pdf): Promise<Entry[]> {
  const nodes: unknown = await pdf.getOutline()
  return Array.isArray(nodes) ? nodes.flatMap(entryOf) : []
}

const Node = v.object({ title: v.string(), dest: v.nullish(Destination), items: v.array(v.unknown()) })
function entryOf(node: unknown): Entry[] {
  const { success, output } = v.safeParse(Node, node)
  if (!success) return []
  const items = output.items.flatMap(entryOf)
  // An entry that leads elsewhere, with nothing below it, is none of the document's contents.
  return output.dest || items.length > 0 ? [{ title: output.title.trim(), to: output.dest ?? null, items }] : []
}
