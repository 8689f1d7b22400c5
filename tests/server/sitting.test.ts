import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import type { OpRecord } from '#src/contract/study.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { attemptIdOf, attempts, plainOps, syncAs } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'

const DAY = 86_400_000
const nos = (n: number) => Array.from({ length: n }, (_, i) => `L_q${i + 1}`)
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await importBank(server.db, server.mediaDir, bankJson())
  await publish(server.db, setJson({ no: 'FREE', papers: [[nos(4)]] }))
  await publish(server.db, setJson({ no: 'TWO', papers: [[['L_q1']], [['L_q2']]] }))
  await publish(server.db, { ...setJson({ no: 'PAID', papers: [[nos(14)]] }), price: 1990 })
})
afterAll(() => server.close())

type Who = { uid: string; token: string }
const op = plainOps(() => server.clock.now)
const answer = (questionNo: string, id = 'B') =>
  op('answer', 2, { questionNo, response: { kind: 'choice', ids: [id] }, spentMs: 1_000, from: 'set', version: 1 })
const handIn = (answers: readonly OpRecord[], over: object = {}) =>
  op('handIn', 1, {
    attemptId: randomUUID(),
    answers: answers.map(({ opId }) => opId),
    paper: { of: 'set', no: 'FREE', itemNo: 'FREE_1', rev: 'any', trial: false },
    mode: 'exam',
    tookMs: 60_000,
    spentMs: 4_000,
    ...over,
  })
const paid = (trial: boolean) => ({ paper: { of: 'set', no: 'PAID', itemNo: 'PAID_1', rev: 'any', trial } })
const sync = (who: Who, ops: OpRecord[]) => syncAs(server, who, ops)

