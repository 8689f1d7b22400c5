import type { Thing } from '#src/contract/study.ts'

/** 每日提醒: times of the day of Asia/Shanghai, as HH:MM. */
export interface ReminderSettings {
  at: string
  /** No message comes from the first time until the second; equal ones: it may come at any time. */
  quiet: { from: string; to: string }
}

export function reminderSettings(settings: ReadonlyMap<string, Pick<Thing<'setting'>, 'value'>>): ReminderSettings {
  const [from = '', to = ''] = String(settings.get('reminderQuiet')?.value ?? '22:00-07:00').split('-')
  return { at: String(settings.get('reminderAt')?.value ?? '20:00'), quiet: { from, to } }
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
