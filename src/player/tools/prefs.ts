import { DEVICE_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'

export const AUTO_NEXT = { off: '关', right: '答对后', always: '总是' } as const
export type AutoNext = keyof typeof AUTO_NEXT
/** The look of texts, as tokens.css and index.html know it; '' is the ordinary one. */
export const LOOKS = {
  font: { title: '字号', values: { s: '小', '': '标准', l: '大', xl: '特大' } },
  lines: { title: '行距', values: { '': '标准', wide: '宽松' } },
  face: { title: '题目字体', values: { '': '黑体', song: '宋体' } },
  eyes: { title: '护眼色', values: { '': '关', on: '开' } },
} as const
export type Look = keyof typeof LOOKS
const isIn = <T extends object>(table: T, key: string): key is Extract<keyof T, string> => Object.hasOwn(table, key)

/** How this device likes to study; another tab follows with its next start. */
export const prefs = {
  autoNext: (): AutoNext => {
    const kept = deviceMemory.get(DEVICE_KEYS.autoNext) ?? ''
    return isIn(AUTO_NEXT, kept) ? kept : 'off'
  },
  setAutoNext: (value: AutoNext): void => deviceMemory.set(DEVICE_KEYS.autoNext, value),
  look: (of: Look): string => {
    const kept = deviceMemory.get(DEVICE_KEYS[of]) ?? ''
    return isIn(LOOKS[of].values, kept) ? kept : ''
  },
  setLook: (of: Look, value: string): void => {
    deviceMemory.set(DEVICE_KEYS[of], value)
    document.documentElement.dataset[of] = value
  },
}
