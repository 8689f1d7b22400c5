import type { ExamPaper } from '#src/contract/exam.ts'
import {
  examAnswers,
  examClock,
  examPaper,
  type ExamSitting,
  handedExamAnswers,
  lastExamSitting,
} from '#src/offline/drafts/exam.ts'
import { markedByServer } from '#src/sitting/engine/markedByServer.ts'
import type { Policy } from '#src/sitting/engine/policy.ts'

/** An exam is sat by the server's clock, and its first sitting is ranked: nobody has the key before the results are out. */
export const examPolicy: Policy<ExamPaper, ExamSitting> = {
  of: 'exam',
  sealed: examPaper,
  clock: 'server',
  again: false,
  ranked: true,
  marked: markedByServer,
  recites: false,
  drafts: {
    begun: ({ exam }) => lastExamSitting.key(exam),
    answers: examAnswers,
    handed: handedExamAnswers,
    clock: examClock,
  },
  leave: '离开考试',
  reportPath: '/exam/exam_report/',
}
