import { DEVICE_KEYS } from '#src/device/keys.ts'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { deviceMemory } from '#src/device/stores.ts'
import { arranged, newSeed } from './arrange.ts'
import { AnsweringSettings, DisplaySettings } from './DeviceSettings.tsx'
import type { AutoNext } from './prefs.ts'
import type { PlayerHandle } from '../usePlayer.ts'

interface SettingsSheetProps {
  player: PlayerHandle
  autoNext: AutoNext
  onAutoNext: (value: AutoNext) => void
  onClose: () => void
}
/** How this device shows and deals questions; each choice counts at once. */
export function SettingsSheet({ player, autoNext, onAutoNext, onClose }: SettingsSheetProps) {
  const { state, dispatch } = player
  const seed = state.deal?.seed ?? 0
  const shuffle = (on: boolean) => {
    deviceMemory.set(DEVICE_KEYS.shuffle, on ? '1' : '')
    const next = on ? newSeed() : 0
    const deal = { choice: '', limitMs: 0, ...state.deal, seed: next }
    dispatch({ type: 'arrange', items: arranged(state.items, next), deal })
  }
  return (
    <Dialog title="字号与设置" sheet onClose={onClose}>
      <DisplaySettings />
      <AnsweringSettings autoNext={autoNext} onAutoNext={onAutoNext} shuffled={seed !== 0} onShuffle={shuffle} />
    </Dialog>
  )
}
