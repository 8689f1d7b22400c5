import { readFileSync } from 'node:fs'
import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { Divider } from '#src/player/Divider.tsx'

const shown = () => screen.getByRole('separator', { name: '材料占多大' })
const share = () => Number(shown().getAttribute('aria-valuenow'))
const show = () =>
  render(
    <article>
      <div>
        <Divider />
      </div>
    </article>,
  )

test('a material begins with a third of a phone’s height, before and after its divider has come', () => {
  show()
  expect(share()).toBe(33)
  // Until the divider has come, the stylesheet alone says it.
  const styles = readFileSync('src/player/Material.module.css', 'utf8')
  expect(styles).toContain(`max-height: calc(var(--high, ${share()}) * 1dvh)`)
})

test('a material gets more or less of the screen by arrow keys, within bounds, and the device keeps it', async () => {
  const first = show()
  const before = share()
  shown().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(share()).toBe(before + 10)
  expect(shown().closest('article')?.style.getPropertyValue('--high')).toBe(String(before + 10))
  await userEvent.keyboard('{ArrowDown>20/}')
  expect(share()).toBe(60)
  first.unmount()
  show()
  expect(share()).toBe(60)
})

test('a drag ends where the finger left it, also when the browser takes the pointer away', () => {
  show()
  const line = shown()
  line.setPointerCapture = () => {}
  line.hasPointerCapture = () => true
  vi.spyOn(line.parentElement ?? line, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 360, 200))
  fireEvent.pointerDown(line, { pointerId: 1 })
  fireEvent.pointerMove(line, { pointerId: 1, clientY: window.innerHeight * 0.3 })
  fireEvent.lostPointerCapture(line, { pointerId: 1 })
  expect(share()).toBe(30)
  expect(deviceMemory.get(DEVICE_KEYS.split)).toMatch(/^30\//)
})
