import { Button } from '#src/ui/Button.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { deviceMemory } from '#src/ui/memory.ts'
import { arranged, newSeed } from './arrange.ts'
import { DisplaySettings, entries, ON_OFF } from './DisplaySettings.tsx'
import { AUTO_NEXT, type AutoNext } from './prefs.ts'
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
/** How this device shows and deals questions; each choice counts at once. */
export function SettingsSheet({ player, autoNext, onAutoNext, onKeys, onClose }: SettingsSheetProps) {
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
      <DisplaySettings />
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
