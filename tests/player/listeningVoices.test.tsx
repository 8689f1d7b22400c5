import { act } from '@testing-library/react'
import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ListeningWorld } from '#tests/support/listening.tsx'

let world: ListeningWorld
beforeEach(() => {
  world = new ListeningWorld()
})
afterEach(() => onlineManager.setOnline(true))
async function play() {
  const page = await world.listen()
  await world.user.click(page.getByRole('button', { name: '播放' }))
  await vi.waitFor(() => expect(world.voices.said).toHaveLength(1))
  return page
}

test('a voice that gives up is told, and tried again by the next tap', async () => {
  const page = await play()
  act(() => world.voices.fail())
  expect(await page.findByText('朗读中断，请再按一次播放')).toBeTruthy()
  await world.user.click(page.getByRole('button', { name: '播放' }))
  expect(world.voices.said).toHaveLength(2)
})

test.each(['interrupted', 'canceled'] as const)(
  'a voice that something else has %s waits, and has not failed',
  async (error) => {
    const page = await play()
    act(() => world.voices.fail(error))
    expect(await page.findByText('按播放键开始，锁屏后也能继续听')).toBeTruthy()
  },
)

test('a voice that never says that it has ended is stopped before the next piece', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await play()
  const { canceled } = world.voices
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  vi.useRealTimers()
  expect(world.voices.said.length).toBeGreaterThan(1)
  expect(world.voices.canceled).toBeGreaterThan(canceled)
})

test('without a network a voice of a service does not count, and it does as soon as the network is back', async () => {
  world = new ListeningWorld(['zh-CN'], false)
  onlineManager.setOnline(false)
  const page = await world.listen()
  expect((await page.findByRole('alert')).textContent).toMatch(/或者它需要联网.*安装中文语音后再试/)
  act(() => onlineManager.setOnline(true))
  expect(await page.findByRole('button', { name: '播放' })).toBeTruthy()
})

test('a voice that was installed meanwhile is taken as soon as the device tells of it', async () => {
  world = new ListeningWorld(['de-DE'])
  const page = await world.listen()
  expect(await page.findByRole('alert')).toBeTruthy()
  act(() => world.voices.become(['zh-CN']))
  expect(await page.findByRole('button', { name: '播放' })).toBeTruthy()
})

test('再找一次 looks again where the device tells nothing, and says when it has found none', async () => {
  world = new ListeningWorld(['de-DE'])
  const { user, voices } = world
  const page = await world.listen()
  const again = await page.findByRole('button', { name: '再找一次' })
  await user.click(again)
  expect(await page.findByText(/^还是没有找到可用的中文语音/)).toBeTruthy()
  expect(document.activeElement).toBe(again)
  vi.spyOn(voices, 'getVoices').mockReturnValue([
    { lang: 'zh-CN', name: 'a', voiceURI: 'a', localService: true, default: false },
  ])
  await user.click(again)
  expect(document.activeElement).toBe(await page.findByRole('button', { name: '播放' }))
})

test('the same voices told of once more do not begin the piece again', async () => {
  await play()
  await act(async () => {
    world.voices.become(['zh-CN'])
    await Promise.resolve()
  })
  expect(world.voices.said).toHaveLength(1)
})

test('a browser whose voices tell of no changes reads with those it has', async () => {
  Object.assign(world.voices, { addEventListener: undefined, removeEventListener: undefined })
  await play()
})
