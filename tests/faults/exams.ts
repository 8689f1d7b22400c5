import type { Fault } from './fault.ts'

export const examsFaults: Fault[] = [
  {
    breaks: 'An arrow key changes the answer of a running exam.',
    file: 'src/player/useKeys.ts',
    from: `      event.preventDefault()
    }`,
    to: `    }`,
    red: ['tests/player/Player.test.tsx > changes no answer of an exam, though an option has just been tapped'],
  },
  {
    breaks: 'Publishing an exam again with another closing time counts every ranked sitting a second time.',
    file: 'server/exam/store.ts',
    from: `      .where('exam_no', '=', exam.no)
      .where('score', 'is', null)
      .execute()`,
    to: `      .where('exam_no', '=', exam.no)
      .execute()`,
    red: ['tests/server/examRanking.test.ts > counts nobody twice when the exam is published again'],
  },
  {
    breaks: 'Publishing an exam again with a corrected key counts every ranked sitting a second time.',
    file: 'server/exam/store.ts',
    from: `  if (before && before.rank_closes_at !== rankClosesAt)
    await tx
      .updateTable('exam_entry')
      .set({ counted: false })
      .where('exam_no', '=', exam.no)
      .where('score', 'is', null)
      .execute()`,
    to: `  if (before && (before.rank_closes_at !== rankClosesAt || before.rev !== exam.rev))
    await tx
      .updateTable('exam_entry')
      .set({ counted: false, score: null })
      .where('exam_no', '=', exam.no)
      .execute()`,
    red: ['tests/server/examRanking.test.ts > counts nobody twice when the exam is published again'],
  },
  {
    breaks: 'When an exam’s ranking has no closing time any more, those who were late stay out of it.',
    file: 'server/exam/store.ts',
    from: `if (before && before.rank_closes_at !== rankClosesAt)`,
    to: `if (before?.rank_closes_at && rankClosesAt && before.rank_closes_at < rankClosesAt)`,
    red: ['tests/server/examRanking.test.ts > one that arrives when the ranking is closed'],
  },
  {
    breaks:
      'The averages of sections in a report mix the papers that an exam had before and after it was published again.',
    file: 'server/exam/ranking.ts',
    from: `where exam_no = \${no} and rev = \${rev} and part > 0 group by part`,
    to: `where exam_no = \${no} and \${rev} <> '' and part > 0 group by part`,
    red: ['tests/server/examRanking.test.ts > counts nobody twice when the exam is published again'],
  },
  {
    breaks: 'A device that brings two whole sittings in one sync has neither of them ranked.',
    file: 'server/exam/store.ts',
    from: `and oh.created_at < h.created_at) as first`,
    to: `and oh.created_at <= h.created_at) as first`,
    red: ['tests/server/examRanking.test.ts > takes the first of two sittings that a device brings whole in one sync'],
  },
  {
    breaks: 'What was chosen in 练习 after the time of 真实 gives nothing.',
    file: 'server/exam/marking.ts',
    from: `attempt.mode === 'exam' ? allowedMs(handed, attempt.startedAt) : Number.POSITIVE_INFINITY`,
    to: `allowedMs(handed, attempt.startedAt)`,
    red: ['tests/server/examSitting.test.ts > in 练习 has no clock to disagree with, and no end'],
  },
]
