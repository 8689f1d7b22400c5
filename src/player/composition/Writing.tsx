import { IconMaximize } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { type RefObject, useRef } from 'react'
import type { EssayQuestion } from '#src/contract/question.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { useLater } from '#src/ui/feedback/useLater.ts'
import classes from './Composition.module.css'
import { Counter } from './Counter.tsx'
import { useKeyboard } from './useKeyboard.ts'

interface WritingProps {
  part: EssayQuestion
  text: string
  /** The text is written there. */
  area: RefObject<HTMLTextAreaElement | null>
  /** Left out where nothing more is written. */
  onWrite?: ((text: string) => void) | undefined
}

const loadPage = () => import('./WritingPage.tsx').then((m) => m.WritingPage)

/** Below what a student writes: how long it is, and the way to write it on the whole screen. */
export function Writing({ part, text, area, onWrite }: WritingProps) {
  const name = part.composition ? '全屏写作' : '全屏作答'
  const page = useLater(loadPage, `${name}打不开，可以先在作答框里写。`)
  const { Part: Page } = page
  const row = useRef<HTMLDivElement>(null)
  useKeyboard(area, row)
  return (
    <div ref={row} className={clsx(common.between, classes.writing)}>
      <Counter part={part} text={text} />
      {onWrite && (
        // Not disabled while the page comes: it would lose the focus, to which closing leads back.
        <Button small look="light" aria-busy={page.busy || undefined} onClick={page.open}>
          <IconMaximize size={18} aria-hidden="true" />
          {name}
        </Button>
      )}
      {Page && onWrite && <Page part={part} text={text} onWrite={onWrite} onClose={page.close} />}
    </div>
  )
}
