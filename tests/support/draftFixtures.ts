/**
 * One value of every kind as this release finds it on phones that earlier releases have written: from before the kinds were declared, with
 * what was optional left out where it was. They never change; a new shape adds one.
 */
const batch = {
  v: 1,
  at: 1,
  mode: 'practice',
  items: [
    { no: 'L_q1', chapterNo: 'L_c1', libraryNo: 'L', block: 0 },
    { no: 'L_q2', chapterNo: 'L_c1', libraryNo: 'L', block: 0 },
  ],
  parts: {
    L_q1: { response: { kind: 'choice', ids: ['B'] }, right: true, opened: false, spentMs: 4200, opId: 'op-1' },
  },
}
const dealt = { ...batch, dealt: true, usedMs: 9000, deal: { seed: 7, choice: '', limitMs: 600_000, id: 'one' } }
const exam = {
  ...batch,
  mode: 'exam',
  parts: { L_q1: { ...batch.parts.L_q1, right: null, flagged: true, struck: ['A'] } },
}
const handed = { ...exam, mode: 'review', parts: { L_q1: { ...batch.parts.L_q1, strict: true } } }
const head = { no: 'E1', rev: 'r1', title: '模拟考试' }

export const DRAFT_FIXTURES: readonly (readonly [key: string, value: unknown])[] = [
  ['batch:L_c1', batch],
  ['batch:L_c2', dealt],
  ['daily:L', dealt],
  ['errors:all:1:answer:::', batch],
  ['errors:L:0:recite:open:cause:careless', batch],
  ['collected:all', batch],
  ['noted:L_c1', batch],
  ['today', batch],
  ['ended:batch:L_c1', ['one', 'two']],
  ['hint:L_c1', { from: 2, round: 1_763_000_000_000 }],
  ['dailyDealt:L', { day: 20_415, nos: ['L_q1'] }],
  ['reviews', { day: 20_415, nos: ['L_q1', 'L_q2'] }],
  [
    'lapses',
    { day: 20_415, share: 10, minutes: 20, done: 9, ms: { L_q3: 25_000 }, pool: ['L_q3', 'L_q9'], lookedTo: 'L_q9' },
  ],
  [
    'todayDealt',
    {
      day: 20_415,
      minutes: 10,
      more: false,
      finishes: 'L',
      review: ['L_q1'],
      daily: ['L_q2'],
      fresh: [],
      away: ['fresh'],
    },
  ],
  ['dailyDone', { day: 20_415, libraries: ['L'] }],
  ['pad:L_q1', { at: 1_763_000_000_000, strokes: [{ kind: 'pen', points: [1, 2, 3] }] }],
  ['note:L_q1', { text: '先受力分析', taken: ['op-2'] }],
  ['report:L_q1', { reason: 'other', text: '选项重复' }],
  ['paper:S_1:exam', { id: 's1', setNo: 'S', itemNo: 'S_1', mode: 'exam', startedAt: 1_763_000_000_000 }],
  [
    'paper:T:recite',
    { id: 't1', of: 'testing', setNo: 'T', itemNo: 'T', mode: 'recite', startedAt: 1_763_000_000_000 },
  ],
  ['chosen:S_1', 'recite'],
  ['clock:s1', { elapsedMs: 61_000 }],
  ['sitting:s1', exam],
  ['handed:s1', handed],
  ['exam:E1', { id: 'e1', exam: 'E1', rev: 'r1', mode: 'exam', startedAt: 1_763_000_000_000 }],
  ['examClock:e1', { elapsedMs: 61_000 }],
  [
    'examPaper:e1',
    {
      ...head,
      kind: 'mock',
      window: null,
      rankClosesAt: null,
      minutes: 90,
      count: 1,
      full: 300,
      partial: 'none',
      sections: [
        {
          title: '单选题',
          note: '',
          entries: [
            {
              question: {
                no: 'L_q1',
                type: 'single',
                stem: '<p>1+1=?</p>',
                analysis: '',
                points: [],
                difficulty: 1,
                source: '',
                year: 0,
                options: ['1', '2'].map((html, i) => ({ id: 'AB'.charAt(i), html })),
                key: [],
              },
              chapterNo: 'L_c1',
              libraryNo: 'L',
              scores: [300],
            },
          ],
        },
      ],
    },
  ],
  ['examSealed:E1', { no: head.no, rev: head.rev, iv: 'aXY=', box: 'Ym94', key: 'a2V5' }],
  ['examSealed:E2', { no: 'E2', rev: head.rev, iv: 'aXY=', box: 'Ym94' }],
  ['examState:e1', exam],
  ['examHanded:e1', { ...exam, mode: 'review' }],
  ['examReview:e1', handed],
  ['examBook:e1', true],
  ['examEnded:e1', { id: 'e1', no: head.no, title: head.title }],
  [
    'address:new',
    { id: 'a1', name: '', mobile: '', province: '', city: '', district: '', detail: '德雅路', isDefault: false },
  ],
  ['lessonNote:C_1', { noteNo: '01890000-0000-7000-8000-000000000001', second: 42, text: '公式' }],
  ['watch:C_1:01890000', { courseNo: 'C', lessonNo: 'C_1', watched: [[0, 42]], position: 42, at: 1_763_000_000_000 }],
]
