import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { Change, OpRecord } from '#src/contract/study.ts'
import { dayOf } from '#src/domain/time/day.ts'
import { writeCourse } from '#server/course/store.ts'
import { writeGrant } from '#server/rights/store.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, publishWatched } from '#tests/support/courses.ts'
import { answerOp, opOf } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { statesIn } from '#tests/support/states.ts'

/** What a student does besides answering, and what becomes of it on the server. */
let server: TestServer
let who: { uid: string; token: string }
let seq: number
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
  await publishWatched(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  who = await server.student()
  seq = 0
})

const device = randomUUID()
const sync = (ops: OpRecord[], cursor = 0) =>
  server.call(
    contract.study.sync,
    { device, owner: who.uid, proto: 1, sentAt: server.clock.now, cursor, ops },
    who.token,
  )
const moment = (secondsAgo = 0) => ({ seq: ++seq, at: server.clock.now - secondsAgo * 1000 })
const things = <K extends Change['kind']>(changes: Change[], kind: K) =>
  changes.filter((change): change is Extract<Change, { kind: K }> => change.kind === kind)
const today = () => String(dayOf(server.clock.now))
const undo = (target: string) => opOf('retract', { questionNo: 'L_q1', target }, moment())

describe('an answer that is taken back', () => {
  test('counts as never given, on its day too, however often the word of it comes', async () => {
    const [right, wrong] = [answerOp('L_q1', true, moment(60)), answerOp('L_q1', false, moment(30))]
    await sync([right, wrong])
    const before = await sync([])
    expect(things(before.changes, 'day')).toMatchObject([{ id: today(), body: { answered: 2, right: 1 } }])
    await sync([undo(wrong.opId), undo(wrong.opId)])
    const after = await sync([undo(wrong.opId)])
    expect(statesIn(after.changes).get('L_q1')).toMatchObject({ times: 1, wrong: 0, lastRight: true })
    expect(statesIn(after.changes).get('L_q1')).not.toHaveProperty('book')
    expect(things(after.changes, 'day')).toMatchObject([{ id: today(), body: { answered: 1, right: 1 } }])
  })
  test('in the very batch that brings it', async () => {
    const wrong = answerOp('L_q1', false, moment())
    const { changes } = await sync([wrong, undo(wrong.opId)])
    expect(statesIn(changes).get('L_q1')).toMatchObject({ times: 0, lastResponse: null })
    expect(things(changes, 'day')).toMatchObject([{ body: { answered: 0 } }])
  })
  test('is waited for, and refused when it is another’s, no answer, or of another question', async () => {
    const stranger = answerOp('L_q1', true, moment())
    const note = opOf('note', { questionNo: 'L_q1', text: '注', over: [] }, moment())
    const elsewhere = answerOp('L_q2', true, moment())
    const other = await server.student()
    await server.call(
      contract.study.sync,
      { device, owner: other.uid, proto: 1, sentAt: server.clock.now, cursor: 0, ops: [stranger] },
      other.token,
    )
    const { verdicts } = await sync([note, elsewhere, undo(stranger.opId), undo(note.opId), undo(elsewhere.opId)])
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['applied', 'applied', 'retry', 'rejected', 'rejected'])
  })
})

describe('the error book', () => {
  test('is left and entered by hand, and a miss brings a question back', async () => {
    await sync([answerOp('L_q1', false, moment(90))])
    const out = await sync([opOf('book', { questionNo: 'L_q1', in: false }, moment(60))])
    expect(statesIn(out.changes).get('L_q1')?.book).toMatchObject({ out: true })
    const back = await sync([answerOp('L_q1', false, moment(30))])
    expect(statesIn(back.changes).get('L_q1')?.book).toMatchObject({ out: false, rights: 0 })
  })
  test('a question that was never answered can be put in', async () => {
    const { changes } = await sync([opOf('book', { questionNo: 'L_q3', in: true }, moment())])
    expect(statesIn(changes).get('L_q3')).toMatchObject({ times: 0, book: { from: 'hand' } })
  })
})

