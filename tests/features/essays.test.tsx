import { act, renderHook } from '@testing-library/react'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { Paper } from '#src/contract/questionSet.ts'
import { sheetOf } from '#src/features/questionSet/PaperPage.tsx'
import { setPolicy } from '#src/features/questionSet/policy.ts'
import { beginAt, openLeft } from '#src/sitting/engine/open.ts'
import { answersKey, handIn } from '#src/sitting/engine/sitting.ts'
import { offline } from '#src/offline/index.ts'
import { next } from '#src/player/playerState.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { usePlayer } from '#src/player/usePlayer.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { essay } from '#tests/support/questions.ts'

const essays = [essay('Y_q1'), essay('Y_q2')]
const paper: Paper = {
  no: 'Y_1',
  setNo: 'Y',
  title: '第1套',
  rev: 'r',
  minutes: 60,
  partial: 'none',
  count: 2,
  full: 1000,
  locked: 0,
  sections: [
    {
      title: '一',
      note: '',
      entries: essays.map((question) => ({ question, rev: 'r', chapterNo: 'Y_c1', libraryNo: 'Y', scores: [500] })),
    },
  ],
}

test('two essays marked at once keep the marks and texts of both', async () => {
  prepareDevice()
  const sheet = sheetOf(paper)
  await beginAt(setPolicy, { no: 'Y', itemNo: 'Y_1' }, 'exam')
  const { sitting, state } = await openLeft(setPolicy, sheet, 'exam')
  const written = essays.reduce((all, part) => next(all, { type: 'write', part, text: '要点' }), state)
  await handIn(setPolicy, { paper: sheet, sitting, state: written, taken: { elapsedMs: 0, chosenMs: 0 } })
  const { state: handed } = await openLeft(setPolicy, sheet, 'exam')
  const key = answersKey(setPolicy, sitting.id, handed.mode)
  const { result } = renderHook(() => usePlayer(handed, key, 'set', setPolicy.marked.record(sheet, sitting)))
  const drafts: unknown[] = []
  await act(async () => {
    for (const [at, part] of essays.entries()) {
      result.current.dispatch({ type: 'go', at })
      result.current.dispatch({ type: 'tick', part, index: 0 })
      result.current.confirm(part)
    }
    await expect.poll(async () => (await offline.waiting()).filter(({ kind }) => kind === 'selfMark').length).toBe(2)
    drafts.push(await offline.loadDraft(key))
  })
  expect((await offline.things('attempt')).get(sitting.id)).toMatchObject({ score: 500, marks: [250, 250] })
  const { parts } = v.parse(Snapshot, drafts[0])
  expect(essays.map(({ no }) => parts[no]?.opId !== undefined && parts[no].right !== null)).toEqual([true, true])
})
