import { clsx } from 'clsx'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { useCallback } from 'react'
import type { PlainQuestion } from '#src/contract/question.ts'
import type { StudyState } from '#src/contract/study.ts'
import { CAUSES } from '#src/contract/sync.ts'
import { CAUSE_NAMES, isOpen, isStubborn, leftOf } from '#src/domain/study/errorBook.ts'
import { isUnfailed } from '#src/domain/study/lapses.ts'
import { planSettings } from '#src/domain/study/plan.ts'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import common from '#src/ui/common.module.css'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { putBack, ruleIn, setCause, settingsHere, takeOut } from './bookActs.ts'
import pill from '../Pill.module.css'
import classes from './Book.module.css'
import { History } from './History.tsx'

const ACT = clsx(pill.pill, pill.plain)

interface BookPartProps {
  part: PlainQuestion
  /** It has just been answered: the last answer stands above already. */
  marked: boolean
}

/** Under a marked question: its place in the error book, and what the student answered before. */
export function BookPart({ part, marked }: BookPartProps) {
  const book = useInBook(part.no)
  if (!book) return null
  const { state, rule, lapseShare } = book
  if (!state.book) return marked && lapseShare > 0 && isUnfailed(state) ? <Guessed state={state} /> : null
  const open = isOpen(state, rule)
  return (
    <section className={clsx(common.column, classes.part)} aria-label="错题本">
      {isStubborn(state, rule) && <Stubborn wrong={state.wrong} points={part.points.map(({ name }) => name)} />}
      <p className={clsx(common.between, classes.line)}>
        <span>{placeText(state, rule)}</span>
        <button type="button" className={ACT} onClick={() => tell(open ? takeOut(state) : putBack(state, rule))}>
          {open ? '移出错题本' : '移回错题本'}
        </button>
      </p>
      <History part={part} state={state} before={marked} />
    </section>
  )
}

/** A guess was right this time: who asks for what may be forgotten gets it back sooner. */
const Guessed = ({ state }: { state: StudyState }) => (
  <p className={clsx(common.wrap, classes.part)}>
    <button
      type="button"
      className={ACT}
      aria-pressed={state.cause === 'guess'}
      onClick={() => tell(setCause(state, state.cause === 'guess' ? '' : 'guess'))}
    >
      蒙对的
    </button>
    <span className={common.note}>标记后，这道题会早些回来让你再做一遍。</span>
  </p>
)

/** What helps more than doing it once more. */
const Stubborn = ({ wrong, points }: { wrong: number; points: readonly string[] }) => (
  <p className={classes.stubborn}>
    <b className={common.warm}>顽固题</b> 已错 {wrong} 次。先看懂解析，把错在哪里写进笔记，
    {points.length > 0 ? `再回教材看“${points.join('、')}”，把同考点的错题一起练。` : '再回教材看这一节。'}
  </p>
)

/** 再答对 N 次自动移出, or where else it stands. */
export function placeText(state: StudyState, rule: number): string {
  if (!isOpen(state, rule)) return state.book?.out ? '已移出错题本' : `已消灭：连续答对 ${state.book?.rights ?? 0} 次`
  const left = leftOf(state, rule)
  return left === null ? '在错题本里，由你手动移出' : `在错题本里，再答对 ${left} 次自动移出`
}

/** 错因, right under the verdict: what is tapped while the mistake is fresh. Its place is there before it is. */
export function Causes({ part }: { part: PlainQuestion }) {
  const { state, rule } = useInBook(part.no) ?? {}
  if (!state || rule === undefined || !isOpen(state, rule)) return <div className={classes.causes} />
  return (
    <div className={clsx(common.wrap, classes.causes)} role="group" aria-label="错因">
      <span className={clsx(common.small, common.quiet)} aria-hidden="true">
        错因
      </span>
      {CAUSES.map((cause) => (
        <button
          key={cause}
          type="button"
          className={clsx(ACT, classes.cause)}
          aria-pressed={state.cause === cause}
          onClick={() => tell(setCause(state, state.cause === cause ? '' : cause))}
        >
          {CAUSE_NAMES[cause]}
        </button>
      ))}
    </div>
  )
}

const tell = (kept: Promise<unknown>): void =>
  void kept.catch((error: unknown) => feedback.toast(`未保存：${unkeptWords(error)}`))

/** What the record says of a question, as it changes. Null until read. */
function useInBook(no: string): { state: StudyState; rule: number; lapseShare: number } | null {
  const read = useCallback(async () => {
    const [states, settings] = await Promise.all([offline.states([no]), settingsHere()])
    const state = states.get(no)
    return state ? { state, rule: ruleIn(settings), lapseShare: planSettings(settings).lapseShare } : null
  }, [no])
  const touches = useCallback((changed: string) => changed === no, [no])
  return useRecord(read, touches).data
}
