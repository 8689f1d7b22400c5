import { render, screen } from '@testing-library/react'
import { beforeAll, test } from 'vitest'
import { AfterBatch } from '#src/features/question/parts/AfterBatch.tsx'
import { offline } from '#src/offline/index.ts'
import { start } from '#src/player/playerState.ts'
import { items, single } from '#tests/support/questions.ts'
import { prepareDevice } from '#tests/support/app.tsx'
import { placeIn } from '#tests/support/states.ts'

beforeAll(() => prepareDevice())
const give = (questionNo: string) =>
  offline.recordAnswer({
    questionNo,
    response: { kind: 'choice', ids: ['B'] },
    spentMs: 1000,
    from: 'library',
    version: 1,
    right: true,
    place: placeIn(),
  })

test('says what the day has come to, and that its goal is reached', async () => {
  await offline.add({ kind: 'setting', payload: { name: 'dayGoal', value: 2 } })
  await give('L_q1')
  render(<AfterBatch state={start(items([single('L_q1')]))} from="library" />)
  await screen.findByText('连续学习 1 天')
  screen.getByText('离今日目标还差 1 题')
  await give('L_q2')
  await screen.findByText('✓ 今日目标已完成')
})
