import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'

/** 1 is the voice's own speed. */
export const RATES = [
  { value: 0.8, label: '慢' },
  { value: 1, label: '正常' },
  { value: 1.25, label: '较快' },
  { value: 1.5, label: '快' },
] as const
/** Seconds to think of the answer. */
export const PAUSES = [
  { value: 0, label: '不停' },
  { value: 3, label: '3 秒' },
  { value: 6, label: '6 秒' },
  { value: 12, label: '12 秒' },
] as const
export interface ListeningPrefs {
  rate: (typeof RATES)[number]['value']
  pause: (typeof PAUSES)[number]['value']
  withAnalysis: boolean
}

const valueIn = <T extends number>(table: readonly { value: T }[], kept: string | undefined): T | undefined =>
  table.find(({ value }) => String(value) === kept)?.value

/** Tells how this device reads aloud, kept as `rate pause analysis`. */
export function listeningPrefs(): ListeningPrefs {
  const [rate, pause, analysis] = (deviceMemory.get(DEVICE_KEYS.listening) ?? '').split(' ')
  return { rate: valueIn(RATES, rate) ?? 1, pause: valueIn(PAUSES, pause) ?? 3, withAnalysis: analysis !== '0' }
}

export const keepListeningPrefs = ({ rate, pause, withAnalysis }: ListeningPrefs): void =>
  deviceMemory.set(DEVICE_KEYS.listening, `${rate} ${pause} ${withAnalysis ? 1 : 0}`)
