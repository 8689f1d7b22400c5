import { clsx } from 'clsx'
import { useContext, useLayoutEffect, useRef } from 'react'
import type { EssayQuestion } from '#src/contract/question.ts'
import { ESSAY_MAX } from '#src/contract/sync.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { RichText } from '#src/ui/text/RichText.tsx'
import { ClockContext } from '../clockContext.ts'
import classes from './Composition.module.css'
import { keepLineInSight } from './caret.ts'
import { Counter } from './Counter.tsx'
import { useSeenHeight } from './useSeenHeight.ts'

interface WritingPageProps {
  part: EssayQuestion
  text: string
  onWrite: (text: string) => void
  onClose: () => void
}

/** The whole screen to write on. What is written goes to the question at once, which keeps it as ever. */
export function WritingPage({ part, text, onWrite, onClose }: WritingPageProps) {
  const clock = useContext(ClockContext)
  const area = useRef<HTMLTextAreaElement>(null)
  useSeenHeight(area)
  // One goes on writing where the text ends.
  useLayoutEffect(() => {
    const end = area.current?.value.length ?? 0
    area.current?.setSelectionRange(end, end)
  }, [])
  return (
    <Dialog title={part.composition ? '全屏写作' : '全屏作答'} onClose={onClose} full width={880}>
      <div className={classes.page}>
        <div className={classes.head}>
          <details className={classes.prompt} onToggle={() => area.current && keepLineInSight(area.current)}>
            <summary className={clsx(common.strong, classes.fold)}>题目和要求</summary>
            <RichText html={part.stem} />
          </details>
          {clock}
        </div>
        <textarea
          ref={area}
          data-autofocus
          aria-label={part.composition ? '我的作文' : '我的作答'}
          className={classes.paper}
          maxLength={ESSAY_MAX}
          value={text}
          onChange={(event) => onWrite(event.currentTarget.value)}
        />
        <div className={clsx(common.between, classes.foot)}>
          <Counter part={part} text={text} />
          <Button className={common.fixed} onClick={onClose}>
            完成
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
