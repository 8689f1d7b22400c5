import {
  IconBook2,
  IconDots,
  IconHeadphones,
  IconKeyboard,
  IconMoon,
  IconPencil,
  IconPencilCheck,
  IconSun,
  IconTextSize,
} from '@tabler/icons-react'
import { type ReactNode, type RefObject, Suspense, useState } from 'react'
import { mayStrike } from '#src/domain/question/choice.ts'
import { IconButton } from '#src/ui/IconButton.tsx'
import { optional } from '#src/ui/optional.ts'
import { scheme, useScheme } from '#src/ui/scheme.ts'
import { Act } from './Act.tsx'
import { AutoNext } from './AutoNext.tsx'
import { hasKeyboard } from './keyboard.ts'
import { KeysSheet } from './KeysSheet.tsx'
import { MarkActs, useMarkActs } from '../marks/Marks.tsx'
import { MoreSheet } from './MoreSheet.tsx'
import { Pad } from './Pad.tsx'
import type { NoteHandle } from '../pane/PaneNote.tsx'
import { type Item, openPart } from '../playerState.ts'
import { prefs } from './prefs.ts'
import { useToolKeys } from './toolKeys.ts'
import { useDrawings } from './useDrawings.ts'
import { useStrikes } from './useStrikes.ts'
import type { PlayerHandle } from '../usePlayer.ts'
import classes from './Tools.module.css'

const Listening = optional(() => import('../listening/ListeningPage.tsx').then((m) => m.ListeningPage))
/** Its switches are the kit's, which no question waits for. */
const SettingsSheet = optional(() => import('./SettingsSheet.tsx').then((m) => m.SettingsSheet))

interface ToolsProps {
  player: PlayerHandle
  item: Item
  mayRecite: boolean
  /** The screen adds these to 更多. */
  more: ReactNode
  /** There is no question after this one. */
  last: boolean
  goNext: () => void
  /** The note beside the question; null where there is none, and it opens as a sheet. */
  paneNote: RefObject<NoteHandle | null>
}
type Sheet = 'more' | 'pad' | 'settings' | 'keys' | 'listening'

/** 更多 with all that it opens, and the keys of it; they come as a file of their own, behind the question. */
export function Tools({ player, item, mayRecite, more, last, goNext, paneNote }: ToolsProps) {
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const [autoNext, setAutoNext] = useState(prefs.autoNext)
  const { no } = item.part
  const { strokes, drawn, draw } = useDrawings(no)
  const marks = useMarkActs(player, item, paneNote)
  useKeysOf(player, setSheet)
  useStrikes(player)
  const close = () => setSheet(null)
  const own = [marks.collected && '已收藏', marks.noted && '有笔记', drawn && '有草稿'].filter(Boolean)
  return (
    <>
      <IconButton aria-label={['更多', ...own].join('，')} aria-keyshortcuts="M" onClick={() => setSheet('more')}>
        <span className={classes.dots} data-has={own.length > 0 || undefined}>
          <IconDots size={22} aria-hidden="true" />
        </span>
      </IconButton>
      {sheet === 'more' && (
        <MoreSheet player={player} onClose={close}>
          <MarkActs marks={marks} />
          <ToolActs player={player} drawn={drawn} mayRecite={mayRecite} open={setSheet} />
          {more}
        </MoreSheet>
      )}
      {marks.sheets}
      {sheet === 'pad' && <Pad strokes={strokes} onDraw={draw} onClose={close} />}
      <Suspense>
        {sheet === 'settings' && (
          <SettingsSheet
            player={player}
            autoNext={autoNext}
            onAutoNext={(value) => {
              prefs.setAutoNext(value)
              setAutoNext(value)
            }}
            onClose={close}
          />
        )}
      </Suspense>
      {sheet === 'keys' && <KeysSheet onClose={close} />}
      {sheet === 'listening' && (
        <Suspense>
          <Listening player={player} onClose={close} />
        </Suspense>
      )}
      <AutoNext key={no} player={player} when={last ? 'off' : autoNext} goNext={goNext} />
    </>
  )
}

interface ToolActsProps {
  player: PlayerHandle
  drawn: boolean
  mayRecite: boolean
  open: (sheet: Sheet) => void
}

function ToolActs({ player: { state, dispatch }, drawn, mayRecite, open }: ToolActsProps) {
  const dark = useScheme() === 'dark'
  const recite = state.mode === 'recite'
  return (
    <>
      <Act
        icon={drawn ? <IconPencilCheck /> : <IconPencil />}
        label="草稿纸"
        name={drawn ? '草稿纸，本题有草稿' : undefined}
        keys="P"
        onClick={() => open('pad')}
      />
      {mayRecite && (
        <Act
          icon={<IconBook2 />}
          label="背题"
          pressed={recite}
          onClick={() => dispatch({ type: 'mode', mode: recite ? 'practice' : 'recite' })}
        />
      )}
      {(mayRecite || state.mode === 'review') && (
        <Act icon={<IconHeadphones />} label="听题" onClick={() => open('listening')} />
      )}
      <Act icon={dark ? <IconSun /> : <IconMoon />} label="夜间模式" keys="T" pressed={dark} onClick={scheme.flip} />
      <Act icon={<IconTextSize />} label="字号与设置" keys="," onClick={() => open('settings')} />
      {hasKeyboard() && <Act icon={<IconKeyboard />} label="键盘快捷键" keys="?" onClick={() => open('keys')} />}
    </>
  )
}

function stepFont(by: 1 | -1): void {
  const sizes = ['s', '', 'l', 'xl']
  const next = sizes[sizes.indexOf(prefs.look('font')) + by]
  if (next !== undefined) prefs.setLook('font', next)
}

/** Shift and a letter strike an option; the tools have keys that no option has. */
function useKeysOf({ state, dispatch }: PlayerHandle, open: (sheet: Sheet) => void): void {
  useToolKeys(({ key, shiftKey }) => {
    const tools: Record<string, () => void> = {
      m: () => open('more'),
      p: () => open('pad'),
      t: scheme.flip,
      ',': () => open('settings'),
      '?': () => open('keys'),
      '+': () => stepFont(1),
      '=': () => stepFont(1),
      '-': () => stepFont(-1),
    }
    const part = openPart(state)
    const strikes = shiftKey && part && mayStrike(part)
    const option = strikes ? part.options[key.toUpperCase().charCodeAt(0) - 65] : undefined
    if (option && part) dispatch({ type: 'strike', part, id: option.id })
    else tools[key.toLowerCase()]?.()
  })
}
