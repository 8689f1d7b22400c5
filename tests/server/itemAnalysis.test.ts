import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tellStats } from '#server/bin/statsCommand.ts'
import { analyseItems } from '#server/content/bank/itemAnalysis.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { opOf, syncAs } from '#tests/support/ops.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const QUESTIONS = 13
const STUDENTS = 24
/** Student i of a library gets the easy questions right up to their strength; of the last question only the weak know the answer. */
const isRight = (student: number, question: number): boolean =>
  question === QUESTIONS ? student < STUDENTS / 4 : student % QUESTIONS >= question

/** What each answers to each question, once more after that, and something that is taken back. */
async function answered(prefix: string) {
  await importBank(server.db, server.mediaDir, bankJson({ prefix, chapters: 1, perChapter: QUESTIONS }))
  for (let student = 0; student < STUDENTS; student++) {
    let seq = 0
    const choose = (question: number, ids: string[]) =>
      opOf(
        'answer',
        {
          questionNo: `${prefix}_q${question}`,
          response: { kind: 'choice', ids },
          spentMs: 9,
          from: 'library',
          version: 1,
        },
        { seq: ++seq, at: ++server.clock.now },
      )
    const ops = Array.from({ length: QUESTIONS }, (_, i) => {
      const [right, wrong] = [['B'], [student % 3 === 0 ? 'C' : 'A']]
      const given = isRight(student, i + 1)
      const slip = choose(i + 1, given ? wrong : right)
      const undone = opOf(
        'retract',
        { questionNo: `${prefix}_q${i + 1}`, target: slip.opId },
        { seq: ++seq, at: ++server.clock.now },
      )
      // The first one that stands counts, not the second try.
      return [slip, undone, choose(i + 1, given ? right : wrong), choose(i + 1, right)]
    })
    await syncAs(server, await server.student(), ops.flat())
  }
}

/** Pearson's, of the definition. */
function correlation(pairs: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length
  const [x, y] = [mean(0), mean(1)]
  const sum = (of: (pair: readonly [number, number]) => number) => pairs.reduce((all, pair) => all + of(pair), 0)
  return sum(([a, b]) => (a - x) * (b - y)) / Math.sqrt(sum(([a]) => (a - x) ** 2) * sum(([, b]) => (b - y) ** 2))
}

describe('the analysis of a library', () => {
  test('has difficulty, discrimination and what is chosen wrongly of each question', async () => {
    await answered('ST')
    const items = (await analyseItems(server.db, 'ST')) ?? []
    expect(items).toHaveLength(QUESTIONS)
    const all = Array.from({ length: STUDENTS }, (_, student) => student)
    for (const item of items) {
      const question = Number(item.no.slice(4))
      const right = all.filter((student) => isRight(student, question))
      expect(item.students).toBe(STUDENTS)
      expect(item.right).toBeCloseTo(right.length / STUDENTS)
      const others = (student: number) =>
        all.slice(0, QUESTIONS).filter((i) => i + 1 !== question && isRight(student, i + 1)).length / (QUESTIONS - 1)
      const expected = correlation(all.map((student) => [isRight(student, question) ? 1 : 0, others(student)]))
      expect(item.discrimination).toBeCloseTo(expected, 6)
      const wrong = all.filter((student) => !right.includes(student))
      const share = wrong.filter((student) => student % 3 !== 0).length / STUDENTS
      expect(item.wrong?.option).toBe('A')
      expect(item.wrong?.share).toBeCloseTo(share)
    }
    expect(items.map(({ right }) => right)).toEqual(items.map(({ right }) => right).toSorted((a, b) => a - b))
  })
  test('is told with what to look at first, and as JSON', async () => {
    const asked = { least: 20, most: 3, asJson: false }
    const { code, lines } = await tellStats(server.db, 'ST', asked)
    expect(code).toBe(0)
    const told = lines.join('\n')
    expect(told).toContain(`满 20 人作答的 ${QUESTIONS} 题`)
    expect(told).toMatch(/区分度为负 1 题：会做的人反而错，先核对答案\n {2}ST_q13 /)
    expect(told).toContain(`另有 ${QUESTIONS - 3} 题`)
    const { lines: json } = await tellStats(server.db, 'ST', { ...asked, asJson: true })
    expect(JSON.parse(json.join(''))).toHaveLength(QUESTIONS)
    expect((await tellStats(server.db, 'ST', { ...asked, least: 99 })).lines).toEqual([
      '没有满 99 人作答的题目（--min 可以改）',
    ])
  })
  test('counts what was answered since the question asks what it asks, and needs a library', async () => {
    const changed = bankJson({ prefix: 'ST', chapters: 1, perChapter: QUESTIONS })
    const [first] = changed.questions
    if (first) first.stem = `${first.stem}（改）`
    await importBank(server.db, server.mediaDir, changed)
    const nos = ((await analyseItems(server.db, 'ST')) ?? []).map(({ no }) => no)
    expect(nos).not.toContain('ST_q1')
    expect(nos).toHaveLength(QUESTIONS - 1)
    expect(await tellStats(server.db, 'NONE', { least: 1, most: 1, asJson: false })).toEqual({
      code: 1,
      lines: ['没有编号为 NONE 的题库'],
    })
  })
})
