import { IconMaximize } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { type RefObject, useRef, useState } from 'react'
import type { EssayQuestion } from '#src/contract/question.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import classes from './Composition.module.css'
import { Counter } from './Counter.tsx'
import { useKeyboard } from './useKeyboard.ts'
import { WritingPage } from './WritingPage.tsx'

interface WritingProps {
  part: EssayQuestion
  text: string
  /** The text is written there. */
  area: RefObject<HTMLTextAreaElement | null>
  /** Left out where nothing more is written. */
  onWrite?: ((text: string) => void) | undefined
}

/** Below what a student writes: how long it is, and the way to write it on the whole screen. */
export function Writing({ part, text, area, onWrite }: WritingProps) {
  const name = part.composition ? '全屏写作' : '全屏作答'
  const [isWhole, setWhole] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  useKeyboard(area, row)
  return (
    <div ref={row} className={clsx(common.between, classes.writing)}>
      <Counter part={part} text={text} />
      {onWrite && (
        <Button small look="light" onClick={() => setWhole(true)}>
          <IconMaximize size={18} aria-hidden="true" />
          {name}
        </Button>
      )}
      {isWhole && onWrite && <WritingPage part={part} text={text} onWrite={onWrite} onClose={() => setWhole(false)} />}
    </div>
  )
}
