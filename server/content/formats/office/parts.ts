import path from 'node:path'
import { unzipSync } from 'fflate'
import { type Element, readElements } from '../xml.ts'

/** The parts of an Office file, unpacked one by one as they are asked for. */
export interface Parts {
  bytes: (name: string) => Uint8Array | null
  /** Calls `take` with each outermost element of one of the local names. A part that is not there has none. */
  each: (name: string, names: readonly string[], take: (element: Element) => void) => void
  /** The parts that a part refers to, by the id that it has for them. */
  relations: (of: string) => Map<string, string>
}

/** A part is decoded so many bytes at a time: the text of a large sheet is never there as a whole. */
const PIECE = 65_536

export function partsOf(zip: Uint8Array): Parts {
  // Some programs write the names as addresses from the root.
  const bytes: Parts['bytes'] = (name) =>
    Object.values(unzipSync(zip, { filter: (each) => each.name.replace(/^\//, '') === name }))[0] ?? null
  const each: Parts['each'] = (name, names, take) => {
    const data = bytes(name)
    if (!data) return
    const reading = readElements(new RegExp(`^(?:\\w+:)?(?:${names.join('|')})$`), take)
    const decoder = new TextDecoder()
    for (let at = 0; at < data.length; at += PIECE)
      reading.write(decoder.decode(data.subarray(at, at + PIECE), { stream: true }))
    reading.end()
  }
  const relations: Parts['relations'] = (of) => {
    const found = new Map<string, string>()
    const { dir, base } = path.posix.parse(of)
    each(`${dir}/_rels/${base}.rels`, ['Relationship'], ({ attributes }) => {
      const { Id = '', Target = '', TargetMode } = attributes
      if (TargetMode !== 'External')
        found.set(Id, path.posix.join(Target.startsWith('/') ? '' : dir, Target).replace(/^\//, ''))
    })
    return found
  }
  return { bytes, each, relations }
}

/** Names without their namespace, which every program chooses by itself. */
export const localName = ({ name }: Element): string => name.slice(name.indexOf(':') + 1)
export const attribute = ({ attributes }: Element, local: string): string | undefined =>
  attributes[local] ?? Object.entries(attributes).find(([name]) => name.endsWith(`:${local}`))?.[1]
export const childrenOf = (of: Element, local?: string): Element[] =>
  of.children.filter(
    (child): child is Element => typeof child !== 'string' && (local === undefined || localName(child) === local),
  )
/** The first element of that name at any depth. */
export function inside(of: Element, local: string): Element | undefined {
  for (const child of childrenOf(of)) {
    const found = localName(child) === local ? child : inside(child, local)
    if (found) return found
  }
  return undefined
}
