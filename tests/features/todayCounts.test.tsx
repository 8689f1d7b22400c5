import { screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { dayOf } from '#src/domain/time/day.ts'
import { openList } from '#src/features/question/lists/listStudy.ts'
import { prepareToday } from '#src/features/question/today/prepare.ts'
import { readToday } from '#src/features/question/today/task.ts'
import { todayList } from '#src/features/question/today/todayList.ts'
import { offline } from '#src/offline/index.ts'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { placeIn } from '#tests/support/states.ts'
import { setScreens } from '#tests/support/screens.ts'
import { setVisitorDays } from '#tests/support/visitorDays.ts'

const GROUP = 3
const PER_CHAPTER = 14
/** With it 4 new questions are needed beside four groups of 每日一练: one group is too few, two are more. */
const GOAL = 16

/** A bank in which each question is a reading group of three. */
function groupedBank() {
  const bank = bankJson({ chapters: 5, perChapter: PER_CHAPTER })
  const questions = bank.questions.map(({ no, chapter, points, ...single }) => ({
    no,
    chapter,
    points,
    type: 'composite',
    stem: `阅读材料 ${no}。`,
    parts: Array.from({ length: GROUP }, (_, i) => ({ ...single, no: `${no}_${i + 1}`, points })),
  }))
  return { ...bank, questions }
}
const stage = setScreens(async (server) => {
  await importBank(server.db, server.mediaDir, groupedBank())
})
const visitor = setVisitorDays(GOAL)

const open = async () => {
  await stage.open('/')
}
const card = async () => within(await screen.findByRole('region', { name: '今日任务' }))
/** The figures that the card promises, in the order of the parts. */
const promised = async () =>
  (await card()).getAllByRole('listitem').map((row) => Number(/(\d+) 题 · /.exec(row.textContent ?? '')?.[1] ?? 0))
const deal = async () => {
  const { state } = await openList(todayList(visitor.client, null))
  const dealt = await readToday(dayOf(Date.now()))
  const counts = [dealt?.review, dealt?.daily, dealt?.fresh].map((nos) => nos?.length ?? 0)
  return { total: state?.items.length ?? 0, counts }
}

describe('今日任务 promises what it deals', () => {
  test('where reading groups come whole: 12 questions of 每日一练 and 6 new ones are counted as such', async () => {
    await prepareToday(visitor.client)
    await open()
    await expect.poll(promised).toEqual([0, 12, 6])
    expect((await card()).getByText('还有 18 题')).toBeTruthy()
    expect(await deal()).toEqual({ total: 18, counts: [0, 12, 6] })
    // A sitting that was dealt and left untouched is counted the same.
    await open()
    await expect.poll(promised).toEqual([0, 12, 6])
  })
  test('and says apart how many due questions are not on this device', async () => {
    const missed = [2, 3, 4, 5].map((chapter) => `L_q${(chapter - 1) * PER_CHAPTER + 1}_1`)
    for (const [i, questionNo] of missed.entries())
      await offline.recordAnswer({
        questionNo,
        response: { kind: 'choice', ids: ['A'] },
        spentMs: 30_000,
        from: 'library',
        version: 1,
        right: false,
        place: placeIn('L', `L_c${i + 2}`),
      })
    vi.setSystemTime(Date.now() + 3 * 86_400_000)
    await prepareToday(visitor.client)
    await open()
    const note = await (await card()).findByText(/^另有 \d 道到期的题还没有下载，联网后再复习。$/)
    const missing = Number(/\d/.exec(note.textContent ?? '')?.[0])
    const [review] = await promised()
    expect([missing > 0, review]).toEqual([true, missed.length - missing])
    const { total, counts } = await deal()
    expect(counts).toEqual(await promised())
    expect(total).toBe(counts.reduce((sum, count) => sum + count, 0))
  })
})
