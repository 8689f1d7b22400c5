import { deviceMemory } from '#src/ui/memory.ts'

export const AUTO_NEXT = { off: '关', right: '答对后', always: '总是' } as const
export type AutoNext = keyof typeof AUTO_NEXT
/** As theme.css and index.html know them; '' is the ordinary one. */
export const FONTS = { s: '小', '': '标准', l: '大', xl: '特大' } as const
export type Font = keyof typeof FONTS
const isIn = <T extends object>(table: T, key: string): key is Extract<keyof T, string> => Object.hasOwn(table, key)
const FONT = 'jk-font'

/** How this device likes to study; another tab follows with its next start. */
export const prefs = {
  autoNext: (): AutoNext => {
    const kept = deviceMemory.get('jk-auto-next') ?? ''
    return isIn(AUTO_NEXT, kept) ? kept : 'off'
  },
  setAutoNext: (value: AutoNext): void => deviceMemory.set('jk-auto-next', value),
  font: (): Font => {
    const kept = deviceMemory.get(FONT) ?? ''
    return isIn(FONTS, kept) ? kept : ''
  },
  setFont: (value: Font): void => {
    deviceMemory.set(FONT, value)
    document.documentElement.dataset.font = value
  },
}
