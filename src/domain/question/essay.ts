import type { EssayQuestion } from '#src/contract/question.ts'
import { type AnswerRules, type MarkableWith, NOTHING, type ResponseOf, type Score, WITHOUT_ANSWER } from './rules.ts'

const sum = (points: readonly { score: Score }[]): Score => points.reduce((total, { score }) => total + score, 0)

/** The student marks an essay, by the points that they find in what they wrote. */
export const essay: AnswerRules<EssayQuestion, MarkableWith<'scoring'>, ResponseOf<'essay'>> = {
  kind: 'essay',
  empty: () => ({ kind: 'essay', text: '', ticked: [] }),
  isAnswered: ({ text, ticked }) => text.trim() !== '' || ticked.length > 0,
  fits: () => true,
  goesOn: () => true,
  mark({ scoring }, { ticked }, full) {
    const ticks = new Set(ticked)
    if (scoring.length === 0) return ticks.has(0) ? { score: full, right: true } : NOTHING
    const [total, got] = [sum(scoring), sum(scoring.filter((_, i) => ticks.has(i)))]
    const right = scoring.every((_, i) => ticks.has(i))
    // The points' own scores are shares of `full`, which a paper may set otherwise.
    return { score: right || total === 0 ? (right ? full : 0) : Math.floor((full * got) / total), right }
  },
  practiceFull: ({ scoring }) => (scoring.length > 0 ? sum(scoring) : 100),
  markable: ({ no, type, scoring }) => ({ no, type, scoring: scoring.map(({ score }) => ({ score })) }),
  keyId: (question) => JSON.stringify(essay.markable(question)),
  asked: (question) => ({ ...question, ...WITHOUT_ANSWER, reference: '', scoring: [] }),
  keyText: () => '',
  answerText: () => '',
  searchTexts: ({ reference }) => [reference],
  sealed: ({ text, ticked }) => [text, ticked],
}
