import { attribute, childrenOf, localName, type Parts } from '../office/parts.ts'
import type { Element } from '../xml.ts'

/** It says how a run looks; what is not said is left to what stands above it. */
export interface Look {
  b?: boolean
  i?: boolean
  u?: boolean
  s?: boolean
  script?: 'sup' | 'sub' | 'none'
  isHidden?: boolean
  isCaps?: boolean
  isDotted?: boolean
  /** It may mean an answer. */
  isColoured?: boolean
  /** Nobody sees it on paper. */
  isWhite?: boolean
  /** A marker behind the text, as one has on paper. */
  isMarked?: boolean
  font?: string
}
/** The list that a paragraph is an item of. */
export interface InList {
  num?: string
  level?: number
}
interface Style {
  basedOn: string | undefined
  look: Look
  list: InList | undefined
}
export interface Styles {
  /** Reads the look of a paragraph, with all that it takes over. */
  paragraph: (properties: Element | undefined) => { look: Look; list: InList; style: string | undefined }
  run: (properties: Element | undefined, paragraph: Look) => Look
}

const child = (of: Element | undefined, name: string): Element | undefined => of && childrenOf(of, name)[0]
const valueOf = (of: Element | undefined, name: string): string | undefined => {
  const found = child(of, name)
  return found && attribute(found, 'val')
}
const isOn = (element: Element): boolean => !['0', 'false', 'off', 'none'].includes(attribute(element, 'val') ?? '')

/** Half points; less is a line that was set a little higher. */
const RAISED = 6
/** Colours that print as text does. */
const DARK = /^(?:auto|000000|[0-4][0-9a-f][0-4][0-9a-f][0-4][0-9a-f])$/i

function lookOf(properties: Element | undefined): Look {
  const look: Look = {}
  for (const each of properties ? childrenOf(properties) : []) {
    const value = attribute(each, 'val') ?? ''
    const name = localName(each)
    if (name === 'b' || name === 'i' || name === 'u') look[name] = isOn(each)
    else if (name === 'strike' || name === 'dstrike') look.s = isOn(each) || (name === 'dstrike' && look.s === true)
    else if (name === 'vertAlign')
      look.script = { superscript: 'sup' as const, subscript: 'sub' as const }[value] ?? 'none'
    else if (name === 'position' && Math.abs(Number(value)) >= RAISED) look.script ??= Number(value) > 0 ? 'sup' : 'sub'
    else if (name === 'vanish' || name === 'specVanish') look.isHidden = isOn(each)
    else if (name === 'caps') look.isCaps = isOn(each)
    else if (name === 'em') look.isDotted = isOn(each)
    else if (name === 'color') {
      look.isWhite = /^f{6}$/i.test(value)
      look.isColoured = !DARK.test(value)
    } else if (name === 'highlight') look.isMarked = isOn(each)
    else if (name === 'shd') look.isMarked = !/^(?:auto|f{6})?$/i.test(attribute(each, 'fill') ?? '')
    else if (name === 'rFonts') {
      const font = attribute(each, 'ascii') ?? attribute(each, 'hAnsi')
      if (font !== undefined) look.font = font
    }
  }
  return look
}

export function listOf(properties: Element | undefined): InList | undefined {
  const found = child(properties, 'numPr')
  const [num, level] = [valueOf(found, 'numId'), valueOf(found, 'ilvl')]
  return found && { ...(num !== undefined && { num }), ...(level !== undefined && { level: Number(level) }) }
}

/** Styles that take over from each other may do so in a circle. */
const DEEPEST = 40

export function stylesIn(parts: Parts, part: string | undefined): Styles {
  const styles = new Map<string, Style>()
  let defaults: Look = {}
  let ordinary: string | undefined
  if (part)
    parts.each(part, ['docDefaults', 'style'], (element) => {
      if (localName(element) === 'docDefaults') {
        defaults = lookOf(child(child(element, 'rPrDefault'), 'rPr'))
        return
      }
      const id = attribute(element, 'styleId') ?? ''
      const isDefault = ['1', 'true'].includes(attribute(element, 'default') ?? '')
      if (isDefault && attribute(element, 'type') === 'paragraph') ordinary = id
      styles.set(id, {
        basedOn: valueOf(element, 'basedOn'),
        look: lookOf(child(element, 'rPr')),
        list: listOf(child(element, 'pPr')),
      })
    })
  /** From the furthest to the style itself. */
  const chain = (id: string | undefined): Style[] => {
    const found: Style[] = []
    for (let at = id; at !== undefined && found.length < DEEPEST; at = styles.get(at)?.basedOn) {
      const style = styles.get(at)
      if (!style) break
      found.unshift(style)
    }
    return found
  }
  const paragraph: Styles['paragraph'] = (properties) => {
    const style = valueOf(properties, 'pStyle') ?? ordinary
    const above = chain(style)
    const look = Object.assign({}, defaults, ...above.map((each) => each.look)) as Look
    const list = Object.assign({}, ...above.map((each) => each.list), listOf(properties)) as InList
    return { look, list, style }
  }
  const run: Styles['run'] = (properties, above) =>
    Object.assign(
      {},
      above,
      ...chain(valueOf(properties, 'rStyle')).map(({ look }) => look),
      lookOf(properties),
    ) as Look
  return { paragraph, run }
}
