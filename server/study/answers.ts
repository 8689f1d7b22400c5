import type { Thing } from '#src/contract/study.ts'
import { type Answer, byTime } from '#src/domain/study.ts'
import { asking, type Judged } from './judge.ts'
import type { Answerable, Known, RecordRow, Tallied } from './store.ts'

/** What an answer means besides the state of its question: for statistics, and for what the student is told. */

/** The word that an answer counts otherwise since its question was corrected. */
export function noticeRow(
  { questionNo, response, right = false }: Answer,
  { keyed }: Answerable,
  now: number,
): RecordRow {
  const chosen = response.kind === 'choice' ? response.ids : response.kind === 'blank' ? response.texts : []
  const body: Thing<'notice'> = { at: now, version: keyed, was: !right, right, chosen }
  return { kind: 'notice', id: questionNo, lastAt: now, lastOp: '', body }
}

/** Answers to questions that this student had not answered, the earliest to each: what statistics count. */
export function firstsOf(judged: readonly Judged[], known: Known): Tallied[] {
  const answered = new Set(
    known.records.flatMap(({ kind, id, body }) =>
      kind === 'state' && 'times' in body && body.times !== 0 ? [id] : [],
    ),
  )
  const answerables = new Map(known.answerables.map((each) => [each.no, each]))
  const answers = judged.flatMap(({ fact }) => (fact?.kind === 'answer' ? [fact] : [])).sort(byTime)
  return answers.flatMap((fact) => {
    const of = answerables.get(fact.questionNo)
    if (!of || answered.has(fact.questionNo) || fact.response.kind === 'essay') return []
    answered.add(fact.questionNo)
    return [tallied(fact, of)]
  })
}

export const tallied = ({ questionNo, response, right, version }: Answer, of: Answerable): Tallied => ({
  question_no: questionNo,
  since: asking(of, version).since,
  pick: response.kind === 'choice' ? [...new Set(response.ids)].sort().join('') : '',
  n: 1,
  right: right ? 1 : 0,
})
