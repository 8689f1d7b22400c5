import { type Item, lookOf, type PlayerState, summary } from '#src/player/player.ts'
import { Button } from '#src/ui/Button.tsx'
import classes from './BatchSummary.module.css'

interface BatchSummaryProps {
  state: PlayerState
  onBack: () => void
  onAgain: () => void
  onLeave: () => void
  onReview: (wrong: Item[]) => void
}

/** How a batch went: accuracy, right, wrong, time; the wrong ones to look through again. */
export function BatchSummary({ state, onBack, onAgain, onLeave, onReview }: BatchSummaryProps) {
  const { right, wrong, total, spentMs } = summary(state)
  const answered = right + wrong
  const accuracy = answered === 0 ? 0 : Math.round((right / answered) * 100)
  const mistakes = state.items.filter((item) => lookOf(state, item) === 'wrong')
  const left = total - answered
  return (
    <section className={classes.summary} aria-labelledby="batch-summary">
      <h1 id="batch-summary">{state.mode === 'recite' ? '背题完成' : left > 0 ? '还有题没做完' : '本组完成'}</h1>
      <div className={classes.ring} style={{ '--part': `${accuracy}%` }}>
        <strong>{accuracy}%</strong>
        <span>正确率</span>
      </div>
      <dl className={classes.figures}>
        <Figure name="答对" value={right} tone="right" />
        <Figure name="答错" value={wrong} tone="wrong" />
        <Figure name="未做" value={left} />
        <Figure name="用时" value={timeText(spentMs)} />
      </dl>
      <div className={classes.actions}>
        {left > 0 && <Button onClick={onBack}>{state.mode === 'recite' ? '开始做题' : '继续做'}</Button>}
        {mistakes.length > 0 && (
          <Button look="light" tone="danger" onClick={() => onReview(mistakes)}>
            看 {mistakes.length} 道错题
          </Button>
        )}
        <Button look={left > 0 ? 'light' : 'filled'} onClick={onAgain}>
          再来一组
        </Button>
        <Button look="quiet" tone="plain" onClick={onLeave}>
          返回题库
        </Button>
      </div>
    </section>
  )
}

function Figure({ name, value, tone }: { name: string; value: number | string; tone?: 'right' | 'wrong' }) {
  return (
    <div data-tone={tone}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds}秒` : `${Math.floor(seconds / 60)}分${seconds % 60}秒`
}
