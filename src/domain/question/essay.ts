import type { EssayQuestion } from '#src/contract/question.ts'
import { type AnswerRules, type MarkableWith, NOTHING, type ResponseOf, type Score, WITHOUT_ANSWER } from './rules.ts'

type Marked = MarkableWith<'scoring'>

/** Adds what points earn; of grades the best one counts, as only one is reached. */
function sum({ composition }: Marked, points: readonly { score: Score }[]): Score {
  const scores = points.map(({ score }) => score)
  return composition?.graded ? Math.max(0, ...scores) : scores.reduce((total, score) => total + score, 0)
}

/** The student marks an essay, by the points that they find in what they wrote. */
export const essay: AnswerRules<EssayQuestion, Marked, ResponseOf<'essay'>> = {
  kind: 'essay',
  empty: () => ({ kind: 'essay', text: '', ticked: [] }),
  isAnswered: ({ text, ticked }) => text.trim() !== '' || ticked.length > 0,
  fits: () => true,
  goesOn: () => true,
  mark(question, { ticked }, full) {
    const { scoring, composition } = question
    const ticks = new Set(ticked)
    if (scoring.length === 0) return ticks.has(0) ? { score: full, right: true } : NOTHING
    const [total, got] = [
      sum(question, scoring),
      sum(
        question,
        scoring.filter((_, i) => ticks.has(i)),
      ),
    ]
    const right = composition?.graded ? got === total : scoring.every((_, i) => ticks.has(i))
    // The points' own scores are shares of `full`, which a paper may set otherwise.
    return { score: right || total === 0 ? (right ? full : 0) : Math.floor((full * got) / total), right }
  },
  practiceFull: (question) => (question.scoring.length > 0 ? sum(question, question.scoring) : 100),
  markable: ({ no, type, scoring, composition }) => ({
    no,
    type,
    scoring: scoring.map(({ score }) => ({ score })),
    // Its student's record lists it as a composition, which a server must tell without the question.
    ...(composition && { composition: composition.graded ? { graded: true } : {} }),
  }),
  // An essay that has become a composition is marked as it was.
  keyId(question) {
    const { composition, ...marked } = essay.markable(question)
    return JSON.stringify(composition?.graded ? { ...marked, graded: true } : marked)
  },
  asked: (question) => ({ ...question, ...WITHOUT_ANSWER, reference: '', scoring: [] }),
  keyText: () => '',
  answerText: () => '',
  searchTexts: ({ reference }) => [reference],
  sealed: ({ text, ticked }) => [text, ticked],
}
