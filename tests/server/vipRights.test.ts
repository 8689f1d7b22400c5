import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#src/contract/index.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { writePackage } from '#server/course/store.ts'
import { importDemo } from '#server/demo/demo.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { courseRow, publishCourse } from '#tests/support/courses.ts'
import { examJson, publishExam } from '#tests/support/exams.ts'
import { plainOps, syncAs } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { publish, setJson } from '#tests/support/sets.ts'
import { giveVip, packageJson, publishVip, vipJson } from '#tests/support/shop.ts'

const DAY = 86_400_000
const { questionSet, exam, course, question } = contract
type Who = { uid: string; token: string }

let server: TestServer
/**
 * Of every kind one that comes with VIP and one that does not, and VIP packages that open all of each kind, or the one that does not
 * come with VIP.
 */
beforeAll(async () => {
  server = await startServer()
  const plain = bankJson({ prefix: 'B', chapters: 1, perChapter: 40 })
  await importBank(server.db, server.mediaDir, { ...plain, library: { ...plain.library, setsOnly: true } })
  const nos = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `B_q${from + i}`)
  await publish(server.db, { ...setJson({ no: 'SV', papers: [[nos(1, 14)]] }), price: 900, vip: true })
  await publish(server.db, { ...setJson({ no: 'SP', papers: [[nos(15, 28)]] }), price: 900 })
  // By the database's clock, which is not that of the tests.
  await server.db.updateTable('set_question').set({ since: 0 }).execute()
  await publishExam(server.db, { ...examJson({ no: 'XV', paper: [nos(29, 32)] }), price: 900, vip: true })
  await publishExam(server.db, { ...examJson({ no: 'XP', paper: [nos(33, 36)] }), price: 900 })
  for (const no of ['CV', 'CP', 'CIN', 'COUT', 'CGONE'])
    await publishCourse(server, {
      ...courseRow({ no, units: [[`${no}_1`, `${no}_2`]] }),
      price: 900,
      vip: no === 'CV' || no === 'CGONE',
    })
  await pack('PV', ['CIN', 'COUT'], true)
  await pack('PV', ['CIN'], true)
  await pack('PP', ['CP'], false)
  await publishVip(
    server,
    vipJson(
      packageJson('V_set', { unlocks: [{ kind: 'set' }] }),
      packageJson('V_exam', { unlocks: [{ kind: 'exam' }] }),
      packageJson('V_course', { unlocks: [{ kind: 'course' }] }),
      packageJson('V_package', { unlocks: [{ kind: 'package' }] }),
      packageJson('V_one', {
        unlocks: [
          { kind: 'set', no: 'SP' },
          { kind: 'exam', no: 'XP' },
          { kind: 'course', no: 'CP' },
          { kind: 'package', no: 'PP' },
        ],
      }),
      packageJson('V_words', { unlocks: [{ kind: 'function', title: '自由组卷' }] }),
    ),
  )
})
afterAll(() => server.close())

const pack = (no: string, courses: string[], vip: boolean) =>
  server.db.transaction().execute((tx) =>
    writePackage(tx, {
      no,
      title: no,
      intro: '<p>更省</p>',
      cover: { src: '/media/0123456789abcdef.svg', width: 640, height: 360 },
      price: 950,
      vip,
      days: 365,
      withdrawn: false,
      directions: [],
      areas: [],
      courses,
    }),
  )
const withVip = async (no: string, until = server.clock.now + 30 * DAY): Promise<Who> => {
  const who = await server.student()
  await giveVip(server, who.uid, no, until)
  return who
}
const op = plainOps(() => server.clock.now)

/** What is open to somebody, of all that there is, and whether by VIP alone. */
async function open({ token }: Who): Promise<string[]> {
  const rows = [
    await Promise.all(['SV', 'SP'].map((no) => server.call(questionSet.detail, { no }, token))),
    await Promise.all(['XV', 'XP'].map((no) => server.call(exam.detail, { no }, token))),
    await Promise.all(['CV', 'CP', 'CIN', 'COUT', 'CGONE'].map((no) => server.call(course.detail, { no }, token))),
    await Promise.all(['PV', 'PP'].map((no) => server.call(course.package, { no }, token))),
  ].flat()
  expect(rows.filter((row) => row.open !== row.byVip)).toEqual([])
  return rows.filter((row) => row.open).map(({ no }) => no)
}

