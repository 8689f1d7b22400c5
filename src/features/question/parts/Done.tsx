import { clsx } from 'clsx'
import { useState } from 'react'
import { focusOn } from '#src/player/useFocus.ts'
import outcome from '#src/sitting/Outcome.module.css'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { describe, loadSetup, resetSetup } from '../setup.ts'
import { NextChapter, type NextChapterProps } from './NextChapter.tsx'
import { SetupSheet } from './SetupSheet.tsx'

interface DoneProps {
  no: string
  onWrong: () => void
  onRound: () => void
  /** Of so many, as the set-up says now. */
  onNew: (size: number | null) => void
  onLeave: () => void
  onNext: NextChapterProps['onGo']
}

const WHY = clsx(common.quiet, outcome.why)

/** Nothing of what was asked for is left. */
export function Done({ no, onWrong, onRound, onNew, onLeave, onNext }: DoneProps) {
  const [open, setOpen] = useState(false)
  const chosen = describe(loadSetup(no))
  return (
    <section className={clsx(common.stack, outcome.outcome)}>
      <h1 ref={focusOn} tabIndex={-1} className={clsx(common.title, outcome.heading)}>
        {chosen === '' ? '本章已全部做完' : '没有符合练习设置的题了'}
      </h1>
      {chosen !== '' && <p className={WHY}>当前设置：{chosen}</p>}
      <p className={WHY}>可以只看做错的题，也可以从头再做一遍。做题记录都会保留。</p>
      {chosen !== '' && (
        <Button
          onClick={() => {
            resetSetup(no)
            onNew(null)
          }}
        >
          恢复默认设置
        </Button>
      )}
      <Button look={chosen === '' ? 'filled' : 'light'} onClick={onWrong}>
        只做错题
      </Button>
      <NextChapter no={no} onGo={onNext} />
      <Button look="light" onClick={onRound}>
        再做一遍
      </Button>
      <Button look="light" onClick={() => setOpen(true)}>
        练习设置
      </Button>
      <Button look="quiet" tone="plain" onClick={onLeave}>
        返回题库
      </Button>
      {open && <SetupSheet no={no} onStart={onNew} onClose={() => setOpen(false)} />}
    </section>
  )
}
