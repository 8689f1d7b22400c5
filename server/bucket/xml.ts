import { BucketFault } from './fault.ts'

type Value = string | number | Tree | readonly Tree[]
export interface Tree {
  readonly [name: string]: Value
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&#34;', '"')

const element = (name: string, value: Value): string => {
  if (Array.isArray(value)) return value.map((one: Tree) => element(name, one)).join('')
  if (typeof value === 'object') return `<${name}>${inner(value as Tree)}</${name}>`
  return `<${name}>${escaped(String(value))}</${name}>`
}
const inner = (tree: Tree): string =>
  Object.entries(tree)
    .map(([name, value]) => element(name, value))
    .join('')

export const toXml = (tree: Tree): string => `<?xml version="1.0" encoding="UTF-8"?>\n${inner(tree)}`

/** The parts that CompleteMultipartUpload names, in its order; ETags without their quotes. */
export function readParts(xml: string): { part: number; etag: string }[] {
  const parts = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, text = '']) => ({
    part: Number(/<PartNumber>\s*(\d{1,5})\s*<\/PartNumber>/.exec(text)?.[1]),
    etag: unescaped(/<ETag>\s*([^<]*?)\s*<\/ETag>/.exec(text)?.[1] ?? '').replaceAll('"', ''),
  }))
  if (parts.length === 0 || parts.some(({ part }) => Number.isNaN(part))) throw new BucketFault('MalformedXML')
  if (parts.some(({ part }, i) => i > 0 && part <= (parts[i - 1]?.part ?? 0))) throw new BucketFault('InvalidPartOrder')
  return parts
}
