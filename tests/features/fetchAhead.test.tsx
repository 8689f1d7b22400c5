import { randomUUID } from 'node:crypto'
import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { call } from '#src/api/client.ts'
import { question } from '#src/contract/question.ts'
import { study } from '#src/contract/study.ts'
import { useFetchAhead } from '#src/features/question/errorBook/useFetchAhead.ts'
import { blankState } from '#src/domain/study/study.ts'
import { putView } from '#src/offline/record/write/fold.ts'
import { offline } from '#src/offline/index.ts'
import { keepQuestions, missingOf } from '#src/offline/downloads/keptQuestions.ts'
import { FOLD, openRecord } from '#src/offline/device/rows.ts'
import { type Deltas, putSums } from '#src/offline/record/sums.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { bankJson, importBank } from '#tests/support/bank.ts'
import { answerOp } from '#tests/support/ops.ts'
import { startServer } from '#tests/support/server.ts'
import { placeIn } from '#tests/support/states.ts'
import { connect } from '#tests/support/wire.ts'

const NOW = Date.UTC(2026, 10, 21, 4)
const missed = (no: string, chapterNo: string) => ({
  ...blankState(no, placeIn('A', chapterNo)),
  times: 1,
  wrong: 1,
  lastAt: NOW,
  book: { rights: 0, since: NOW, from: 'library' as const, out: false },
})

/** All of these are in the error book. */
async function fill(places: readonly (readonly [no: string, chapterNo: string])[]): Promise<void> {
  const db = openRecord()
  await db.run([...FOLD], 'readwrite', async (tx) => {
    const deltas: Deltas = new Map()
    for (const [no, chapterNo] of places)
      putView(tx, { owner: offline.owner, questionNo: no, base: null, view: null }, missed(no, chapterNo), deltas)
    await putSums(tx, offline.owner, deltas)
  })
  db.close()
}

test('however long the error book is, what is missing on this device comes, wherever it stands', async () => {
  const server = await startServer()
  const wire = connect(server)
  await importBank(server.db, server.mediaDir, bankJson())
  const student = await server.student()
  prepareDevice(student)
  const ops = [answerOp('L_q1', false, { seq: 1, at: server.clock.now })]
  const input = {
    device: randomUUID(),
    owner: student.uid,
    proto: 1 as const,
    sentAt: server.clock.now,
    cursor: 0,
    ops,
  }
  await server.call(study.sync, input, student.token)
  const [located] = await call(question.some, { nos: ['L_q1'] })
  expect(located?.question.no).toBe('L_q1')
  const nos = Array.from({ length: 2_100 }, (_, i) => `A_q${i}`)
  const kept = nos.flatMap((no) => (located ? [{ ...located, question: { ...located.question, no } }] : []))
  await keepQuestions(offline.owner, kept)
  await fill([...nos.map((no) => [no, 'A_c1'] as const), ['L_q1', 'Z_c1']])
  expect(await missingOf(offline.owner, ['L_q1'])).toEqual(['L_q1'])
  const reads = vi.spyOn(offline, 'shelfNumbers')
  const hook = renderHook(useFetchAhead, { initialProps: false })
  // The screen comes first: until it is shown, not even what is missing is looked for.
  expect(reads).not.toHaveBeenCalled()
  hook.rerender(true)
  await expect.poll(() => missingOf(offline.owner, ['L_q1'])).toEqual([])
  hook.unmount()
  wire.restore()
  await server.close()
})
