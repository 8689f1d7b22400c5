import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RichText } from '#src/ui/text/RichText.tsx'
import { memoryCaches } from '#tests/support/cacheStorage.ts'

const SOURCE = `/media/${'a'.repeat(32)}.mp3`
const HTML = `<p><audio src="${SOURCE}"></audio></p><p>Who is the man?</p>`

let fetched: [unknown, RequestCache | undefined][]
beforeEach(() => {
  fetched = []
  vi.stubGlobal('caches', memoryCaches())
  vi.stubGlobal('fetch', async (address: unknown, { cache }: RequestInit = {}) => {
    fetched.push([address, cache])
    return new Response('sound')
  })
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:held')
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
const audio = () => screen.getByLabelText<HTMLAudioElement>('听力录音')
const keep = async () => (await caches.open('pack-img-v1')).put(SOURCE, new Response('sound'))

test('a recording has the browser’s own controls, and waits to be played', () => {
  render(<RichText html={HTML} />)
  expect(audio().controls).toBe(true)
  expect(audio().autoplay).toBe(false)
  expect(audio().preload).toBe('none')
  expect(audio().getAttribute('src')).toBe(SOURCE)
  expect(fetched).toEqual([])
})

test('one that is on this device plays from it, and leaves no memory taken behind', async () => {
  await keep()
  const { unmount } = render(<RichText html={HTML} />)
  await expect.poll(() => audio().getAttribute('src')).toBe('blob:held')
  unmount()
  expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:held')
})

test('one that does not come says so in Chinese and what to do; 重试 plays what has come meanwhile', async () => {
  const load = vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => {})
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  render(<RichText html={HTML} />)
  fireEvent.error(audio())
  const trouble = screen.getByRole('alert')
  expect(trouble.textContent).toContain('录音没有加载出来，连上网络后再试。提前下载题库的离线包，没有网络也能听。')
  await keep()
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await expect.poll(() => play.mock.calls).toHaveLength(1)
  expect(load).toHaveBeenCalledOnce()
  expect(audio().getAttribute('src')).toBe('blob:held')
  fireEvent.playing(audio())
  expect(screen.queryByRole('alert')).toBeNull()
})

test('what was heard to its end is fetched whole, for the worker to keep; what is on the device already is not', async () => {
  const { unmount } = render(<RichText html={HTML} />)
  fireEvent.ended(audio())
  expect(fetched).toEqual([[SOURCE, 'force-cache']])
  unmount()
  await keep()
  render(<RichText html={HTML} />)
  await expect.poll(() => audio().getAttribute('src')).toBe('blob:held')
  fireEvent.ended(audio())
  expect(fetched).toEqual([[SOURCE, 'force-cache']])
})

test('on paper stands where it can be heard', () => {
  render(<RichText html={HTML} />)
  expect(screen.getByText('［听力录音，请在应用里播放］')).toBeTruthy()
})
