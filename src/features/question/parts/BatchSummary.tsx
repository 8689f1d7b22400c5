import { clsx } from 'clsx'
import { Suspense } from 'react'
import type { Source } from '#src/contract/study.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { selfMark } from '#src/player/question/Feedback.tsx'
import { type Item, lookOf, type Mode, type PlayerState, partState, summary } from '#src/player/playerState.ts'
import { focusOn } from '#src/player/useFocus.ts'
import outcome from '#src/sitting/Outcome.module.css'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { useAtTop } from '#src/ui/list/useAtTop.ts'
import { optional } from '#src/ui/optional.ts'
import { mayDrop } from '../mayDrop.ts'
import type { BatchPart } from '../practice/batchPart.ts'
import classes from './BatchSummary.module.css'
import { NextChapter, type NextChapterProps } from './NextChapter.tsx'
import { PartResults } from './PartResults.tsx'

const DownloadOffer = optional(() => import('../downloads/DownloadOffer.tsx').then((m) => m.DownloadOffer))
const InstallOffer = optional(() => import('#src/install/guide/InstallOffer.tsx').then((m) => m.InstallOffer))

const AfterBatch = optional(() => import('./AfterBatch.tsx').then((m) => m.AfterBatch))

interface BatchSummaryProps {
  state: PlayerState
  from: Source
  /** Empty: it has none. */
  parts: readonly BatchPart[]
  /** To what is left to do. */
  onBack: () => void
  /** To an essay that the student has not marked, at its place. */
  onEssay: (at: number) => void
  /** To all that was handed in, from the first. */
  onAll: () => void
  onAgain: () => void
  onLeave: () => void
  /** Where that leads; else by where the questions are from. */
  wayBack?: string | undefined
  onReview: (marked: Item[]) => void
  /** To do these once more. */
  onRedo: (items: Item[]) => void
  next?: NextChapterProps | undefined
}

/** Where its questions were chosen. */
const WAY_BACK: Partial<Record<Source, string>> = {
  error: '返回我的错题',
  collect: '返回我的收藏',
  note: '返回我的笔记',
}

/** How a batch went: accuracy, right, wrong, time; what was not wholly right, and essays, to look through again. */
export function BatchSummary({
  state,
  from,
  parts,
  onBack,
  onEssay,
  onAll,
  onAgain,
  onLeave,
  wayBack,
  onReview,
  onRedo,
  next,
}: BatchSummaryProps) {
  useAtTop()
  const { right, partial, wrong, started, untouched, spentMs } = summary(state)
  const left = started + untouched
  const review = state.mode === 'review'
  const blank = state.items.filter((item) => isBlank(state, item)).length
  const answered = right + partial + wrong - blank
  const accuracy = answered === 0 ? null : Math.round((right / answered) * 100)
  const open = openEssays(state)
  const mistakes = state.items.filter((item) => ['partial', 'wrong'].includes(lookOf(state, item)))
  return (
    <section className={clsx(common.stack, outcome.outcome, classes.summary)} aria-labelledby="batch-summary">
      <h1 id="batch-summary" ref={focusOn} tabIndex={-1} className={clsx(common.title, outcome.heading)}>
        {titleOf(state, left, open.length)}
      </h1>
      <div className={classes.ring} style={{ '--part': `${accuracy ?? 0}%` }}>
        <strong className={clsx(common.figures, classes.accuracy)}>{accuracy === null ? '—' : `${accuracy}%`}</strong>
        <span className={common.note}>正确率</span>
      </div>
      <dl className={clsx(common.sunken, classes.results)}>
        <Figure name="答对" value={right} tone="right" />
        {partial > 0 && <Figure name="部分得分" value={partial} tone="warm" />}
        <Figure name="答错" value={wrong - blank} tone="wrong" />
        <Figure name="未做" value={review ? blank : left - open.length} />
        {open.length > 0 && <Figure name="待自评" value={open.length} />}
        <Figure name="用时" value={timeText(spentMs)} />
      </dl>
      {parts.length > 0 && <PartResults state={state} parts={parts} />}
      {state.mode !== 'recite' && (
        /* Its place is there before it is: little moves under a finger. */
        <div className={clsx(common.stack, classes.after)}>
          <Suspense>
            <AfterBatch state={state} from={from} />
          </Suspense>
        </div>
      )}
      <SelfMarks state={state} open={open} onReview={onReview} onEssay={onEssay} />
      <div className={common.stack}>
        {left > 0 && <Button onClick={onBack}>{GO_ON[state.mode] ?? '继续做'}</Button>}
        {review && (
          <Button look="light" onClick={onAll}>
            查看全部解析
          </Button>
        )}
        <Button
          look={left > 0 ? 'light' : 'filled'}
          onClick={() => void mayDrop(state).then((yes) => yes && onAgain())}
        >
          再来一组
        </Button>
        {left === 0 && next && <NextChapter {...next} />}
        {mistakes.length > 0 && (
          <div className={classes.mistakes}>
            <Button look="light" onClick={() => onReview(mistakes)}>
              回看 {mistakes.length} 道错题
            </Button>
            {left === 0 && (
              <Button look="light" onClick={() => onRedo(mistakes)}>
                错题再做一遍
              </Button>
            )}
          </div>
        )}
        <Button look="quiet" tone="plain" onClick={onLeave}>
          {wayBack ?? WAY_BACK[from] ?? '返回题库'}
        </Button>
      </div>
      {left === 0 && (
        <Suspense>
          {/* One thing at a time is asked of a student who has just finished. */}
          <DownloadOffer>
            <InstallOffer />
          </DownloadOffer>
        </Suspense>
      )}
    </section>
  )
}

