import temml from 'temml'

/** A piece of text: HTML outside formulae, LaTeX inside. */
export type Piece = { html: string } | { latex: string; display: boolean }

const DELIMITED = /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|(?<!\\)\$([^$]+?)(?<!\\)\$/g

/**
 * Cuts a text at its formulae. `$$…$$` is a display only when it stands alone on its line: some banks write all inline maths
 * so. Dollars of money ("$8 to $10") and a lone `$` stay text.
 */
export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let from = 0
  DELIMITED.lastIndex = 0
  for (let match = DELIMITED.exec(text); match; match = DELIMITED.exec(text)) {
    const [whole, dollars, brackets, parens, dollar] = match
    if (dollar !== undefined && !isMaths(dollar)) {
      // Its closing dollar may open a real formula.
      DELIMITED.lastIndex = match.index + 1
      continue
    }
    const latex = dollars ?? brackets ?? parens ?? dollar ?? ''
    const display = (dollars ?? brackets) !== undefined && standsAlone(text, match.index, whole.length)
    found.push({ html: text.slice(from, match.index) }, { latex: latex.trim(), display })
    from = match.index + whole.length
  }
  found.push({ html: text.slice(from) })
  return found
}

/** A formula never spans paragraphs, and money is a number followed by words. */
const isMaths = (inside: string): boolean =>
  !/\n\s*\n/.test(inside) &&
  inside.trim() !== '' &&
  !(/^\d[\d.,]*\s+[A-Za-z]/.test(inside) && !/[\\^_={}]/.test(inside)) &&
  // Words in a row are a sentence between two prices.
  !(/(?:\b[A-Za-z]{2,}\b[,.:;]?\s+){4}/.test(inside) && !inside.includes('\\')) &&
  !(/\s$/.test(inside) && !/[\\^_={}<>+]/.test(inside) && inside.trim().length > 6)

function standsAlone(text: string, at: number, length: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const after = text.slice(at + length).split('\n', 1)[0] ?? ''
  return before.trim() === '' && after.trim() === ''
}

/** What banks write and a web renderer lacks. */
const REPAIRS: [RegExp, string | ((match: string) => string)][] = [
  [/\\left\s+\{/g, '\\left\\{'],
  [/\\right\s+\}/g, '\\right\\}'],
  [/\\textgreater/g, '>'],
  [/\\textless/g, '<'],
  [/\\textbar/g, '|'],
  [/\\textasciitilde/g, '~'],
  [/\\uline\s*\{[~\s]*\}/g, '\\underline{\\qquad}'],
  [/\\uline/g, '\\underline'],
  [/\\left\{/g, '\\left\\{'],
  [/\\right\}/g, '\\right\\}'],
  // Some banks lost the ends of their rows; of each only the space before the next is left.
  [
    /\\begin\{(cases|matrix)\}(?:(?!\\\\|\\end)[^])*\\end\{\1\}/g,
    (rows) => rows.replace(/(?<=\S) {3,}(?=\S)(?!\\end)/g, ' \\\\ '),
  ],
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&amp;/g, '&'],
]

/** MathML of a formula, or null when it cannot be understood. */
export function toMathml(latex: string, display: boolean): string | null {
  const repaired = REPAIRS.reduce((text, [from, to]) => text.replace(from, to as string), latex)
  for (const source of new Set([repaired, balanced(repaired)])) {
    try {
      return temml.renderToString(source, { displayMode: display, throwOnError: true })
    } catch {
      // Tried again with its brackets balanced; then the source itself is shown.
    }
  }
  return null
}

/** `\left` without `\right`, as when a bank lost the end of a line. */
function balanced(latex: string): string {
  const open = latex.match(/\\left(?![a-z])/g)?.length ?? 0
  const closed = latex.match(/\\right(?![a-z])/g)?.length ?? 0
  return open > closed ? latex + '\\right.'.repeat(open - closed) : latex
}

const TABULAR = /\\begin\{tabular\}(?:\[[^\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\}([\s\S]*?)\\end\{tabular\}/g

/** LaTeX tables, which MathML has no place for, become HTML tables; formulae in their cells stay formulae. */
export function tablesToHtml(text: string): string {
  return text.replace(TABULAR, (_, body: string) => {
    const rows = body
      .replace(ARRAY, withoutArray)
      .replace(/\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})/g, '')
      .split(/\\\\/)
      .filter((row) => row.trim() !== '')
      .map(
        (row) =>
          `<tr>${row
            .split(/(?<!\\)&/)
            .map(cell)
            .join('')}</tr>`,
      )
    return `<table><tbody>${rows.join('')}</tbody></table>`
  })
}

function cell(source: string): string {
  const wide = /^\s*\\multicolumn\{(\d+)\}\{[^}]*\}\{([\s\S]*)\}\s*$/.exec(source)
  const tall = /^\s*\\multirow\{-?(\d+)\}\{?[^{}]*\}?\{([\s\S]*)\}\s*$/.exec(source)
  if (wide) return `<td colspan="${wide[1]}">${wide[2]?.trim()}</td>`
  return `<td>${(tall?.[2] ?? source).trim()}</td>`
}

const ARRAY = /\$\s*\\begin\{array\}\{l\}((?:(?!\\end\{array\})[^])*)\\end\{array\}\s*\$/g
/** Recognition software sets the lines of a cell as an array of texts: it is text again, which can break where it must. */
function withoutArray(whole: string, lines: string): string {
  if (!lines.includes('\\text')) return whole
  const flowing = lines
    .replace(/\s*\\\\\s*/g, ' ')
    .replace(/\\text\s*\{([^{}]*)\}/g, (_, text: string) => `$${text.trim()}$`)
  return `$${flowing}$`.replace(/\$\s*\$/g, '')
}
