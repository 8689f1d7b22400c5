import { IconLock } from '@tabler/icons-react'
import type { Paper } from '#src/contract/questionSet.ts'
import { marksText, type Tally } from '#src/domain/paper.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { type Item, lookOf, type PlayerState, partState, summary } from '#src/player/player.ts'
import { focusOn } from '#src/player/useFocus.ts'
import { Button } from '#src/ui/Button.tsx'
import { resultOfSitting } from '../sitting.ts'
import classes from '../Paper.module.css'
import { useAtTop } from './useAtTop.ts'

interface PaperReportProps {
  paper: Paper
  state: PlayerState
  onGo: (at: number) => void
  /** Back to what is not done. */
  onMore: () => void
  onReview: (items: Item[]) => void
  onAgain: () => void
  onLeave: () => void
}

/** How a paper went: marks by section and by type, what to look at again, what is locked. */
export function PaperReport({ paper, state, onGo, onMore, onReview, onAgain, onLeave }: PaperReportProps) {
  useAtTop()
  const result = resultOfSitting(paper, state)
  const { spentMs, untouched, started } = summary(state)
  const review = state.mode === 'review'
  const essays = state.items.findIndex(({ part }) => part.type === 'essay' && partState(state, part).right === null)
  const wrong = state.items.filter((item) => ['partial', 'wrong'].includes(lookOf(state, item)))
  const left = review ? 0 : untouched + started
  return (
    <section className={classes.report} aria-labelledby="paper-report">
      <h1 id="paper-report" ref={focusOn} tabIndex={-1}>
        {review ? '成绩报告' : state.mode === 'recite' ? '背题完成' : left > 0 ? '还有题没做完' : '本卷完成'}
      </h1>
      <p className={classes.paperTitle}>{paper.title}</p>
      <p className={classes.score} aria-label={`得分 ${marksText(result.score)}，满分 ${marksText(result.full)}`}>
        <strong>{marksText(result.score)}</strong> / {marksText(result.full)} 分
      </p>
      <p className={classes.note}>
        答对 {result.right}/{result.total} 题 · 已答 {result.answered} 题 · 用时{' '}
        {Math.max(1, Math.round(spentMs / 60_000))} 分钟
      </p>
      {review && essays >= 0 && <p className={classes.warm}>主观题由你对照采分点自评，评完计入总分。</p>}
      {paper.locked > 0 && (
        <p className={classes.warm}>
          <IconLock size={18} aria-hidden="true" />
          试做到这里：这一套还有 {paper.locked} 题未解锁，成绩只按试做的题计算。购买即将开放。
        </p>
      )}
      <Table name="大题" rows={result.bySection.map((row) => ({ ...row, name: row.title }))} />
      <Table name="题型" rows={result.byType.map((row) => ({ ...row, name: TYPE_NAMES[row.type] }))} />
      <div className={classes.actions}>
        {left > 0 && <Button onClick={onMore}>{state.mode === 'recite' ? '开始做题' : '继续做'}</Button>}
        {review && essays >= 0 && <Button onClick={() => onGo(essays)}>自评主观题</Button>}
        {wrong.length > 0 && (
          <Button look="light" tone="danger" onClick={() => onReview(wrong)}>
            看 {wrong.length} 道没全对的题
          </Button>
        )}
        {review && (
          <Button look="light" onClick={() => onGo(0)}>
            看全部解析
          </Button>
        )}
        <Button look="light" onClick={onAgain}>
          再做一遍
        </Button>
        <Button look="quiet" tone="plain" onClick={onLeave}>
          返回题集
        </Button>
      </div>
    </section>
  )
}

function Table({ name, rows }: { name: string; rows: (Tally & { name: string })[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <th scope="col">答对</th>
          <th scope="col">得分</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td>
              {row.right}/{row.total}
            </td>
            <td>
              {marksText(row.score)}/{marksText(row.full)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
