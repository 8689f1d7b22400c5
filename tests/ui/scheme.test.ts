import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { scheme } from '#src/ui/scheme.ts'

const page = readFileSync('index.html', 'utf8')
const script = /<script>([^]*?)<\/script>/.exec(page)?.[1] ?? ''
/** Returns what the page itself shows before any of the app's files is there. */
function firstPaint(kept: Record<string, string>, now: Date): string {
  const documentElement = { dataset: { mantineColorScheme: 'light' } }
  vm.runInNewContext(script, {
    history: {},
    localStorage: { getItem: (name: string) => kept[name] ?? null },
    matchMedia: () => ({ matches: false }),
    document: { documentElement },
    Date: class {
      toTimeString() {
        return now.toTimeString()
      }
    },
  })
  return documentElement.dataset.mantineColorScheme
}
const at = (clock: string) => new Date(`2026-11-21T${clock}`)
const shown = () => document.documentElement.dataset.mantineColorScheme

beforeEach(() => {
  vi.useFakeTimers({ now: at('12:00:00') })
})
afterEach(() => {
  scheme.set('system')
  scheme.setNight({ from: '21:30', to: '06:30' })
  vi.useRealTimers()
})

describe('a night by the clock', () => {
  test('begins and ends at its minute while the page is open', () => {
    vi.setSystemTime(at('21:29:10'))
    scheme.set('time')
    expect(shown()).toBe('light')
    vi.advanceTimersByTime(49_000)
    expect(shown()).toBe('light')
    vi.advanceTimersByTime(1_000)
    expect(shown()).toBe('dark')
    vi.advanceTimersByTime(9 * 3_600_000)
    expect(shown()).toBe('light')
  })

  test('is looked at anew when a page that slept is seen again', () => {
    scheme.set('time')
    vi.setSystemTime(at('23:00:00'))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(shown()).toBe('dark')
  })

  test('no longer matters once light or dark is chosen', () => {
    vi.setSystemTime(at('23:00:00'))
    scheme.set('time')
    expect(shown()).toBe('dark')
    scheme.set('light')
    vi.advanceTimersByTime(3_600_000)
    expect(shown()).toBe('light')
  })

  test('gives way to a flip by hand until its own next change, and goes on by the clock', () => {
    vi.setSystemTime(at('21:00:00'))
    scheme.set('time')
    scheme.flip()
    expect([shown(), scheme.chosen()]).toEqual(['dark', 'time'])
    vi.advanceTimersByTime(60 * 60_000)
    scheme.flip()
    expect(shown()).toBe('light')
    vi.advanceTimersByTime(60 * 60_000)
    expect(shown()).toBe('light')
    // The clock came to light by itself in the morning, and to dark in the evening.
    vi.advanceTimersByTime(8 * 3_600_000)
    expect(shown()).toBe('light')
    vi.advanceTimersByTime(15 * 3_600_000)
    expect([shown(), scheme.chosen()]).toEqual(['dark', 'time'])
  })

  test('changes with another tab’s choice', () => {
    vi.setSystemTime(at('23:00:00'))
    localStorage.setItem('jk-scheme', 'time')
    window.dispatchEvent(new StorageEvent('storage', { key: 'jk-scheme' }))
    expect(shown()).toBe('dark')
    localStorage.setItem('jk-night', '23:30-05:00')
    window.dispatchEvent(new StorageEvent('storage', { key: 'jk-night' }))
    expect(shown()).toBe('light')
  })
})

describe('the first paint shows what the app will', () => {
  test.each([
    ['21:29:59', undefined, 'light'],
    ['21:30:00', undefined, 'dark'],
    ['00:00:00', undefined, 'dark'],
    ['06:29:59', undefined, 'dark'],
    ['06:30:00', undefined, 'light'],
    // Within one day, as who sleeps by day has it.
    ['08:59:00', '09:00-17:00', 'light'],
    ['09:00:00', '09:00-17:00', 'dark'],
    ['17:00:00', '09:00-17:00', 'light'],
    ['22:00:00', 'damaged', 'dark'],
  ])('at %s, dark from–to %s: %s', (clock, night, expected) => {
    vi.setSystemTime(at(clock))
    localStorage.setItem('jk-scheme', 'time')
    if (night) localStorage.setItem('jk-night', night)
    else localStorage.removeItem('jk-night')
    for (const key of ['jk-scheme', 'jk-night']) window.dispatchEvent(new StorageEvent('storage', { key }))
    expect(scheme.get()).toBe(expected)
    expect(firstPaint({ 'jk-scheme': 'time', ...(night && { 'jk-night': night }) }, at(clock))).toBe(expected)
  })

  test.each([
    ['dark', 'dark'],
    ['light', 'light'],
    ['', 'light'],
    ['constructor', 'light'],
  ])('chosen %s', (chosen, expected) => {
    expect(firstPaint({ 'jk-scheme': chosen }, at('23:00:00'))).toBe(expected)
  })
})
