import { expect, test } from 'vitest'
import { dueText, lessonsOf, praiseOf, tallyOf } from '#src/features/question/learnt.ts'
import { type PlayerState, start } from '#src/player/playerState.ts'
import { items, single } from '#tests/support/questions.ts'

/** A batch in which each letter is an answer to a question of a point: R right, W wrong, - none. */
function batch(answers: string, { point = '函数', spentMs = 10_000 } = {}): PlayerState {
  const questions = answers.split('').map((_, i) => ({
    ...single(`L${i}`),
    points: [{ no: 'P', name: i % 2 === 0 ? point : '方程' }],
  }))
  const parts = Object.fromEntries(
    answers.split('').flatMap((answer, i) =>
      answer === '-'
        ? []
        : [
            [
              `L${i}`,
              {
                response: { kind: 'choice' as const, ids: [answer === 'R' ? 'B' : 'A'] },
                right: answer === 'R',
                opened: false,
                spentMs,
              },
            ],
          ],
    ),
  )
  return { ...start(items(questions)), parts }
}
/** A record with this batch in it, and before it so many answers, each in ten seconds. */
const record = (answers: string, { before = 100, right = 50, spentMs = 10_000 } = {}) => {
  const tally = tallyOf(batch(answers, { spentMs }))
  return {
    tally,
    all: {
      answered: before + tally.answered,
      right: right + tally.right,
      spentMs: before * 10_000 + tally.spentMs,
    },
  }
}

test('the weakest point is the one with most mistakes, and a batch without any has none', () => {
  const { tally, all } = record('WRWRWW')
  expect(lessonsOf(tally, all)).toEqual(['最薄弱的知识点：函数（3 题错 3 题）'])
  const right = record('RR')
  expect(lessonsOf(right.tally, right.all)).toEqual([])
})

test('slower than usual is told where it is much, and enough is known of what is usual', () => {
  const slow = record('RR', { spentMs: 20_000 })
  expect(lessonsOf(slow.tally, slow.all)).toEqual(['每题 20 秒，比平时慢 10 秒'])
  const little = record('RR', { spentMs: 12_000 })
  expect(lessonsOf(little.tally, little.all)).toEqual([])
  const some = record('RR', { spentMs: 14_000 })
  expect(lessonsOf(some.tally, some.all)).toEqual([])
  const first = record('RR', { spentMs: 20_000, before: 59, right: 30 })
  expect(lessonsOf(first.tally, first.all)).toEqual([])
})

test.each([
  ['RRRR', {}, 'library', '4 题全对，漂亮！'],
  ['WRW', {}, 'error', '有 1 道错题这次答对了，进步看得见。'],
  ['WRRRRRW', {}, 'library', '连续答对 5 题，状态不错。'],
  ['WRRR', {}, 'library', '正确率比平时高 25 个百分点。'],
  ['WR', { spentMs: 5_000 }, 'library', '比平时快，正确率也没有掉。'],
  ['WWR', {}, 'library', '答对 1 题，错的弄懂就是收获。'],
  ['WW', {}, 'library', '2 道题找到了要补的地方，弄懂就是收获。'],
  ['--', {}, 'library', ''],
] as const)('praises what is true of %s', (answers, how, from, said) => {
  const { tally, all } = record(answers, how)
  expect(praiseOf(tally, all, from)).toBe(said)
})

test('says what is due today before what is due tomorrow', () => {
  expect(
    dueText(
      new Map([
        [9, 2],
        [10, 1],
        [11, 4],
      ]),
      10,
    ),
  ).toBe('今天还有 3 道题到期复习')
  expect(dueText(new Map([[11, 4]]), 10)).toBe('明天有 4 道题到期复习')
  expect(dueText(new Map([[12, 4]]), 10)).toBe('')
})
