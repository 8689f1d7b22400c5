import type { Thing } from '#src/contract/study.ts'
import { byTime } from '#src/domain/study/moment.ts'
import { type Answer, type Fact, standing } from '#src/domain/study/study.ts'
import { asking } from './judge.ts'
import type { Answerable, Known, RecordRow, Tallied } from './rows.ts'

/** What an answer means besides the state of its question: for statistics, and for what the student is told. */

/** The word that an answer counts otherwise since its question was corrected. */
export function noticeRow(
  { questionNo, response, right = false }: Answer,
  { keyed }: Pick<Answerable, 'keyed'>,
  now: number,
): RecordRow {
  const chosen = 'ids' in response ? response.ids : response.kind === 'blank' ? response.texts : []
  const body: Thing<'notice'> = { at: now, version: keyed, was: !right, right, chosen }
  return { kind: 'notice', id: questionNo, lastAt: now, lastOp: '', body }
}

/** What a batch does, by question. */
interface Done {
  byQuestion: ReadonlyMap<string, readonly Fact[]>
  /** Questions of which all that was done before was read, because something is taken back or comes late. */
  again: readonly string[]
  recorded: readonly Fact[]
}

/**
 * How the count of first answers moves: a student counts once a question, by the earliest answer that stands. When another one
 * is that now, the one that was counted is taken off.
 */
export function firstsOf({ byQuestion, again, recorded }: Done, { answerables, records }: Known): Tallied[] {
  const answered = new Set(
    records.flatMap(({ kind, id, body }) => (kind === 'state' && 'times' in body && body.times !== 0 ? [id] : [])),
  )
  return answerables.flatMap((of) => {
    // More answers after those that are there change nothing.
    if (answered.has(of.no) && !again.includes(of.no)) return []
    const facts = recorded.filter(({ questionNo }) => questionNo === of.no)
    const before = firstAnswer(facts)
    const after = firstAnswer([...facts, ...(byQuestion.get(of.no) ?? [])])
    if (before?.opId === after?.opId) return []
    return [...(before ? tallied(before, of, -1) : []), ...(after ? tallied(after, of, 1) : [])]
  })
}

/** By which the student counts in the question's statistics. */
export const firstAnswer = (facts: readonly Fact[]): Answer | undefined =>
  standing(facts)
    .filter((fact) => fact.kind === 'answer')
    .sort(byTime)[0]

function tallied(answer: Answer, of: Answerable, n: 1 | -1): Tallied[] {
  const { response, right } = answer
  return response.kind === 'essay' ? [] : [{ ...countedAs(answer, of), n, right: right ? n : 0 }]
}

/** Where an answer is counted. */
export const countedAs = ({ questionNo, response, version }: Answer, of: Answerable) => ({
  question_no: questionNo,
  since: asking(of, version).since,
  pick: response.kind === 'choice' ? [...new Set(response.ids)].sort().join('') : '',
})
