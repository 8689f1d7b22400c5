import { isTyping } from '#src/ui/typing.ts'

/** What a key does to a lesson. */
export type KeyAct =
  | { do: 'toggle' | 'mute' | 'fullscreen' | 'subtitles' | 'next' | 'help' }
  /** Seconds. */
  | { do: 'seek'; by: number }
  | { do: 'volume'; by: number }
  /** To the next faster or slower speed. */
  | { do: 'speed'; by: 1 | -1 }
  /** To so many tenths of it. */
  | { do: 'tenth'; of: number }

/** Of an arrow. */
const STEP_S = 5
const ACTS: Readonly<Record<string, KeyAct>> = {
  ' ': { do: 'toggle' },
  k: { do: 'toggle' },
  ArrowLeft: { do: 'seek', by: -STEP_S },
  ArrowRight: { do: 'seek', by: STEP_S },
  j: { do: 'seek', by: -10 },
  l: { do: 'seek', by: 10 },
  ArrowUp: { do: 'volume', by: 0.1 },
  ArrowDown: { do: 'volume', by: -0.1 },
  m: { do: 'mute' },
  f: { do: 'fullscreen' },
  c: { do: 'subtitles' },
  n: { do: 'next' },
  '<': { do: 'speed', by: -1 },
  '>': { do: 'speed', by: 1 },
  '?': { do: 'help' },
  // The same keys while a Chinese keyboard is on.
  '《': { do: 'speed', by: -1 },
  '》': { do: 'speed', by: 1 },
  '？': { do: 'help' },
}

/** For the sheet of keys, in its order. */
export const KEY_TEXTS = [
  ['空格 或 K', '播放、暂停'],
  ['← →', '后退、前进 5 秒'],
  ['J L', '后退、前进 10 秒'],
  ['↑ ↓', '音量大、小（焦点在播放器里时）'],
  ['M', '静音'],
  ['F', '全屏'],
  ['C', '字幕开、关'],
  ['< >', '慢一档、快一档'],
  ['0–9', '跳到十分之几处'],
  ['N', '下一课时'],
  ['?', '查看全部快捷键'],
] as const

/** The keys of the bar that shows where a lesson stands: its own step would be a share of the whole lesson. Null: not ours. */
export function barStep(key: string): number | null {
  if (key === 'ArrowRight' || key === 'ArrowUp') return STEP_S
  return key === 'ArrowLeft' || key === 'ArrowDown' ? -STEP_S : null
}

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'defaultPrevented' | 'target'
>
/** Only these are written with it. */
const SHIFTED = '<>?《》？'

/** Null: the key is not ours, or belongs to what has the focus. */
export function actOf(event: Pressed): KeyAct | null {
  const { target } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null
  if (event.shiftKey && !SHIFTED.includes(event.key)) return null
  if (isTyping(target) || isOwn(event.key, target)) return null
  if (/^\d$/.test(event.key)) return { do: 'tenth', of: Number(event.key) }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return Object.hasOwn(ACTS, key) ? (ACTS[key] ?? null) : null
}

/** A button that has the focus is pressed by space, a slider is moved by arrows; the page scrolls by no key of ours then. */
function isOwn(key: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (key === ' ') return target.closest('a, button, summary, [role=button], [role=checkbox], input') !== null
  // Anywhere else they move the page.
  if ((key === 'ArrowUp' || key === 'ArrowDown') && target.closest('[data-stage]') === null) return true
  return (
    (key.startsWith('Arrow') || /^\d$/.test(key)) &&
    target.closest('input, [role=slider], media-time-range, media-volume-range') !== null
  )
}
