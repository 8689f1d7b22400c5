import { act, fireEvent, screen, within } from '@testing-library/react'
import * as v from 'valibot'
import { beforeEach, expect, test, vi } from 'vitest'
import { offline } from '#src/offline/index.ts'
import { Snapshot } from '#src/offline/drafts/practice.ts'
import { listenedDraft, ListeningWorld } from '#tests/support/listening.tsx'

let world: ListeningWorld
beforeEach(() => {
  world = new ListeningWorld()
})
const dialog = () => screen.getByRole('dialog', { name: '听题' })
const button = (name: string) => within(dialog()).getByRole('button', { name })
const snapshot = async () => v.parse(Snapshot, await offline.loadDraft(listenedDraft(world.no)))
const thought = () => vi.waitFor(() => expect(world.last()).toMatch(/^正确答案/), { timeout: 5_000 })

test('a question is read piece by piece, with time to think before the answer, and then the next one', async () => {
  localStorage.setItem('jk-listening', '1.25 0 1')
  const { user, voices, sounds, no, end, listen } = world
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
  const { user, voices, listen } = world
  const page = await listen()
  await user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  await user.click(page.getByRole('button', { name: '暂停' }))
  expect(voices.current).toBeNull()
  // A voice that was cut off has not failed.
  expect(page.getByText('按播放键开始，锁屏后也能继续听')).toBeTruthy()
  await user.click(page.getByRole('button', { name: '播放' }))
  expect(voices.said).toEqual(['第1题，判断题。', '第1题，判断题。'])
  await user.click(page.getByRole('button', { name: '下一题' }))
  expect(voices.said.at(-1)).toBe('第2题，单选题。')
  await user.click(page.getByRole('button', { name: '再听一遍' }))
  expect(voices.said.slice(-2)).toEqual(['第2题，单选题。', '第2题，单选题。'])
  await user.click(page.getByRole('button', { name: '听答案' }))
  expect(voices.said.at(-1)).toBe('正确答案，B。选项B。')
  expect(page.getByText('正在朗读')).toBeTruthy()
})

test('keys of a headset stop it and go on', async () => {
  const { user, voices, keys, listen } = world
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
  const { user, voices, end, listen } = world
  const page = await listen()
  await user.click(page.getByRole('button', { name: '下一题' }))
  await user.click(page.getByRole('button', { name: '听答案' }))
  await vi.waitFor(() => expect(voices.said).toEqual(['正确答案，B。选项B。']))
  end()
  expect(await page.findByText('本组已听完')).toBeTruthy()
  await user.click(page.getByRole('button', { name: '播放' }))
  expect(voices.said.at(-1)).toBe('第1题，判断题。')
})

test('a key that has nothing to do keeps the focus, and does nothing', async () => {
  const { user, voices, end, listen } = world
  await listen()
  await user.click(button('播放'))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  end()
  const said = [...voices.said]
  for (const name of ['上一题', '听答案']) {
    button(name).focus()
    expect(document.activeElement).toBe(button(name))
  }
  expect(button('上一题').getAttribute('aria-disabled')).toBe('true')
  await user.click(button('上一题'))
  fireEvent.keyDown(button('上一题'), { key: 'ArrowLeft' })
  expect(voices.said).toEqual(said)
  await user.click(button('听答案'))
  expect(button('听答案').getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(button('听答案'))
  const told = [...voices.said]
  await user.click(button('听答案'))
  expect(voices.said).toEqual(told)
  await user.click(button('下一题'))
  expect(button('下一题').getAttribute('aria-disabled')).toBe('true')
  const last = [...voices.said]
  await user.click(button('下一题'))
  fireEvent.keyDown(button('下一题'), { key: 'ArrowRight' })
  expect(voices.said).toEqual(last)
})

test('what was heard counts neither as answered nor as time, and the student is at the question heard last', async () => {
  const { user, voices, no, listen } = world
  let ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  const page = await listen()
  await user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  ahead += 60_000
  await user.click(page.getByRole('button', { name: '下一题' }))
  await user.click(page.getByRole('button', { name: '关闭' }))
  expect(await screen.findByText(`${no}b 的题干`)).toBeTruthy()
  ahead += 5_000
  await user.click(screen.getByRole('radio', { name: /选项B/ }))
  await vi.waitFor(async () => {
    const { at, mode, parts } = await snapshot()
    expect({ at, mode }).toEqual({ at: 1, mode: 'practice' })
    expect(parts[`${no}a`]).toMatchObject({ right: null })
    expect(parts[`${no}a`]?.spentMs).toBeLessThan(60_000)
    // The time after it counts again.
    expect(parts[`${no}b`]?.right).toBe(true)
    expect(parts[`${no}b`]?.spentMs).toBeGreaterThanOrEqual(5_000)
    expect(parts[`${no}b`]?.spentMs).toBeLessThan(60_000)
  })
  // Nobody reads on behind the page that is gone.
  expect(voices.current).toBeNull()
})
const now = performance.now.bind(performance)

test('an app that is killed while it reads has lost nothing of the batch, and goes on where it was', async () => {
  const { user, voices, no, open, begin } = world
  open()
  await user.click(screen.getByRole('radio', { name: /错/ }))
  await vi.waitFor(async () => expect((await snapshot()).parts[`${no}a`]?.right).toBe(false))
  const page = await begin()
  await user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(voices.said).toHaveLength(1))
  await user.click(page.getByRole('button', { name: '下一题' }))
  // Nothing is closed and nobody says goodbye.
  await vi.waitFor(async () => {
    const { at, mode, parts } = await snapshot()
    expect({ at, mode }).toEqual({ at: 1, mode: 'practice' })
    expect(parts[`${no}a`]).toMatchObject({ right: false, response: { ids: ['B'] } })
  })
})

test('nothing on the page behind it tells an answer', async () => {
  const { user, no, open, begin } = world
  open()
  await begin()
  expect(screen.queryByText(`${no}a 的解析`)).toBeNull()
  await user.click(button('下一题'))
  expect(screen.queryByText(`${no}b 的解析`)).toBeNull()
  // An answer that is marked already stands there all the same: it is covered on every screen (Dialog.module.css).
  expect(dialog().dataset.covers).toBe('true')
  fireEvent.click(dialog())
  expect(dialog()).toBeTruthy()
})

test('an exam that is under way is not read out', async () => {
  const { user, open } = world
  open('exam')
  await user.click(await screen.findByRole('button', { name: /^更多/ }))
  expect(await screen.findByRole('button', { name: '草稿纸' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '听题' })).toBeNull()
})
