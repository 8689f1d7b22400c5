import { DEVICE_KEYS } from '#src/device/keys.ts'
import { clsx } from 'clsx'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import { deviceMemory } from '#src/device/stores.ts'
import classes from './FirstHint.module.css'
import { hasKeyboard } from './tools/keyboard.ts'

/** How to get about, for who studies here for the first time: below the question, in nobody's way, gone for good at a tap. */
export function FirstHint({ onClosed }: { onClosed: () => void }) {
  const [known, setKnown] = useState(() => deviceMemory.get(DEVICE_KEYS.playerHintKnown) !== null)
  if (known) return null
  const close = () => {
    deviceMemory.set(DEVICE_KEYS.playerHintKnown, '1')
    setKnown(true)
    onClosed()
  }
  return (
    <aside className={clsx(common.row, common.sunken, common.note, classes.hint)} aria-label="操作提示">
      <p className={common.grow}>
        {hasKeyboard()
          ? '用键盘更快：A–H 选择，Enter 确认，← → 换题，按 ? 看全部快捷键。'
          : '左右滑动换题，长按选项可以划掉；收藏、笔记、字号和夜间模式在右上角的“更多”里。'}
      </p>
      <IconButton aria-label="关闭提示" onClick={close}>
        <IconX size={18} aria-hidden="true" />
      </IconButton>
    </aside>
  )
}