const GO_ON: Partial<Record<Mode, string>> = { recite: '开始做题', review: '自评主观题' }

/** Places of essays that were written and not marked: what the student gave themself counts for nothing before. */
const openEssays = (state: PlayerState): number[] =>
  state.mode === 'recite'
    ? []
    : state.items.flatMap(({ part }, at) => {
        const { right, response, opened } = partState(state, part)
        const isOpen = right === null && (opened || isAnswered(response) || state.mode === 'review')
        return part.type === 'essay' && isOpen ? [at] : []
      })

function titleOf({ mode }: PlayerState, left: number, open: number): string {
  if (mode === 'recite') return '背题完成'
  if (mode === 'review') return left > 0 ? '已交卷，还有主观题待自评' : '已交卷'
  if (left === 0) return '本组完成'
  return left === open ? '还有主观题待自评' : `本组小结 · 还剩 ${left} 题`
}

/** Handed in without an answer: it shows as wrong, but is not recorded. */
function isBlank(state: PlayerState, { part }: Item): boolean {
  const { right, response } = partState(state, part)
  return right === false && !isAnswered(response)
}

/** What the student gave themself for each essay; a tap shows it again, and leads back to one without a mark. */
function SelfMarks({
  state,
  open,
  onReview,
  onEssay,
}: Pick<BatchSummaryProps, 'state' | 'onReview' | 'onEssay'> & { open: readonly number[] }) {
  const marks = state.items.flatMap((item, at) => {
    const own = partState(state, item.part)
    return item.part.type === 'essay' && own.right !== null && !isBlank(state, item)
      ? [{ at, text: selfMark(item.part, own), show: () => onReview([item]) }]
      : open.includes(at)
        ? [{ at, text: '待自评，去评分', show: () => onEssay(at) }]
        : []
  })
  if (marks.length === 0) return null
  return (
    <ul>
      {marks.map(({ at, text, show }) => (
        <li key={at}>
          <button type="button" className={clsx(common.between, classes.mark)} onClick={show}>
            第{at + 1}题 <strong>{text}</strong>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Figure({ name, value, tone }: { name: string; value: number | string; tone?: 'right' | 'warm' | 'wrong' }) {
  return (
    <div>
      <dt className={common.caption}>{name}</dt>
      <dd className={clsx(common.heading, common.strong, common.figures, tone && common[tone], classes.result)}>
        {value}
      </dd>
    </div>
  )
}

function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds}秒` : `${Math.floor(seconds / 60)}分${seconds % 60}秒`
}
