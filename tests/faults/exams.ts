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
    from: `sitting.mode === 'exam' ? allowedMs({ minutes, window }, sitting.startedAt) : Number.POSITIVE_INFINITY`,
    to: `allowedMs({ minutes, window }, sitting.startedAt)`,
    red: ['tests/server/examSitting.test.ts > in 练习 has no clock to disagree with, and no end'],
  },
  {
    breaks: 'The key of an exam comes at its end, while its ranking still takes hand-ins.',
    file: 'src/domain/paper/exam.ts',
    from: `window && Math.max(window.to, rankClosesAt ?? window.to)`,
    to: `window && window.to`,
    red: ['tests/server/examFairness.test.ts > nobody is told a key, a mark or an answer, by whichever call'],
  },
  {
    breaks: 'A question of an exam can be read by its number while the ranking still takes hand-ins.',
    file: 'server/rights/store.ts',
    from: 'or greatest(x.ends_at, x.rank_closes_at) <= ${now}',
    to: 'or x.ends_at <= ${now}',
    red: [
      'tests/server/examFairness.test.ts > nobody is told a key, a mark or an answer, by whichever call',
      'tests/server/examFairness.test.ts > an answer to one of its questions by another way waits',
    ],
  },
  {
    breaks: 'Who first opens the paper after the end is ranked.',
    file: 'src/domain/paper/exam.ts',
    from: `(openedAt === null || openedAt >= window.to)`,
    to: `openedAt === null`,
    red: ['tests/server/examFairness.test.ts > of who first opened the paper then is not ranked'],
  },
  {
    breaks: 'Opening a sealed paper is not noted as having had it.',
    file: 'server/exam/handlers.ts',
    from: `    await noteOpened(db, no, uid, now)
    return { key:`,
    to: `    return { key:`,
    red: ['tests/server/examFairness.test.ts > of who opened it in time and lost the network is ranked'],
  },
  {
    breaks: 'A choice that only its own clock places before the end counts for the place.',
    file: 'server/exam/ranking.ts',
    from: `  const { earned } = markSitting(asRanked(handed), sections)`,
    to: `  const { earned } = markSitting(handed, sections)`,
    red: ['tests/server/examFairness.test.ts > of which only its own clock says that it was in time'],
  },
  {
    breaks: 'Of two papers of one exam that are counted in one turn, the second is marked by the key of the first.',
    file: 'server/exam/ranking.ts',
    from: 'const key = `${examNo} ${rev}`',
    to: 'const key = examNo',
    red: ['tests/server/examRanking.test.ts > marks two sittings that are counted in one turn'],
  },
  {
    breaks: 'A sitting is handed in for another edition of its paper than it was begun with.',
    file: 'server/study/judgeExam.ts',
    from: ' || before.rev !== said.rev',
    to: '',
    red: ['tests/server/examSitting.test.ts > of another edition of its paper than it was begun with is refused'],
  },
]