describe('VIP opens', () => {
  test.each([
    ['V_set', ['SV']],
    ['V_exam', ['XV']],
    ['V_course', ['CV', 'CGONE']],
    // What the package of courses has left out since was never this student's.
    ['V_package', ['CIN', 'PV']],
    ['V_one', ['SP', 'XP', 'CP', 'PP']],
    ['V_words', []],
  ])('with %s: %s', async (no, opened) => {
    expect(await open(await withVip(no))).toEqual(opened)
  })

  test('until it ends, and to nobody else', async () => {
    const who = await withVip('V_set', server.clock.now + DAY)
    const other = await server.student()
    const before = server.clock.now
    expect([await open(who), await open(other)]).toEqual([['SV'], []])
    try {
      server.clock.now += DAY
      expect(await open(who)).toEqual([])
    } finally {
      server.clock.now = before
    }
  })

  test('the lists say so, too', async () => {
    const scope = { sg_key: 'jg', area: '0' }
    const all = await withVip('V_set')
    await giveVip(server, all.uid, 'V_exam', server.clock.now + DAY)
    await giveVip(server, all.uid, 'V_course', server.clock.now + DAY)
    await giveVip(server, all.uid, 'V_package', server.clock.now + DAY)
    const rows = [
      await server.call(questionSet.list, {}, all.token, scope),
      await server.call(exam.list, {}, all.token, scope),
      await server.call(course.list, {}, all.token, scope),
      await server.call(course.packages, {}, all.token, scope),
    ].flat()
    expect(rows.filter(({ byVip }) => byVip).map(({ no }) => no)).toEqual(['SV', 'XV', 'CV', 'CIN', 'CGONE', 'PV'])
  })

  test('what was bought is not by VIP, and ends with what ends last', async () => {
    const who = await withVip('V_course', server.clock.now + 5 * DAY)
    const until = server.clock.now + 2 * DAY
    await server.db.insertInto('entitlement').values({ uid: who.uid, kind: 'course', no: 'CV', until }).execute()
    expect(await server.call(course.detail, { no: 'CV' }, who.token)).toMatchObject({
      open: true,
      byVip: false,
      until: server.clock.now + 5 * DAY,
    })
  })
})

