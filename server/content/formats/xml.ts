import { Parser } from 'htmlparser2'
import { FileFault } from '#server/content/draft.ts'

export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

/** Far more than any real file has, and few enough to be walked through. */
const DEEPEST = 200

/** Takes the text of a file piece by piece. */
interface Reading {
  write: (piece: string) => void
  /** @throws FileFault when it was no XML. */
  end: () => void
}

/** The elements of some names in a text, see `readElements`. @throws FileFault */
export function eachElement(source: string, wanted: RegExp, take: Take): void {
  const reading = readElements(wanted, take)
  reading.write(source)
  reading.end()
}
type Take = (element: Element, line: number) => void

/**
 * The elements of some names as they end, each with its line; of what stands around them nothing is kept. No entity but XML's
 * own is known, so that none can grow or read a file.
 * @throws FileFault when tags do not close each other
 */
export function readElements(wanted: RegExp, take: Take): Reading {
  const stack: Element[] = []
  const lines = new Lines()
  let [began, opened, seen, depth] = [1, -1, 0, 0]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        seen++
        opened = parser.startIndex
        if (++depth > DEEPEST) throw new FileFault(`第${lines.at(parser.startIndex)}行：XML 的标签套了太多层`)
        if (stack.length === 0 && !wanted.test(name)) return
        const element: Element = { name, attributes, children: [] }
        if (stack.length === 0) began = lines.at(parser.startIndex)
        else stack.at(-1)?.children.push(element)
        stack.push(element)
      },
      ontext(text) {
        const children = stack.at(-1)?.children
        const last = children?.at(-1)
        // A text may come in several pieces.
        if (children && typeof last === 'string') children[children.length - 1] = last + text
        else children?.push(text)
      },
      onclosetag(name, implied) {
        // The parser calls the end of `<text />` implied, too.
        if (implied && parser.startIndex !== opened)
          throw new FileFault(`第${lines.at(parser.startIndex)}行：XML 的标签 <${name}> 没有正确结束`)
        depth--
        const element = stack.pop()
        if (element && stack.length === 0) take(element, began)
      },
    },
    { xmlMode: true },
  )
  return {
    write(piece) {
      lines.add(piece)
      parser.write(piece)
    },
    end() {
      parser.end()
      if (seen === 0) throw new FileFault('不是 XML 文件')
    },
  }
}

/** Which line a place of a long text is in, asked from the front to the back. */
class Lines {
  private readonly ends: number[] = []
  private length = 0
  private passed = 0

  add(piece: string): void {
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) this.ends.push(this.length + at)
    this.length += piece.length
  }

  /** @returns from 1 */
  at(index: number): number {
    while (this.passed < this.ends.length && (this.ends[this.passed] ?? 0) < index) this.passed++
    return this.passed + 1
  }
}

export const elements = (of: Element, name: string): Element[] =>
  of.children.filter((child): child is Element => typeof child !== 'string' && child.name === name)
export const element = (of: Element | undefined, name: string): Element | undefined => of && elements(of, name)[0]
/** All text in it. */
export const textIn = (of: Element | undefined): string =>
  of ? of.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('') : ''

const VOID = new Set(['br', 'img', 'hr', 'col'])
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
/**
 * HTML of what stands in an element; lines end where tags say so.
 * @param replace gives what stands in an element's stead, or null
 */
export function markup(
  children: Element['children'],
  replace: (element: Element) => string | null,
  keepsLines = false,
): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return escaped(keepsLines ? child : child.replaceAll(/\s+/g, ' '))
      const other = replace(child)
      if (other !== null) return other
      const attributes = Object.entries(child.attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`)
      const start = `<${child.name}${attributes.join('')}`
      if (VOID.has(child.name)) return `${start} />`
      return `${start}>${markup(child.children, replace, keepsLines || child.name === 'pre')}</${child.name}>`
    })
    .join('')
}
