import { type Statistic, STATISTIC_MIN } from '#src/contract/question.ts'
import type { Markable } from '#src/domain/question/rules.ts'

/** First answers to what a question asks now, by what was chosen. */
export interface Tally {
  no: string
  body: Markable
  picks: { pick: string; n: number; right: number }[]
}

/** Null: not enough students. A choice is counted by its key of today, so a corrected key needs no recount. */
export function statistic({ no, body, picks }: Tally): Statistic | null {
  const students = picks.reduce((sum, { n }) => sum + n, 0)
  if (students < STATISTIC_MIN) return null
  const key = 'key' in body && body.type !== 'order' ? [...body.key].sort().join('') : null
  const right = picks.reduce((sum, each) => sum + (key === null ? each.right : each.pick === key ? each.n : 0), 0)
  const wrong = key === null ? undefined : mostWrong(key, picks)
  return { no, students, right: Math.round((100 * right) / students), ...(wrong && { wrong }) }
}

function mostWrong(key: string, picks: Tally['picks']): string | undefined {
  const chosen = new Map<string, number>()
  for (const { pick, n } of picks)
    for (const id of pick) if (!key.includes(id)) chosen.set(id, (chosen.get(id) ?? 0) + n)
  return [...chosen].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0]
}