describe('with VIP', () => {
  test('a paper comes whole, and without it as much as may be tried', async () => {
    const count = async ({ token }: Who) =>
      (await server.call(questionSet.paper, { no: 'SV', itemNo: 'SV_1' }, token)).sections.flatMap(({ entries }) =>
        entries.flatMap((entry) => partsOf(entry.question)),
      ).length
    expect([await count(await withVip('V_set')), await count(await withVip('V_exam'))]).toEqual([14, 10])
  })

  test('questions of a paper stay readable in the record when it is over; to others they never are', async () => {
    const who = await withVip('V_set', server.clock.now - 1)
    const other = await withVip('V_exam')
    const nos = ['B_q14', 'B_q28']
    for (const each of [who, other])
      await syncAs(
        server,
        each,
        nos.map((questionNo) => op('collect', 1, { questionNo, folder: '', over: [] })),
      )
    const some = async ({ token }: Who) =>
      (await server.call(question.some, { nos }, token)).map((row) => row.question.no)
    expect([await some(who), await some(other)]).toEqual([['B_q14'], []])
  })

  test('a sitting counts whole, though it arrives when the VIP is over; one that never could be seen does not', async () => {
    const total = async (who: Who) => {
      const nos = Array.from({ length: 14 }, (_, i) => `B_q${i + 1}`)
      const answers = nos.map((questionNo) =>
        op('answer', 2, { questionNo, response: { kind: 'choice', ids: ['B'] }, spentMs: 1, from: 'set', version: 1 }),
      )
      const paper = { of: 'set', no: 'SV', itemNo: 'SV_1', rev: 'any', trial: false }
      const ids = answers.map(({ opId }) => opId)
      const hand = { attemptId: randomUUID(), answers: ids, paper, mode: 'exam', tookMs: 1, spentMs: 1 }
      const { changes } = await syncAs(server, who, [...answers, op('handIn', 1, hand)])
      const attempt = changes.find(({ kind }) => kind === 'attempt')
      return attempt?.kind === 'attempt' ? attempt.body.total : null
    }
    const over = await withVip('V_set', server.clock.now - 1)
    expect([await total(over), await total(await withVip('V_exam'))]).toEqual([14, 10])
  })

  test('what came into a set when the VIP was over was never open by it', async () => {
    const who = await withVip('V_set', server.clock.now - 1)
    const inTime = await withVip('V_set', server.clock.now + DAY)
    const nos = ['B_q37', 'B_q38', 'B_q39', 'B_q40', ...Array.from({ length: 10 }, (_, i) => `B_q${27 + i}`)]
    await publish(server.db, { ...setJson({ no: 'SLATE', papers: [[nos.toReversed()]] }), price: 900, vip: true })
    await server.db.updateTable('set_question').set({ since: server.clock.now }).where('set_no', '=', 'SLATE').execute()
    const late = [op('collect', 1, { questionNo: 'B_q37', folder: '', over: [] })]
    const some = async (each: Who) => {
      await syncAs(
        server,
        each,
        late.map((one) => ({ ...one, opId: randomUUID() })),
      )
      return (await server.call(question.some, { nos: ['B_q37'] }, each.token)).length
    }
    expect([await some(who), await some(inTime)]).toEqual([0, 1])
  })

  test('an exam can be applied for', async () => {
    const { token } = await withVip('V_exam')
    expect(await server.call(exam.apply, { no: 'XV' }, token)).toEqual({ applyCount: 1 })
    expect(await server.ask(exam.apply, { no: 'XP' }, token)).toMatchObject({ status: 0 })
  })

  test('a lesson is given, and its right ends with the VIP; afterwards it is said to be over', async () => {
    const until = server.clock.now + 3 * DAY
    const { token } = await withVip('V_course', until)
    expect(await server.call(course.lesson, { no: 'CV_2' }, token)).toMatchObject({ rightUntil: until })
    const ended = await withVip('V_course', server.clock.now)
    expect(await server.ask(course.lesson, { no: 'CV_2' }, ended.token)).toMatchObject({
      status: 0,
      msg: '已到期，购买《CV 课程》或开通 VIP 后可以学习这个课时',
    })
    const inPackage = await withVip('V_package', until)
    expect(await server.call(course.lesson, { no: 'CIN_2' }, inPackage.token)).toMatchObject({ rightUntil: until })
  })

  test('a course that is withdrawn stays with who began it, while the VIP lasts', async () => {
    const begun = await withVip('V_course')
    const late = await withVip('V_course')
    await syncAs(server, begun, [
      op('watch', 1, { courseNo: 'CGONE', lessonNo: 'CGONE_1', watched: [[0, 30]], position: 30 }),
    ])
    const row = courseRow({ no: 'CGONE', units: [['CGONE_1', 'CGONE_2']] })
    await publishCourse(server, { ...row, price: 900, vip: true, withdrawn: true })
    const isOpen = async ({ token }: Who) => (await server.call(course.detail, { no: 'CGONE' }, token)).open
    expect([await isOpen(begun), await isOpen(late)]).toEqual([true, false])
  })
})

test('what the demo’s VIP packages promise is what they open', async () => {
  const demo = await startServer()
  try {
    await importDemo(demo.db, { mediaDir: demo.mediaDir, say: () => {} })
    const now = demo.clock.now
    const scope = { sg_key: 'jg', area: '0' }
    const found: string[] = []
    for (const no of ['V_practice', 'V_mock', 'V_all']) {
      const { uid, token } = await demo.student()
      await giveVip(demo, uid, no, now + DAY)
      const { unlocks } = await demo.call(contract.vip.detail, { no }, token, scope)
      const exams = await demo.call(exam.list, {}, token, scope)
      const lists = {
        set: await demo.call(questionSet.list, {}, token, scope),
        exam: exams.filter(({ window }) => window === null || window.to > now),
        course: await demo.call(course.list, {}, token, scope),
      }
      const opened = Object.entries(lists).map(([kind, rows]) => [
        kind,
        rows.filter(({ vip, open }) => vip && open).length,
      ])
      const promised = Object.keys(lists).map((kind) => [kind, unlocks.find((each) => each.kind === kind)?.count ?? 0])
      expect([no, opened]).toEqual([no, promised])
      found.push(...opened.filter(([, count]) => Number(count) > 0).map(([kind]) => String(kind)))
    }
    expect(found).toEqual(['set', 'exam', 'set', 'exam', 'course'])
  } finally {
    await demo.close()
  }
})
