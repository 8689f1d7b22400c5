import { Parser } from 'htmlparser2'
import { FileFault } from './draft.ts'

export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

/**
 * The elements of some names as they end, each with its line; of what stands around them nothing is kept. No entity but XML's
 * own is known, so that none can grow or read a file.
 * @throws FileFault when tags do not close each other
 */
export function eachElement(source: string, wanted: string, take: (element: Element, line: number) => void): void {
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
        if (stack.length === 0 && name !== wanted) return
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
