import { DEVICE_KEYS } from '#src/device/keys.ts'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deviceMemory } from '#src/device/stores.ts'
import { RichText } from '#src/ui/text/RichText.tsx'
import { memoryCaches } from '#tests/support/cacheStorage.ts'

const SOURCE = '/media/0123456789abcdef.png'
const HTML = `<p>如图<img src="${SOURCE}" alt="示意图"></p>`

beforeEach(() => {
  deviceMemory.set(DEVICE_KEYS.saver, '1')
  vi.stubGlobal('caches', memoryCaches())
  vi.stubGlobal('fetch', async () => new Response(null, { headers: { 'content-length': '34567' } }))
})
afterEach(() => {
  deviceMemory.set(DEVICE_KEYS.saver, '0')
  vi.unstubAllGlobals()
})
const picture = () => document.querySelector('img')

test('省流模式: in the place of a picture stands what it costs, and a tap brings it without choosing the option', async () => {
  const chosen = vi.fn<() => void>()
  render(
    <label>
      <input type="radio" onChange={chosen} />
      <RichText html={HTML} />
    </label>,
  )
  const offer = await screen.findByRole('button', { name: '图片 34 KB，点按加载图片' })
  expect(picture()?.getAttribute('src')).toBeNull()
  expect(picture()?.hidden).toBe(true)
  await userEvent.click(offer)
  expect(picture()?.getAttribute('src')).toBe(SOURCE)
  expect(picture()?.hidden).toBe(false)
  expect(screen.queryByRole('button')).toBeNull()
  expect(chosen).not.toHaveBeenCalled()
})

test('a picture that is on the device already is simply shown', async () => {
  await (await caches.open('pack-img-v1')).put(SOURCE, new Response('png'))
  render(<RichText html={HTML} />)
  await expect.poll(() => picture()?.getAttribute('src')).toBe(SOURCE)
  expect(screen.queryByRole('button')).toBeNull()
})

test('where the size cannot be asked for, the picture is offered all the same', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  render(<RichText html={HTML} />)
  await screen.findByRole('button', { name: '图片，点按加载图片' })
})
