import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { deviceMemory } from '#src/ui/memory.ts'
import { scheme, useScheme } from '#src/ui/scheme.ts'
import { arranged, newSeed } from './arrange.ts'
import { AUTO_NEXT, type AutoNext, FONTS, type Font, prefs } from './prefs.ts'
import { SHUFFLE } from './kept.ts'
import type { PlayerHandle } from './usePlayer.ts'
import classes from './Tools.module.css'

interface SettingsSheetProps {
  player: PlayerHandle
  autoNext: AutoNext
  onAutoNext: (value: AutoNext) => void
  onKeys: () => void
  onClose: () => void
}
const entries = <K extends string>(table: Record<K, string>) =>
  (Object.keys(table) as K[]).map((value) => ({ value, label: table[value] }))
const ON_OFF = [
  { value: 'off', label: '关' },
  { value: 'on', label: '开' },
] as const

/** How this device shows questions; each choice counts at once. */
export function SettingsSheet({ player, autoNext, onAutoNext, onKeys, onClose }: SettingsSheetProps) {
  const [font, setFont] = useState<Font>(prefs.font)
  const { state, dispatch } = player
  const seed = state.deal?.seed ?? 0
  const shuffle = (on: boolean) => {
    deviceMemory.set(SHUFFLE, on ? '1' : '')
    const next = on ? newSeed() : 0
    const deal = { choice: '', limitMs: 0, ...state.deal, seed: next }
    dispatch({ type: 'arrange', items: arranged(state.items, next), deal })
  }
  return (
    <Dialog title="字号与设置" sheet onClose={onClose}>
      <Choices
        title="字号"
        options={entries(FONTS)}
        chosen={[font]}
        onPick={(value) => {
          prefs.setFont(value)
          setFont(value)
        }}
      />
      <Choices
        title="夜间模式"
        options={ON_OFF}
        chosen={[useScheme() === 'dark' ? 'on' : 'off']}
        onPick={(value) => scheme.set(value === 'on' ? 'dark' : 'light')}
      />
      <Choices
        title="单选、判断作答后自动下一题"
        options={entries(AUTO_NEXT)}
        chosen={[autoNext]}
        onPick={onAutoNext}
      />
      <Choices
        title="选项乱序"
        options={ON_OFF}
        chosen={[seed === 0 ? 'off' : 'on']}
        onPick={(value) => shuffle(value === 'on')}
      />
      <p className={classes.note}>解析里的选项字母会跟着变；无法准确对应的题和判断题保持原来的顺序。</p>
      <div className={classes.more}>
        {hasKeyboard() && (
          <Button look="quiet" tone="plain" onClick={onKeys}>
            键盘快捷键
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** As far as a page can know: who points precisely has keys as well. */
const hasKeyboard = (): boolean => window.matchMedia('(hover: hover) and (pointer: fine)').matches
