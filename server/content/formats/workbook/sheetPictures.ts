import { attribute, childrenOf, inside, localName, type Parts } from '../office/parts.ts'
import { type Element, textIn } from '../xml.ts'

/** A picture on a sheet, by the rows (from 0) that it covers and the column in which it begins. */
export interface Anchored {
  row: number
  bottom: number
  column: number
  /** Its name within the file. */
  source: string
}

/** The unit of drawings: so many to a point. */
const EMU = 12_700
/** A picture that begins within this last share of a row's height is the next row's: a hand slipped. */
const SLIP = 0.25

/** Pictures that lie over the cells. @param heightOf points */
export function floatingPictures(parts: Parts, drawing: string, heightOf: (row: number) => number): Anchored[] {
  const targets = parts.relations(drawing)
  const found: Anchored[] = []
  parts.each(drawing, ['twoCellAnchor', 'oneCellAnchor'], (anchor) => {
    const [from, to] = ['from', 'to'].map((name) => childrenOf(anchor, name)[0])
    const at = (of: Element | undefined, name: string) => Number(textIn(of && childrenOf(of, name)[0])) || 0
    if (!from) return
    const start = at(from, 'row')
    const slipped = at(from, 'rowOff') / EMU > heightOf(start) * (1 - SLIP)
    const row = slipped ? start + 1 : start
    const end = to && at(to, 'rowOff') / EMU > heightOf(at(to, 'row')) * SLIP ? at(to, 'row') : at(to, 'row') - 1
    const bottom = Math.max(row, to ? end : row)
    for (const source of pictures(anchor, targets)) found.push({ row, bottom, column: at(from, 'col'), source })
  })
  return found
}

/** All in it: pictures may be grouped. */
const pictures = (of: Element, targets: ReadonlyMap<string, string>): string[] =>
  childrenOf(of).flatMap((child) => {
    if (localName(child) !== 'pic') return pictures(child, targets)
    const source = targets.get(attribute(inside(child, 'blip') ?? child, 'embed') ?? '')
    return source === undefined ? [] : [source]
  })

/** Pictures that are the content of a cell. */
export interface CellPictures {
  /** The name within the file; null when the cell holds none. */
  of: (cell: Element) => string | null
}

/** Finds pictures in cells: WPS names them by a formula, in Excel a number of the cell leads to them over four parts. */
export function cellPictures(parts: Parts): CellPictures {
  const ofWps = wpsPictures(parts)
  const ofExcel = excelPictures(parts)
  return {
    of(cell) {
      const said = childrenOf(cell).map(textIn).join(' ')
      const name = /DISPIMG\(\s*"([^"]+)"/.exec(said)?.[1]
      if (name !== undefined) return ofWps.get(name) ?? name
      const number = attribute(cell, 'vm')
      return number === undefined ? null : (ofExcel[Number(number) - 1] ?? null)
    },
  }
}

function wpsPictures(parts: Parts): Map<string, string> {
  const targets = parts.relations('xl/cellimages.xml')
  const found = new Map<string, string>()
  parts.each('xl/cellimages.xml', ['cellImage'], (image) => {
    const name = attribute(inside(image, 'cNvPr') ?? image, 'name')
    const source = targets.get(attribute(inside(image, 'blip') ?? image, 'embed') ?? '')
    if (name !== undefined && source !== undefined) found.set(name, source)
  })
  return found
}

/** Lists them by the number that a cell has, less one. */
function excelPictures(parts: Parts): (string | undefined)[] {
  const folder = 'xl/richData'
  const targets = parts.relations(`${folder}/richValueRel.xml`)
  const sources: (string | undefined)[] = []
  parts.each(`${folder}/richValueRel.xml`, ['rel'], (rel) => sources.push(targets.get(attribute(rel, 'id') ?? '')))
  const values: (string | undefined)[] = []
  parts.each(`${folder}/rdrichvalue.xml`, ['rv'], (rv) => values.push(sources[Number(textIn(childrenOf(rv, 'v')[0]))]))
  const rich: (string | undefined)[] = []
  const cells: (string | undefined)[] = []
  parts.each('xl/metadata.xml', ['futureMetadata', 'valueMetadata'], (group) => {
    for (const block of childrenOf(group, 'bk'))
      if (localName(group) === 'futureMetadata')
        rich.push(values[Number(attribute(inside(block, 'rvb') ?? block, 'i'))])
      else cells.push(rich[Number(attribute(inside(block, 'rc') ?? block, 'v'))])
  })
  return cells
}
