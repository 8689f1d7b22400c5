import { clsx } from 'clsx'
import { IconX } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import common from '#src/ui/common.module.css'
import { IconButton } from '#src/ui/IconButton.tsx'
import classes from './FirstHint.module.css'
import { countSight, endHint, hintIsDue } from './hint.ts'
import { hasKeyboard } from './tools/keyboard.ts'

/**
 * Tells who studies here for the first time how to get about: below the question, in nobody's way. It is gone for good at a tap, after
 * a swipe, and once it was in sight at a few questions.
 */
export function FirstHint({ onClosed }: { onClosed: () => void }) {
  const [isShown, setIsShown] = useState(hintIsDue)
  const watch = useCallback((hint: HTMLElement | null) => {
    if (!hint || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver((moments) => {
      if (!moments.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      countSight()
    })
    observer.observe(hint)
    return () => observer.disconnect()
  }, [])
  if (!isShown) return null
  const close = () => {
    endHint()
    setIsShown(false)
    onClosed()
  }
  return (
    <aside ref={watch} className={clsx(common.row, common.sunken, common.note, classes.hint)} aria-label="操作提示">
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
