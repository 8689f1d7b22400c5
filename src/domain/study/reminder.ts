import type { Thing } from '#src/contract/study.ts'

/** 每日提醒: times of the day of Asia/Shanghai, as HH:MM. */
export interface ReminderSettings {
  at: string
  /** No message comes from the first time until the second; equal ones: it may come at any time. */
  quiet: { from: string; to: string }
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const isTime = (text: string | undefined): text is string => text !== undefined && TIME.test(text)

/** Returns what a student has decided. What is stored and is no time counts as not decided. */
export function reminderSettings(settings: ReadonlyMap<string, Pick<Thing<'setting'>, 'value'>>): ReminderSettings {
  const textOf = (name: string): string => String(settings.get(name)?.value ?? '')
  const [from, to, ...more] = textOf('reminderQuiet').split('-')
  const at = textOf('reminderAt')
  return {
    at: isTime(at) ? at : '20:00',
    quiet: isTime(from) && isTime(to) && more.length === 0 ? { from, to } : { from: '22:00', to: '07:00' },
  }
}

/** Minutes since midnight. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

const DAY = 1_440
const after = (from: number, minute: number): number => (minute - from + DAY) % DAY

/** Tells whether it is quiet at a minute of the day; the last one is not. */
export function isQuiet({ from, to }: ReminderSettings['quiet'], minute: number): boolean {
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  return begin !== end && after(begin, minute) < after(begin, end)
}

/** Minutes until it is quiet, or the day is over. */
export function minutesLeft({ from, to }: ReminderSettings['quiet'], minute: number): number {
  const untilQuiet = from === to ? DAY : after(minute, minuteOf(from))
  return Math.min(untilQuiet, DAY - minute)
}