describe('two devices', () => {
  test('a note stays replaced also when it comes after what took its place', async () => {
    const old = opOf('note', { questionNo: 'L_q1', text: '旧', over: [] }, moment(10))
    // By a clock that was put right meanwhile.
    const made = opOf('note', { questionNo: 'L_q1', text: '新', over: [old.opId] }, moment(20))
    await sync([made])
    const { changes } = await sync([old])
    expect(statesIn(changes).get('L_q1')?.notes).toMatchObject([{ text: '新' }])
  })
  test('both notes are kept until one is written with both in sight', async () => {
    const [one, two] = [moment(60), moment(50)].map((at, i) =>
      opOf('note', { questionNo: 'L_q1', text: `第${i + 1}份`, over: [] }, at),
    )
    if (!one || !two) throw new Error('two notes')
    const both = await sync([two, one])
    expect(
      statesIn(both.changes)
        .get('L_q1')
        ?.notes?.map(({ text }) => text),
    ).toEqual(['第1份', '第2份'])
    const merged = await sync([
      opOf('note', { questionNo: 'L_q1', text: '合并', over: [one.opId, two.opId] }, moment()),
    ])
    expect(
      statesIn(merged.changes)
        .get('L_q1')
        ?.notes?.map(({ text }) => text),
    ).toEqual(['合并'])
  })
  test('what one device has read up to, another one with less does not take back, whichever comes last', async () => {
    const much = opOf('setting', { name: 'noticesSeen', value: 9_000 }, moment(20))
    const less = opOf('setting', { name: 'noticesSeen', value: 5_000 }, moment(10))
    for (const ops of [
      [much, less],
      [less, much],
    ]) {
      who = await server.student()
      const { changes } = await sync(ops)
      expect(things(changes, 'setting')).toMatchObject([{ id: 'noticesSeen', body: { value: 9_000 } }])
    }
  })
  test('what of a lesson was watched on either is watched, and it stands where it stood last, whichever comes first', async () => {
    const watch = (watched: [number, number][], position: number, at: ReturnType<typeof moment>) =>
      opOf('watch', { courseNo: 'C', lessonNo: 'C_l1', watched, position }, at)
    const later = watch([[4, 7]], 7, moment(10))
    const earlier = watch(
      [
        [0, 5],
        [8, 9],
      ],
      9,
      moment(20),
    )
    for (const ops of [
      [later, earlier],
      [earlier, later],
    ]) {
      who = await server.student()
      await sync(ops.slice(0, 1))
      const { changes } = await sync(ops.slice(1))
      const [lesson] = things(changes, 'lesson')
      expect(lesson).toMatchObject({
        id: 'C_l1',
        body: {
          courseNo: 'C',
          watched: [
            [0, 7],
            [8, 9],
          ],
          position: 7,
          opId: later.opId,
        },
      })
    }
  })
  test('of two choices of one setting the later counts, whichever comes first', async () => {
    const later = opOf('setting', { name: 'errorRule', value: 3 }, moment(10))
    const earlier = opOf('setting', { name: 'errorRule', value: 5 }, moment(20))
    await sync([later])
    const { changes } = await sync([earlier])
    expect(things(changes, 'setting')).toMatchObject([{ id: 'errorRule', body: { value: 3 } }])
  })
})

describe('what was watched', () => {
  const watch = (payload: object) =>
    opOf('watch', { courseNo: 'C', lessonNo: 'C_l0', watched: [[0, 5]], position: 5, ...payload }, moment())

  test('is taken as far as its lesson goes, and a little more', async () => {
    const spans = [
      [2, 4],
      [6, 80_000],
      [9, 10],
      [70_000, 70_001],
    ]
    const { verdicts, changes } = await sync([watch({ watched: spans, position: 86_400 })])
    expect(verdicts).toMatchObject([{ verdict: 'applied' }])
    expect(things(changes, 'lesson')).toMatchObject([
      {
        id: 'C_l0',
        body: {
          watched: [
            [2, 4],
            [6, 9],
          ],
          position: 9,
        },
      },
    ])
  })
  test('of a lesson that nobody published, or of another course, is refused, and of one that has left its course taken', async () => {
    const codes = async (...ops: OpRecord[]) =>
      (await sync(ops)).verdicts.map((each) => (each.verdict === 'rejected' ? each.code : each.verdict))
    expect(await codes(watch({ lessonNo: 'C_l9' }), watch({ courseNo: 'D' }))).toEqual([
      'unknown_lesson',
      'unknown_lesson',
    ])
    expect(things((await sync([])).changes, 'lesson')).toEqual([])
    await server.db.updateTable('lesson').set({ retired: true }).where('no', '=', 'C_l1').execute()
    expect(await codes(watch({ lessonNo: 'C_l1' }))).toEqual(['applied'])
  })
  const codeOf = async (lessonNo: string) => {
    const { verdicts } = await sync([watch({ courseNo: 'P', lessonNo, watched: [[0, 3]], position: 3 })])
    return verdicts.map((each) => (each.verdict === 'rejected' ? each.code : each.verdict))
  }
  test('of a lesson that is not the student’s is refused; of one that was theirs when they watched it, it is taken', async () => {
    const row = { ...courseRow({ no: 'P', units: [['P_l0', 'P_l1']] }), price: 100 }
    await server.db.transaction().execute((tx) => writeCourse(tx, row, server.clock.now))
    expect(await codeOf('P_l1')).toEqual(['unknown_lesson'])
    const grant = { kind: 'course', no: 'P', at: server.clock.now, until: server.clock.now + 1000, days: null } as const
    await server.db.transaction().execute((tx) => writeGrant(tx, { ...grant, uid: who.uid, source: 'test_0' }))
    server.clock.now += 2000
    expect(await codeOf('P_l1')).toEqual(['applied'])
  })
  test('of a lesson that anybody may try is taken', async () => {
    expect(await codeOf('P_l1')).toEqual(['unknown_lesson'])
    expect(await codeOf('P_l0')).toEqual(['applied'])
  })
  test.each([
    ['backwards', [[5, 4]]],
    ['empty', [[5, 5]]],
    ['more than an op can tell of', Array.from({ length: 101 }, (_, i) => [2 * i, 2 * i + 1])],
    ['longer than a day', [[0, 86_401]]],
  ])('is refused when its spans are %s', async (_, watched) => {
    const { verdicts, changes } = await sync([watch({ watched })])
    expect(verdicts).toMatchObject([{ verdict: 'rejected', code: 'invalid' }])
    expect(things(changes, 'lesson')).toEqual([])
  })
})

