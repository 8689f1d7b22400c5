import { askedIn } from '#tools/secondReading.ts'
import { near } from './analysis.ts'
import { valueOf, type Values } from './formula.ts'
import { only } from './numbers.ts'

/** These are the questions of the bank. Nothing here looks at their keys: results are looked for among the options. */
const all = new Map(askedIn('math1.json').map((each) => [each.no, each]))
export const optionsOf = (no: string): readonly string[] => all.get(no)?.options ?? []

/** Gives the one option that something holds for. */
export const chosen = (no: string, holds: (option: string) => boolean): string => only(optionsOf(no), holds)

/** Gives the one option that has this value. */
export const worth = (no: string, value: number): string => chosen(no, (option) => near(valueOf(option), value))

/** Gives the one option that has the values of this function. */
export const being = (no: string, f: (x: number) => number, name = 'x', points = [0.3, 0.7, 1.1, 1.6]): string =>
  chosen(no, (option) => points.every((x) => near(valueOf(rightSide(option), { [name]: x }), f(x), 1e-5)))
export const rightSide = (equation: string): string => equation.replace(/^.*=/, '').replace('+C$', '$')

/** Says how far the sides of an equation are apart. */
export function gap(equation: string, values: Values): number {
  const [left = '', right = ''] = equation.split('=')
  return valueOf(left, values) - valueOf(right, values)
}

/** Gives the right options, each of which is recognised by a piece of its text. */
export const holding = (no: string, pieces: Readonly<Record<string, boolean>>): string[] => {
  const names = Object.keys(pieces)
  const found = optionsOf(no).map((option) => names.filter((name) => option.includes(name)))
  if (new Set(found.flat()).size !== names.length || found.some((those) => those.length !== 1))
    throw new Error(`${no}: ${JSON.stringify(found)}`)
  return optionsOf(no).filter((option) => names.some((name) => pieces[name] && option.includes(name)))
}

/** Gives a text for each blank, if every way of writing it that is accepted has the calculated value. */
export const filled = (no: string, ...values: number[]): string[] => {
  const blanks = all.get(no)?.blanks ?? []
  return values.map((value, i) => {
    const accepted = blanks[i] ?? []
    const wrong = accepted.find((text) => !near(valueOf(text), value))
    return wrong === undefined ? (accepted[0] ?? '') : `${wrong} is not ${value}`
  })
}
export const judged = (holds: boolean): string => (holds ? '对' : '错')
