import path from 'node:path'
import { unzipSync } from 'fflate'
import { FileFault } from '#server/content/draft.ts'
import { type Questions, readQti } from './qti.ts'
import { eachElement, type Element } from './xml.ts'

/** Unpacked: what a package says of itself, before anything of it is. */
const LARGEST = 512 * 1024 * 1024

/** A package of QTI: items with their pictures in one zip (IMS Content Packaging). @throws FileFault */
export function readQtiPackage(bytes: Uint8Array, file: string): Questions & { packed: Map<string, Uint8Array> } {
  const packed = unpacked(bytes)
  const texts = [...packed].filter(([name]) => /\.xml$/i.test(name)).map(([name, data]) => [name, xml(data)] as const)
  const chapters = chaptersIn(texts)
  const items = texts.filter(([, source]) =>
    /<(\w+:)?(questestinterop|assessmentItem|qti-assessment-item)[\s>]/.test(source),
  )
  if (items.length === 0) throw new FileFault('压缩包里没有 QTI 题目')
  const read: Questions = { drafts: [], findings: [] }
  for (const [name, source] of inOrder(items, [...chapters.keys()])) {
    try {
      const { drafts, findings } = readQti(source, file, { name, chapter: chapters.get(name) })
      read.drafts.push(...drafts)
      read.findings.push(...findings)
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      read.findings.push({ file, at: name, level: 'fault', reason: error.message })
    }
  }
  return { ...read, packed }
}

function unpacked(bytes: Uint8Array): Map<string, Uint8Array> {
  let total = 0
  try {
    const files = unzipSync(bytes, {
      filter: ({ originalSize }) => {
        total += originalSize
        if (total > LARGEST) throw new FileFault('压缩包解开后超过 512 MB，请分成几个')
        return true
      },
    })
    return new Map(
      Object.entries(files).map(([name, data]) => [path.posix.normalize(name.replaceAll('\\', '/')), data]),
    )
  } catch (error) {
    if (error instanceof FileFault) throw error
    throw new FileFault('不是有效的 ZIP 压缩包')
  }
}

/** XML says itself how it is encoded; without a word it is UTF-8. */
function xml(data: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(data.subarray(0, 200))
  const [, named = 'utf-8'] = /encoding=["']([\w-]+)["']/.exec(head) ?? []
  try {
    return new TextDecoder(data[0] === 0xff || data[0] === 0xfe ? 'utf-16' : named).decode(data)
  } catch {
    return new TextDecoder().decode(data)
  }
}

/** Of each item's file the section of the test that it stands in, in the test's order. */
function chaptersIn(texts: readonly (readonly [string, string])[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const [name, source] of texts) {
    if (!/<(\w+:)?(assessmentTest|qti-assessment-test)[\s>]/.test(source)) continue
    eachElement(source, /assessment-?test$/i, (test) => {
      const walk = (of: Element, titles: readonly string[]): void => {
        for (const child of of.children) {
          if (typeof child === 'string') continue
          const { title, href } = child.attributes
          if (/assessment-?item-?ref$/i.test(child.name) && href)
            found.set(path.posix.join(path.posix.dirname(name), href), titles.join('/') || undefined)
          walk(
            child,
            /assessment-?section$/i.test(child.name) && title ? [...titles, title.replaceAll('/', '／')] : titles,
          )
        }
      }
      walk(test, [])
    })
  }
  return found
}

const inOrder = <T>(items: readonly (readonly [string, T])[], order: readonly string[]): (readonly [string, T])[] => {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return items.toSorted(([a], [b]) => place(a) - place(b))
}