describe('a hand-in', () => {
  test('is marked by the server’s own copy of the paper, in whichever order and number of calls it comes', async () => {
    const who = await server.student()
    const answers = [answer('L_q1'), answer('L_q2', 'A'), answer('L_q4')]
    const hand = handIn(answers)
    expect((await sync(who, [hand])).verdicts).toMatchObject([{ verdict: 'retry' }])
    expect((await sync(who, answers.slice(1))).verdicts).toHaveLength(2)
    expect((await sync(who, [hand])).verdicts, 'fewer answers than it says').toMatchObject([{ verdict: 'retry' }])
    await sync(who, answers.slice(0, 1))
    const { verdicts, changes } = await sync(who, [hand])
    expect(verdicts).toMatchObject([{ verdict: 'applied' }])
    expect(attempts(changes)).toEqual([
      {
        paper: { of: 'set', no: 'FREE', itemNo: 'FREE_1', rev: 'any', trial: false },
        mode: 'exam',
        startedAt: server.clock.now - 60_000,
        handedAt: server.clock.now,
        spentMs: 4_000,
        score: 300,
        full: 600,
        right: 2,
        total: 4,
        marks: [150, 0, null, 150],
      },
    ])
    expect((await sync(who, [hand, ...answers])).verdicts.map((each) => each.verdict)).toEqual(
      Array.from({ length: 4 }, () => 'duplicate'),
    )
  })

  test('of two papers of one set in one call is marked by its own', async () => {
    const who = await server.student()
    const paper = (itemNo: string) => ({ paper: { of: 'set', no: 'TWO', itemNo, rev: 'any', trial: false } })
    const [one, two] = [answer('L_q1'), answer('L_q2')]
    const ops = [one, handIn([one], paper('TWO_1')), two, handIn([two], paper('TWO_2'))]
    const { changes } = await sync(who, ops)
    expect(attempts(changes)).toMatchObject([{ score: 150 }, { score: 150 }])
  })

  test('whose answers do not come within a week is no score, and says so and which', async () => {
    const who = await server.student()
    const [there, lost] = [answer('L_q1'), answer('L_q2')]
    await sync(who, [there])
    const hand = handIn([there, lost])
    server.clock.now += 8 * DAY
    const late = { ...hand, clientAt: server.clock.now - 8 * DAY }
    const { token } = await server.student(who.mobile)
    const { verdicts, changes } = await sync({ ...who, token }, [late])
    expect(verdicts).toMatchObject([{ verdict: 'rejected', code: 'early', msg: /没有计分/, missing: [lost.opId] }])
    expect(attempts(changes)).toEqual([])
    expect((await sync({ ...who, token }, [late])).verdicts, 'to a phone that missed the answer, too').toEqual(verdicts)
  })

  test('of a device whose clock is a year behind is waited for like any other', async () => {
    const who = await server.student()
    const behind = server.clock.now - 365 * DAY
    const lost = answer('L_q1')
    const ops = [{ ...handIn([lost]), clientAt: behind - 60_000 }]
    const sent = { device: randomUUID(), owner: who.uid, proto: 1 as const, sentAt: behind, cursor: 0, ops }
    expect((await server.call(contract.study.sync, sent, who.token)).verdicts).toMatchObject([{ verdict: 'retry' }])
  })

  test('that was refused can come again, as a new one of the same sitting', async () => {
    const who = await server.student()
    const lost = answer('L_q1')
    const hand = handIn([lost], { attemptId: randomUUID() })
    server.clock.now += 8 * DAY
    const old = { ...hand, clientAt: server.clock.now - 8 * DAY }
    const { token } = await server.student(who.mobile)
    expect((await sync({ ...who, token }, [old])).verdicts).toMatchObject([{ code: 'early' }])
    const given = [answer('L_q1')]
    const { verdicts, changes } = await sync({ ...who, token }, [
      ...given,
      handIn(given, { attemptId: attemptIdOf(hand) }),
    ])
    expect(verdicts).toMatchObject([{ verdict: 'applied' }, { verdict: 'applied' }])
    expect(attempts(changes)).toMatchObject([{ score: 150 }])
  })

  test('comes once: a second one of the same sitting is refused, and the first stays', async () => {
    const who = await server.student()
    const wrong = [answer('L_q1', 'A')]
    const first = handIn(wrong)
    await sync(who, [...wrong, first])
    const right = [answer('L_q1')]
    const { verdicts, changes } = await sync(who, [...right, handIn(right, { attemptId: attemptIdOf(first) })])
    expect(verdicts).toMatchObject([
      { verdict: 'applied' },
      { verdict: 'rejected', code: 'finished', msg: '这次作答已经交过卷' },
    ])
    expect(attempts(changes)).toMatchObject([{ score: 0 }])
  })

  test('with another student’s sitting and answers touches neither them nor their score', async () => {
    const [owner, thief] = [await server.student(), await server.student()]
    const answers = [answer('L_q1')]
    const hand = handIn(answers)
    await sync(owner, [...answers, hand])
    const stolen = await sync(thief, [handIn(answers, { attemptId: attemptIdOf(hand) })])
    expect(stolen.verdicts, 'answers of others are not there').toMatchObject([{ verdict: 'retry' }])
    const empty = await sync(thief, [handIn([], { attemptId: attemptIdOf(hand) })])
    expect(attempts(empty.changes)).toMatchObject([{ score: 0 }])
    expect(attempts((await sync(owner, [])).changes)).toMatchObject([{ score: 150 }])
  })

  test('gives nothing for questions that are not in the paper, refused answers, and ops that are no answers', async () => {
    const who = await server.student()
    const book = op('book', 1, { questionNo: 'L_q1', in: true })
    const ops = [answer('L_q20'), answer('nowhere_1'), book, answer('L_q1')]
    const { verdicts, changes } = await sync(who, [...ops, handIn(ops)])
    expect(verdicts.map((each) => each.verdict)).toEqual(['applied', 'applied', 'rejected', 'applied', 'applied'])
    expect(attempts(changes)).toMatchObject([{ score: 150, right: 1, marks: [150, null, null, null] }])
  })

  test.each([true, false])('of a paid set counts its trial only, whatever it says (trial: %s)', async (trial) => {
    const who = await server.student()
    const answers = nos(14).map((no) => answer(no))
    const { changes } = await sync(who, [...answers, handIn(answers, paid(trial))])
    expect(attempts(changes)).toMatchObject([{ score: 1_500, full: 1_500, right: 10, total: 10 }])
  })

  test('with forged marks has those that the server gives', async () => {
    const who = await server.student()
    const answers = [answer('L_q1', 'A')]
    const forged = { score: 600, full: 600, right: 4, total: 4, marks: [150, 150, 150, 150], earned: { score: 600 } }
    const { changes } = await sync(who, [...answers, handIn(answers, forged)])
    expect(attempts(changes)).toMatchObject([{ score: 0, right: 0, marks: [0, null, null, null] }])
  })

  test('of a paper that nobody has published is refused', async () => {
    const who = await server.student()
    const paper = { of: 'set', no: 'PAID', itemNo: 'FREE_1', rev: 'any', trial: false }
    expect((await sync(who, [handIn([], { paper })])).verdicts).toMatchObject([{ code: 'unknown_paper' }])
  })
})

