import { Parser } from 'htmlparser2'
import { FileFault } from './draft.ts'

export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

/** Far more than any real file has, and few enough to be walked through. */
const DEEPEST = 200

/**
 * The elements of some names as they end, each with its line; of what stands around them nothing is kept. No entity but XML's
 * own is known, so that none can grow or read a file.
 * @throws FileFault when tags do not close each other
 */
export function eachElement(source: string, wanted: RegExp, take: (element: Element, line: number) => void): void {
  const stack: Element[] = []
  let [line, counted, began] = [1, 0, 1]
  const lineAt = (index: number): number => {
    for (; counted < index; counted++) if (source.charCodeAt(counted) === 10) line++
    return line
  }
  let seen = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        seen++
        if (stack.length === 0 && !wanted.test(name)) return
        if (stack.length > DEEPEST) throw new FileFault(`第${lineAt(parser.startIndex)}行：XML 的标签套了太多层`)
        const element: Element = { name, attributes, children: [] }
        if (stack.length === 0) began = lineAt(parser.startIndex)
        else stack.at(-1)?.children.push(element)
        stack.push(element)
      },
      ontext(text) {
        stack.at(-1)?.children.push(text)
      },
      onclosetag(name, implied) {
        // The parser calls the end of `<text />` implied, too.
        if (implied && !source.startsWith('/>', parser.endIndex - 1))
          throw new FileFault(`第${lineAt(parser.startIndex)}行：XML 的标签 <${name}> 没有正确结束`)
        const element = stack.pop()
        if (element && stack.length === 0) take(element, began)
      },
    },
    { xmlMode: true },
  )
  parser.end(source)
  if (seen === 0) throw new FileFault('不是 XML 文件')
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
