export type Values = Readonly<Record<string, number>>

/** These are the functions that formulas of the banks name. */
const FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  arctan: Math.atan,
  ln: Math.log,
  Phi: normal,
}

/** Integrates the density of the standard normal distribution by Simpson's rule. */
export function normal(x: number): number {
  const [steps, density] = [2000, (t: number) => Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI)]
  const h = x / steps
  let total = density(0) + density(x)
  for (let i = 1; i < steps; i++) total += (i % 2 === 1 ? 4 : 2) * density(i * h)
  return 0.5 + (total * h) / 3
}

/** These drop what only changes how a formula looks, and make different ways to write one thing one. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\$|\\left|\\right|\\limits|\\[,! ]/g, ''],
  [/\\dfrac/g, '\\frac'],
  [/\\mathrm d([xy])/g, '\\d$1'],
  [/\\mathrm e/g, 'e'],
  [/\\overline X/g, '\\mean'],
  [/\\times|\\cdot/g, '*'],
  [/π|(?<![\\a-z])pi/g, '\\pi '],
]
const tokensOf = (formula: string): string[] =>
  PLAIN.reduce((text, [from, to]) => text.replace(from, to), formula).match(/\\[A-Za-z]+|\S/g) ?? []

/**
 * Gives the value of a formula as the banks write it, in LaTeX, or as a student types it in a blank. It knows
 * only what the keys need; anything else throws, so that no formula is misread in silence.
 */
export function valueOf(formula: string, values: Values = {}): number {
  const reader = new Reader(tokensOf(formula), values)
  const value = reader.sum()
  if (!reader.isDone()) throw new Error(`cannot read ${formula}`)
  return value
}

class Reader {
  private at = 0
  private readonly tokens: readonly string[]
  private readonly values: Values
  constructor(tokens: readonly string[], values: Values) {
    this.tokens = tokens
    this.values = values
  }

  isDone(): boolean {
    return this.at === this.tokens.length
  }
  private next(): string {
    return this.tokens[this.at++] ?? ''
  }
  private take(token: string): boolean {
    const isNext = this.tokens[this.at] === token
    if (isNext) this.at++
    return isNext
  }

  sum(): number {
    let total = this.take('-') ? -this.product() : this.product()
    for (;;) {
      if (this.take('+')) total += this.product()
      else if (this.take('-')) total -= this.product()
      else return total
    }
  }
  private product(): number {
    let total = this.power()
    for (;;) {
      if (this.take('*')) total *= this.power()
      else if (this.take('/')) total /= this.power()
      else if (/^[\w\\([{]/.test(this.tokens[this.at] ?? '')) total *= this.power()
      else return total
    }
  }
  private power(): number {
    const base = this.one()
    const value = this.take('^') ? base ** this.argument() : base
    return this.take('%') ? value / 100 : value
  }
  /** Reads a single digit or a group: \frac12 is a half. */
  private argument(): number {
    if (this.take('-')) return -this.argument()
    const token = this.tokens[this.at] ?? ''
    if (/\d/.test(token)) return Number(this.next())
    return this.one()
  }
  private one(): number {
    const token = this.next()
    const close = { '(': ')', '[': ']', '{': '}' }[token]
    if (close) return this.group(close)
    if (/\d/.test(token)) return this.number(token)
    if (token === '\\frac') return this.argument() / this.argument()
    if (token === '\\sqrt') return Math.sqrt(this.argument())
    const known = FUNCTIONS[token.slice(1)]
    if (known) return known(this.tokens[this.at] === '(' ? this.one() : this.product())
    return this.letter(token)
  }
  private group(close: string): number {
    const value = this.sum()
    if (!this.take(close)) throw new Error(`${close} is missing`)
    return value
  }
  private number(first: string): number {
    let digits = first
    while (/[\d.]/.test(this.tokens[this.at] ?? '')) digits += this.next()
    return Number(digits)
  }
  private letter(token: string): number {
    const name = token.replace('\\', '') + (this.take('_') ? `_${this.next()}` : '')
    const value = this.values[name] ?? { e: Math.E, pi: Math.PI }[name]
    if (value === undefined) throw new Error(`${name || 'the end'} has no value`)
    return value
  }
}