describe('a note on a lesson', () => {
  const note = (patch: object, at = moment()) => {
    const payload = {
      noteNo: randomUUID(),
      courseNo: 'C',
      lessonNo: 'C_l0',
      ofKind: 'audio' as const,
      titles: ['C 课程', '第1课'] satisfies [string, string],
    }
    return opOf('lessonNote', { ...payload, second: 2, text: '先受力分析', ...patch }, at)
  }
  const codes = async (...ops: OpRecord[]) =>
    (await sync(ops)).verdicts.map((each) => (each.verdict === 'rejected' ? each.code : each.verdict))
  const notes = async () => things((await sync([])).changes, 'lessonNote')

  test('is kept by its number, at a second that its lesson has; the later word counts, whichever comes first', async () => {
    const noteNo = randomUUID()
    const first = note({ noteNo, text: '初稿' }, moment(30))
    const second = note({ noteNo, text: '定稿', second: 80_000 }, moment(20))
    expect(await codes(second)).toEqual(['applied'])
    expect(await codes(first)).toEqual(['applied'])
    expect(await notes()).toMatchObject([
      { id: noteNo, body: { text: '定稿', second: 9, courseNo: 'C', lessonNo: 'C_l0', opId: second.opId } },
    ])
    await codes(note({ noteNo, text: '' }, moment(10)))
    expect(await notes()).toMatchObject([{ id: noteNo, body: { text: '' } }])
  })
  test('reaches nobody else, though another student should know its number', async () => {
    const [mine, noteNo] = [who, randomUUID()]
    await sync([note({ noteNo, text: '我的' })])
    who = await server.student()
    expect(await notes()).toEqual([])
    expect(await codes(note({ noteNo, text: '别人的' }, { seq: 1, at: server.clock.now }))).toEqual(['applied'])
    who = mine
    expect(await notes()).toMatchObject([{ id: noteNo, body: { text: '我的' } }])
  })
  test('is refused where the student may not see the lesson; what they have written they may delete all the same', async () => {
    const row = { ...courseRow({ no: 'Q', units: [['Q_l0', 'Q_l1']] }), price: 100 }
    await server.db.transaction().execute((tx) => writeCourse(tx, row, server.clock.now))
    const there = (lessonNo: string, text: string) => note({ courseNo: 'Q', lessonNo, text })
    expect(await codes(there('Q_l1', '偷看'), there('Q_l9', '没有'), note({ courseNo: 'D' }))).toEqual([
      'unknown_lesson',
      'unknown_lesson',
      'unknown_lesson',
    ])
    expect(await notes()).toEqual([])
    expect(await codes(there('Q_l0', '试听'), there('Q_l1', ''))).toEqual(['applied', 'applied'])
  })
  test.each([
    ['longer than a note may be', { text: '长'.repeat(1_001) }],
    ['without a number of its own', { noteNo: 'N1' }],
    ['at no second', { second: -1 }],
    ['of a course that is neither seen nor heard', { ofKind: 'book' }],
  ])('is refused when it is %s', async (_, patch) => {
    expect(await codes(note(patch))).toEqual(['invalid'])
    expect(await notes()).toEqual([])
  })
  test('with NUL or half an emoji is kept with a sign in its place, and holds nothing else up', async () => {
    const [nul, half] = [note({ text: '甲\u0000乙' }), note({ text: '丙\uD83D' })]
    expect(await codes(nul, half)).toEqual(['applied', 'applied'])
    expect((await notes()).map(({ body }) => body.text).sort()).toEqual(['丙\uFFFD', '甲\uFFFD乙'])
  })
})

