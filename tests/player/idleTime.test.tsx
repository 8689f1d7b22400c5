import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import * as v from 'valibot'
import { beforeEach, expect, test, vi } from 'vitest'
import { offline } from '#src/offline/index.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { onDisk } from '#tests/support/drafts.ts'
import { items, judge, single } from '#tests/support/questions.ts'

const MINUTE = 60_000
const now = performance.now.bind(performance)
let no = ''
let batches = 0
let ahead: number
beforeEach(() => {
  no = `T${++batches}`
  ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
})

function Screen() {
  const player = usePlayer(start(items([judge(`${no}a`), single(`${no}b`)])), onDisk(`batch:${no}`), 'library')
  return <Player player={player} title="第一章" onEnd={() => {}} />
}
const spent = async () =>
  v.parse(Snapshot, await offline.loadDraft(onDisk(`batch:${no}`))).parts[`${no}a`]?.spentMs ?? Number.NaN
async function answer() {
  await userEvent.setup().click(screen.getByRole('radio', { name: /对/ }))
  await vi.waitFor(async () => expect(await spent()).toBeGreaterThan(0))
}

test('a question that lies open on a lit screen is not being answered', async () => {
  render(<Screen />)
  ahead += 11 * MINUTE
  await answer()
  expect(await spent()).toBeGreaterThanOrEqual(3 * MINUTE)
  expect(await spent()).toBeLessThan(4 * MINUTE)
})

test.each<[string, () => void]>([
  ['scrolls', () => fireEvent.scroll(document)],
  ['moves a mouse', () => fireEvent.pointerMove(document.body)],
  ['presses a key', () => fireEvent.keyDown(document.body, { key: 'Shift' })],
  ['hears a recording', () => fireEvent.timeUpdate(document.body)],
])('a student who %s is there', async (_, touch) => {
  render(<Screen />)
  for (let i = 0; i < 3; i++) {
    ahead += 2 * MINUTE
    touch()
  }
  await answer()
  expect(await spent()).toBeGreaterThanOrEqual(6 * MINUTE)
})
