import { courseSpeedKey, DEVICE_KEYS, type DeviceKey } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import { type Wish, wishOf, wishText } from '#src/domain/course/quality.ts'

export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const

const isSpeed = (value: number): boolean => SPEEDS.some((speed) => speed === value)
const keptSpeed = (key: DeviceKey): number | null => {
  const speed = Number(deviceMemory.get(key))
  return isSpeed(speed) ? speed : null
}

/** The speed after this one, or before it; the last one stays. */
export function speedBeside(speed: number, by: 1 | -1): number {
  const beyond = SPEEDS.filter((each) => (each - speed) * by > 0)
  return (by > 0 ? beyond[0] : beyond.at(-1)) ?? speed
}
/** 1.5× */
export const speedText = (speed: number): string => `${speed}×`

/** How this device likes to watch; another tab follows with its next lesson. */
export const watchPrefs = {
  /** As it was chosen last in this course, else in any. */
  speed: (courseNo: string): number => keptSpeed(courseSpeedKey(courseNo)) ?? keptSpeed(DEVICE_KEYS.speed) ?? 1,
  setSpeed: (courseNo: string, speed: number): void => {
    deviceMemory.set(courseSpeedKey(courseNo), String(speed))
    deviceMemory.set(DEVICE_KEYS.speed, String(speed))
  },
  /** 自动播放下一课时 */
  goesOn: (): boolean => deviceMemory.get(DEVICE_KEYS.goOnWithNextLesson) !== 'off',
  setGoesOn: (on: boolean): void => deviceMemory.set(DEVICE_KEYS.goOnWithNextLesson, on ? 'on' : 'off'),
  subtitles: (): boolean => deviceMemory.get(DEVICE_KEYS.subtitles) === 'on',
  setSubtitles: (on: boolean): void => deviceMemory.set(DEVICE_KEYS.subtitles, on ? 'on' : 'off'),
  /** The quality that is played over the network; null: 自动. */
  quality: (): Wish | null => wishOf(deviceMemory.get(DEVICE_KEYS.quality)),
  setQuality: (wish: Wish | null): void => deviceMemory.set(DEVICE_KEYS.quality, wish ? wishText(wish) : 'auto'),
  /** Whether it pauses while a note is written. */
  notePauses: (): boolean => deviceMemory.get(DEVICE_KEYS.notePauses) !== 'off',
  setNotePauses: (on: boolean): void => deviceMemory.set(DEVICE_KEYS.notePauses, on ? 'on' : 'off'),
  /** Whoever speaks to the device can have letters do nothing (WCAG 2.1.4). */
  keys: (): boolean => deviceMemory.get(DEVICE_KEYS.lessonKeys) !== 'off',
  setKeys: (on: boolean): void => deviceMemory.set(DEVICE_KEYS.lessonKeys, on ? 'on' : 'off'),
  /** 课中提问: a lesson stops where it asks something. */
  questions: (): boolean => deviceMemory.get(DEVICE_KEYS.lessonQuestions) !== 'off',
  setQuestions: (on: boolean): void => deviceMemory.set(DEVICE_KEYS.lessonQuestions, on ? 'on' : 'off'),
}