test('everything that leaves is as the contract names it', async () => {
  const { changes } = await sync([
    answerOp('L_q1', false, moment()),
    opOf('cause', { questionNo: 'L_q1', cause: 'guess' }, moment()),
    opOf('collect', { questionNo: 'L_q1', folder: '', over: [] }, moment()),
    opOf('note', { questionNo: 'L_q1', text: '注', over: [] }, moment()),
    opOf('folder', { no: 'f1', name: '常错' }, moment()),
    opOf('setting', { name: 'examDate', value: '2027-06-01' }, moment()),
    opOf('report', { questionNo: 'L_q1', version: 1, reason: 'answer', text: '应选 C' }, moment()),
    opOf('watch', { courseNo: 'C', lessonNo: 'C_l1', watched: [[0, 9]], position: 9 }, moment()),
    opOf(
      'lessonNote',
      {
        noteNo: randomUUID(),
        courseNo: 'C',
        lessonNo: 'C_l1',
        ofKind: 'audio',
        titles: ['C 课程', '第2课'],
        second: 3,
        text: '记一笔',
      },
      moment(),
    ),
  ])
  expect(changes.map(({ kind }) => kind).sort()).toEqual([
    'day',
    'folder',
    'lesson',
    'lessonNote',
    'report',
    'setting',
    'state',
  ])
  expect(v.parse(v.array(contract.study.sync.output.entries.changes.item), changes)).toEqual(changes)
})

describe('question/some', () => {
  const some = (nos: string[], token = who.token) => server.call(contract.question.some, { nos }, token)

  test('gives what is in the student’s own record, and nothing else', async () => {
    await sync([
      answerOp('L_q1', false, moment()),
      opOf('collect', { questionNo: 'L_q2', folder: '', over: [] }, moment()),
      opOf('report', { questionNo: 'L_q4', version: 1, reason: 'stem', text: '' }, moment()),
    ])
    const found = await some(['L_q1', 'L_q2', 'L_q3', 'L_q4', 'nowhere'])
    expect(
      found.map(({ question, chapterNo, libraryNo, retired }) => [question.no, chapterNo, libraryNo, retired]),
    ).toEqual([
      ['L_q1', 'L_c1', 'L', false],
      ['L_q2', 'L_c1', 'L', false],
      ['L_q4', 'L_c1', 'L', false],
    ])
    const stranger = await server.student()
    expect(await some(['L_q1'], stranger.token)).toEqual([])
    expect(v.parse(contract.question.some.output, found)).toEqual(found)
  })
  test('a visitor has no record', async () => {
    expect(await server.ask(contract.question.some, { nos: ['L_q1'] })).toMatchObject({ status: 2 })
  })
  test('gives the material of a sub-question, and what has been retired since', async () => {
    const part = { type: 'single', options: ['甲', '乙'], answer: 'B', analysis: '略' }
    const bank = {
      ...bankJson({ prefix: 'MAT', chapters: 1, perChapter: 1 }),
      questions: [
        {
          no: 'MAT_m',
          chapter: 'MAT_c1',
          type: 'composite',
          stem: '材料',
          parts: [1, 2].map((n) => ({ ...part, no: `MAT_m_${n}`, stem: `小${n}` })),
        },
        { no: 'MAT_z', chapter: 'MAT_c1', ...part, stem: '留下的' },
      ],
    }
    await importBank(server.db, server.mediaDir, bank)
    await sync([answerOp('MAT_m_2', false, moment())])
    expect(await some(['MAT_m_2'])).toMatchObject([{ question: { no: 'MAT_m', type: 'composite' }, retired: false }])
    await importBank(server.db, server.mediaDir, { ...bank, questions: bank.questions.slice(1) })
    expect(await some(['MAT_m_2'])).toMatchObject([{ question: { no: 'MAT_m' }, chapterNo: null, retired: true }])
    expect(statesIn((await sync([])).changes).get('MAT_m_2')).toMatchObject({ chapterNo: null, wrong: 1 })
  })
})
