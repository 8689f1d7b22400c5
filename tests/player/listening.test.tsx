import { act, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { onlineManager } from '@tanstack/react-query'
import * as v from 'valibot'
import { beforeEach, expect, test, vi } from 'vitest'
import { offline } from '#src/offline/index.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { type Mode, start } from '#src/player/playerState.ts'
import { Player } from '#src/player/Player.tsx'
import { usePlayer } from '#src/player/usePlayer.ts'
import { onDisk } from '#tests/support/drafts.ts'
import { items, judge, single } from '#tests/support/questions.ts'
import { FakeVoices } from '#tests/support/voices.ts'

let user: ReturnType<typeof userEvent.setup>
let voices: FakeVoices
let no = ''
let batches = 0
/** The sound beside the voice; jsdom plays none. */
const sounds = { play: vi.fn<() => Promise<void>>(async () => {}), pause: vi.fn<() => void>() }
const keys = new Map<string, MediaSessionActionHandler | null>()
beforeEach(() => {
  user = userEvent.setup()
  voices = new FakeVoices()
  no = `L${++batches}`
  localStorage.removeItem('jk-listening')
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(sounds.play)
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(sounds.pause)
  keys.clear()
  vi.stubGlobal('MediaMetadata', vi.fn<() => void>())
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:silence', revokeObjectURL: () => {} }))
  Object.defineProperty(navigator, 'mediaSession', {
    configurable: true,
    value: {
      setActionHandler: (action: string, handler: MediaSessionActionHandler | null) => keys.set(action, handler),
    },
  })
})

function Screen({ mode }: { mode: Mode }) {
  const player = usePlayer(start(items([judge(`${no}a`), single(`${no}b`)]), mode), onDisk(`batch:${no}`), 'library')
  return <Player player={player} title="第一章" onEnd={() => {}} />
}
async function listen(mode: Mode = 'practice') {
  render(<Screen mode={mode} />)
  await user.click(await screen.findByRole('button', { name: /^更多/ }))
  await user.click(await screen.findByRole('button', { name: '听题' }))
  return within(await screen.findByRole('dialog', { name: '听题' }))
}
const end = () => act(() => voices.end())
const thought = () => vi.waitFor(() => expect(voices.said.at(-1)).toMatch(/^正确答案/), { timeout: 5_000 })

test('a question is read piece by piece, with time to think before the answer, and then the next one', async () => {
  localStorage.setItem('jk-listening', '1.25 0 1')
  const page = await listen()
  expect(voices.said).toEqual([])
  await user.click(page.getByRole('button', { name: '播放' }))
  expect(sounds.play).toHaveBeenCalled()
  await vi.waitFor(() => expect(voices.said).toEqual(['第1题，判断题。']))
  expect(voices.rates).toEqual([1.25])
  end()
  expect(voices.said.at(-1)).toBe(`${no}a 的题干。`)
  expect(page.queryByText(/正确答案/)).toBeNull()
  end()
  await thought()
  expect(page.getByText('正确答案：对')).toBeTruthy()
  end()
  expect(voices.said.at(-1)).toBe(`解析。${no}a 的解析。`)
  end()
  expect(voices.said.at(-1)).toBe('第2题，单选题。')
})

test('it stops, says the piece again, and goes to another question', async () => {
  const page = await listen()
  await user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  await user.click(page.getByRole('button', { name: '暂停' }))
  expect(voices.current).toBeNull()
  expect(page.getByText('按播放键开始，锁屏后也能继续听')).toBeTruthy()
  await user.click(page.getByRole('button', { name: '播放' }))
  expect(voices.said).toEqual(['第1题，判断题。', '第1题，判断题。'])
  await user.click(page.getByRole('button', { name: '下一题' }))
  expect(voices.said.at(-1)).toBe('第2题，单选题。')
  await user.click(page.getByRole('button', { name: '再听一遍' }))
  expect(voices.said.slice(-2)).toEqual(['第2题，单选题。', '第2题，单选题。'])
  await user.click(page.getByRole('button', { name: '听答案' }))
  expect(voices.said.at(-1)).toBe('正确答案，B。选项B。')
  expect(page.getByRole<HTMLButtonElement>('button', { name: '下一题' }).disabled).toBe(true)
})

test('keys of a headset stop it and go on', async () => {
  const page = await listen()
  await user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  act(() => keys.get('nexttrack')?.({ action: 'nexttrack' }))
  expect(voices.said.at(-1)).toBe('第2题，单选题。')
  act(() => keys.get('pause')?.({ action: 'pause' }))
  expect(page.getByRole('button', { name: '播放' })).toBeTruthy()
  expect(keys.get('nexttrack')).toBeNull()
})

test('it ends after the last question, and begins anew', async () => {
  localStorage.setItem('jk-listening', '1 0 0')
  const page = await listen()
  await user.click(page.getByRole('button', { name: '下一题' }))
  await user.click(page.getByRole('button', { name: '听答案' }))
  await vi.waitFor(() => expect(voices.said).toEqual(['正确答案，B。选项B。']))
  end()
  expect(await page.findByText('本组已听完')).toBeTruthy()
  await user.click(page.getByRole('button', { name: '播放' }))
  expect(voices.said.at(-1)).toBe('第1题，判断题。')
})

test('what was heard counts neither as answered nor as time, and the student is at the question heard last', async () => {
  const now = performance.now.bind(performance)
  let ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  const page = await listen()
  await user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  ahead += 60_000
  await user.click(page.getByRole('button', { name: '下一题' }))
  await user.click(page.getByRole('button', { name: '关闭' }))
  expect(await screen.findByText(`${no}b 的题干`)).toBeTruthy()
  await vi.waitFor(async () => {
    const saved = v.parse(Snapshot, await offline.loadDraft(onDisk(`batch:${no}`)))
    expect(saved).toMatchObject({ at: 1, mode: 'practice' })
    expect(Object.values(saved.parts).filter(({ right, spentMs }) => right !== null || spentMs >= 60_000)).toEqual([])
  })
  // Nobody reads on behind the page that is gone.
  expect(voices.current).toBeNull()
})

test('a voice that gives up is told, and tried again by the next tap', async () => {
  const page = await listen()
  await user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  act(() => voices.fail())
  expect(await page.findByText('朗读中断，请再按一次播放')).toBeTruthy()
  await user.click(page.getByRole('button', { name: '播放' }))
  expect(voices.said).toHaveLength(2)
})

test('without a network a voice of a service does not count, and one is told what to do', async () => {
  voices = new FakeVoices(['zh-CN'], false)
  onlineManager.setOnline(false)
  const page = await listen()
  expect((await page.findByRole('alert')).textContent).toMatch(/或者它需要联网.*安装中文语音后再试/)
  onlineManager.setOnline(true)
})

test('an exam that is under way is not read out', async () => {
  render(<Screen mode="exam" />)
  await user.click(await screen.findByRole('button', { name: /^更多/ }))
  expect(await screen.findByRole('button', { name: '草稿纸' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '听题' })).toBeNull()
})
