import { IconMoon, IconPencil, IconSun, IconTextSize } from '@tabler/icons-react'
import { useState } from 'react'
import { isChoice } from '#src/domain/question/choice.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { scheme, useScheme } from '#src/ui/scheme.ts'
import { AutoNext } from './AutoNext.tsx'
import { KeysSheet } from './KeysSheet.tsx'
import { Marks } from '../marks/Marks.tsx'
import { Pad } from './Pad.tsx'
import { openPart } from '../playerState.ts'
import { prefs } from './prefs.ts'
import { SettingsSheet } from './SettingsSheet.tsx'
import { useToolKeys } from './toolKeys.ts'
import { useDrawings } from './useDrawings.ts'
import { useStrikes } from './useStrikes.ts'
import type { PlayerHandle } from '../usePlayer.ts'
import classes from './Tools.module.css'

interface ToolsProps {
  player: PlayerHandle
  /** There is no question after this one. */
  last: boolean
  goNext: () => void
}
type Sheet = 'pad' | 'settings' | 'keys'

/** 撤销, 收藏, 笔记, 草稿纸, 夜间模式, 字号 and settings, with their keys; they come as a file of their own, behind the question. */
export function Tools({ player, last, goNext }: ToolsProps) {
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [autoNext, setAutoNext] = useState(prefs.autoNext)
  const dark = useScheme() === 'dark'
  const item = player.state.items[player.state.at]
  const no = item?.part.no ?? ''
  const { strokes, drawn, draw } = useDrawings(no)
  useKeysOf(player, setSheet)
  useStrikes(player)
  const close = () => setSheet(null)
  return (
    <>
      {item && <Marks player={player} item={item} />}
      <IconButton aria-label={drawn ? '草稿纸，本题有草稿' : '草稿纸'} onClick={() => setSheet('pad')}>
        <span className={drawn ? classes.dot : undefined}>
          <IconPencil size={20} aria-hidden="true" />
        </span>
      </IconButton>
      <span className={classes.wide}>
        <IconButton aria-label="夜间模式" aria-pressed={dark} onClick={flipScheme}>
          {dark ? <IconSun size={20} aria-hidden="true" /> : <IconMoon size={20} aria-hidden="true" />}
        </IconButton>
      </span>
      <IconButton aria-label="字号与设置" onClick={() => setSheet('settings')}>
        <IconTextSize size={20} aria-hidden="true" />
      </IconButton>
      {sheet === 'pad' && <Pad strokes={strokes} onDraw={draw} onClose={close} />}
      {sheet === 'settings' && (
        <SettingsSheet
          player={player}
          autoNext={autoNext}
          onAutoNext={(value) => {
            prefs.setAutoNext(value)
            setAutoNext(value)
          }}
          onKeys={() => setSheet('keys')}
          onClose={close}
        />
      )}
      {sheet === 'keys' && <KeysSheet onClose={close} />}
      <AutoNext key={no} player={player} when={last ? 'off' : autoNext} goNext={goNext} />
    </>
  )
}

const flipScheme = (): void => scheme.set(scheme.get() === 'dark' ? 'light' : 'dark')

function stepFont(by: 1 | -1): void {
  const sizes = ['s', '', 'l', 'xl']
  const next = sizes[sizes.indexOf(prefs.look('font')) + by]
  if (next !== undefined) prefs.setLook('font', next)
}

/** Shift and a letter strike an option; the tools have keys that no option has. */
function useKeysOf({ state, dispatch }: PlayerHandle, open: (sheet: Sheet) => void): void {
  useToolKeys(({ key, shiftKey }) => {
    const tools: Record<string, () => void> = {
      p: () => open('pad'),
      t: flipScheme,
      ',': () => open('settings'),
      '?': () => open('keys'),
      '+': () => stepFont(1),
      '=': () => stepFont(1),
      '-': () => stepFont(-1),
    }
    const part = openPart(state)
    const strikes = shiftKey && part && isChoice(part) && part.type !== 'judge'
    const option = strikes ? part.options[key.toUpperCase().charCodeAt(0) - 65] : undefined
    if (option && part) dispatch({ type: 'strike', part, id: option.id })
    else tools[key.toLowerCase()]?.()
  })
}
