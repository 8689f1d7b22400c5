/** An element of a formula. `text` is that of a token (mi, mn, mo, ms, mtext), its entities decoded; others have children. */
export interface MathNode {
  tag: string
  attributes: string
  text: string
  children: MathNode[]
}

const PIECES = /<\/?([a-z-]+)([^>]*)>|[^<]+/gi
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ', amp: '&' }

/** Entities that our sanitisers leave in a text. Any other stays as it is written. */
export const decoded = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (whole, name: string) => ENTITIES[name] ?? whole)

/**
 * The tree of one formula as the sanitiser leaves it. It needs no DOM, so that the server and workers read formulae as the page
 * does. An element that is never closed ends with the formula.
 */
export function parseMathml(mathml: string): MathNode {
  const top: MathNode = { tag: 'math', attributes: '', text: '', children: [] }
  const open = [top]
  for (const [piece, name, attributes = ''] of mathml.matchAll(PIECES)) {
    const tag = name?.toLowerCase()
    if (tag === undefined) (open.at(-1) ?? top).text += decoded(piece)
    else if (piece.startsWith('</')) {
      const from = open.map((node) => node.tag).lastIndexOf(tag)
      if (from > 0) open.length = from
    } else {
      const node: MathNode = { tag, attributes, text: '', children: [] }
      ;(open.at(-1) ?? top).children.push(node)
      if (!attributes.endsWith('/')) open.push(node)
    }
  }
  return top
}