test('a sitting is marked by the paper that was on the screen, although another one is published since', async () => {
  const who = await server.student()
  await publish(server.db, setJson({ no: 'MOVING', papers: [[nos(2)]] }))
  const { rev } = await server.call(contract.questionSet.paper, { no: 'MOVING', itemNo: 'MOVING_1' })
  await publish(server.db, setJson({ no: 'MOVING', papers: [[nos(6)]] }))
  const answers = [answer('L_q1'), answer('L_q2')]
  const paper = { of: 'set', no: 'MOVING', itemNo: 'MOVING_1', rev, trial: false }
  const { changes } = await sync(who, [...answers, handIn(answers, { paper })])
  expect(attempts(changes)).toMatchObject([{ score: 300, full: 300, total: 2 }])
})

describe('after the hand-in', () => {
  test('nothing but an essay that was not marked yet changes the score', async () => {
    const who = await server.student()
    const essay = { no: 'E_q1', chapter: 'E_c1', type: 'essay', stem: '简述', answer: '三条' }
    const scoring = ['一', '二'].map((text) => ({ text: `要点${text}`, score: 1 }))
    const bank = bankJson({ prefix: 'E', chapters: 1, perChapter: 0 })
    await importBank(server.db, server.mediaDir, { ...bank, questions: [{ ...essay, scoring }] })
    await publish(server.db, setJson({ no: 'ESSAY', papers: [[['E_q1', 'L_q1']]] }))
    const paper = { of: 'set', no: 'ESSAY', itemNo: 'ESSAY_1', rev: 'any', trial: false }
    const wrong = [answer('L_q1', 'A')]
    const hand = handIn(wrong, { paper })
    const marked = (ticked: number[]) =>
      op('answer', 2, {
        questionNo: 'E_q1',
        response: { kind: 'essay', text: '略', ticked },
        spentMs: 1,
        from: 'set',
        version: 1,
      })
    const mark = (answers: OpRecord[]) =>
      op('selfMark', 1, { attemptId: attemptIdOf(hand), answers: answers.map(({ opId }) => opId) })
    const [half, full, right] = [marked([0]), marked([0, 1]), answer('L_q1')]
    const early = mark([half, right])
    expect((await sync(who, [half, right, early])).verdicts.at(-1), 'before it').toMatchObject({ verdict: 'retry' })
    await sync(who, [...wrong, hand])
    expect(attempts((await sync(who, [early])).changes)).toMatchObject([{ score: 75, marks: [75, 0] }])
    expect(attempts((await sync(who, [full, mark([full])])).changes)).toMatchObject([{ score: 75, marks: [75, 0] }])
  })
})
