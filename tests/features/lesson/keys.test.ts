import { expect, test } from 'vitest'
import { actOf, barStep, KEY_TEXTS, type KeyAct } from '#src/features/course/lesson/keys.ts'
import { speedBeside } from '#src/features/course/lesson/prefs.ts'
import { loudness, passed, sleepAfter } from '#src/features/course/lesson/watch/sleep.ts'

const BARE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, defaultPrevented: false }
const press = (key: string, over: object = {}) => actOf({ ...BARE, key, target: document.body, ...over })
const within = (html: string): Element => {
  document.body.innerHTML = html
  const target = document.body.querySelector('[data-here]')
  if (!target) throw new Error('nothing is marked')
  return target
}

test.each<[string, KeyAct]>([
  [' ', { do: 'toggle' }],
  ['k', { do: 'toggle' }],
  ['K', { do: 'toggle' }],
  ['ArrowLeft', { do: 'seek', by: -5 }],
  ['ArrowRight', { do: 'seek', by: 5 }],
  ['j', { do: 'seek', by: -10 }],
  ['l', { do: 'seek', by: 10 }],
  ['m', { do: 'mute' }],
  ['f', { do: 'fullscreen' }],
  ['c', { do: 'subtitles' }],
  ['n', { do: 'next' }],
  ['<', { do: 'speed', by: -1 }],
  ['>', { do: 'speed', by: 1 }],
  ['》', { do: 'speed', by: 1 }],
  ['0', { do: 'tenth', of: 0 }],
  ['9', { do: 'tenth', of: 9 }],
  ['?', { do: 'help' }],
])('%s', (key, act) => expect(press(key)).toEqual(act))

test.each([
  ['another key', 'x', {}],
  ['the browser’s own', 'f', { ctrlKey: true }],
  ['the system’s own', 'm', { metaKey: true }],
  ['a letter for who writes large', 'K', { shiftKey: true }],
  ['text that is marked by arrows', 'ArrowRight', { shiftKey: true }],
  ['what somebody else has answered', 'k', { defaultPrevented: true }],
  ['no property of objects', 'constructor', {}],
])('%s does nothing', (_, key, over) => expect(press(key, over)).toBeNull())

test.each([
  ['a letter that is typed', '<input data-here>', 'k'],
  ['a sheet’s own keys', '<dialog open><button data-here></button></dialog>', 'ArrowLeft'],
  ['a button is pressed by space', '<button data-here></button>', ' '],
  ['an icon in a button, too', '<button><i data-here></i></button>', ' '],
  [
    'an element of the controls is a button, too',
    '<media-play-button role="button" data-here></media-play-button>',
    ' ',
  ],
  ['the page is moved by arrows', '<div data-here></div>', 'ArrowDown'],
  ['a slider is moved by arrows', '<media-time-range data-here></media-time-range>', 'ArrowRight'],
])('%s is left to it', (_, html, key) => expect(press(key, { target: within(html) })).toBeNull())

test('a button with the focus leaves the other keys to the lesson', () =>
  expect(press('l', { target: within('<button data-here></button>') })).toEqual({ do: 'seek', by: 10 }))
test('in the player ↑ and ↓ make it louder and lower', () => {
  const target = within('<div data-stage><button data-here></button></div>')
  expect(press('ArrowUp', { target })).toEqual({ do: 'volume', by: 0.1 })
  expect(press('ArrowDown', { target })).toEqual({ do: 'volume', by: -0.1 })
})
test('the bar of where it stands is moved by arrows as far as the lesson is, and by no other key', () => {
  const keys = ['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'Home', 'l']
  expect(keys.map(barStep)).toEqual([5, 5, -5, -5, null, null])
})
test('what is written with the shift key is ours', () =>
  expect(press('>', { shiftKey: true })).toEqual({ do: 'speed', by: 1 }))
test('the sheet tells of every key', () =>
  expect(KEY_TEXTS.map(([keys]) => keys).join(' ')).toMatch(/空格.*K.*←.*→.*J.*L.*↑.*↓.*M.*F.*C.*<.*>.*0–9.*N.*\?/))

test.each([
  [1, 1, 1.25],
  [1, -1, 0.75],
  [3, 1, 3],
  [0.5, -1, 0.5],
] as const)('from %d× by %d comes %d×', (speed, by, next) => expect(speedBeside(speed, by)).toBe(next))

test('sleep counts what was played, fades over the last 20 s, and comes once', () => {
  const half = passed(sleepAfter(15), 14 * 60_000)
  expect(half).toEqual({ leftMs: 60_000 })
  expect(loudness(half)).toBe(1)
  expect(loudness(passed(half, 50_000))).toBe(0.5)
  expect(passed(half, 60_000)).toBe('off')
  expect(passed('off', 1_000)).toBe('off')
  expect(passed('end', 999_999)).toBe('end')
  expect(passed(half, -5_000)).toEqual(half)
})
