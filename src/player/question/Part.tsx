import { clsx } from 'clsx'
import { reload } from '#src/ui/dialog/newPage.ts'
import { takesOne } from '#src/domain/question/choice.ts'
import { type ComponentType, memo, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import type { PlainQuestion } from '#src/contract/question.ts'
import { unkeptWords } from '#src/domain/app/failureWords.ts'
import { typeName } from '#src/domain/question/typeName.ts'
import { isAnswered } from '#src/domain/question/marking.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import type { AnswerProps } from './answerProps.ts'
import type { Unsaved } from '../usePlayer.ts'
import { PlaceContext } from '../pane/placeContext.ts'
import { Blanks } from './Blanks.tsx'
import { Essay } from './Essay.tsx'
import { Feedback } from './Feedback.tsx'
import { Options } from './Options.tsx'
import { Ordering } from './Ordering.tsx'
import type { PartState } from '../playerState.ts'
import classes from '../Player.module.css'

interface PartProps extends Omit<AnswerProps<PlainQuestion>, 'shown'> {
  /** Which of its material’s sub-questions it is; empty for a question of its own. */
  label: string
  /** Its own, else its material’s. */
  analysis: string
  unsaved: Unsaved | null
}

/** Each type is answered by its own component. */
const ANSWERING: {
  [Type in PlainQuestion['type']]: ComponentType<AnswerProps<Extract<PlainQuestion, { type: Type }>>>
} = {
  single: Options,
  multiple: Options,
  indefinite: Options,
  judge: Options,
  blank: Blanks,
  essay: Essay,
  order: Ordering,
}

/** One answerable question: its stem, the way to answer it, and, once marked or in recite mode, what is right and why. */
export const Part = memo(function Part(props: PartProps) {
  const { part, state, mode, label, analysis, unsaved, confirm } = props
  const shown = mode === 'recite' || state.right !== null
  const place = useContext(PlaceContext)
  // Not so for who comes back to a marked question, nor for a paper that is handed in as a whole.
  const [isAwaited] = useState(state.right === null && mode !== 'exam')
  const feedback = shown && (
    <Feedback part={part} analysis={analysis} state={state} recite={mode === 'recite'} isAwaited={isAwaited} />
  )
  // The compiler does not see that the type which chose it is the part's own.
  const Answering = ANSWERING[part.type] as ComponentType<AnswerProps<PlainQuestion>>
  return (
    <section className={clsx(common.column, classes.part)} aria-label={label || undefined}>
      {label && (
        <p className={common.strong}>
          {label} <span className={common.note}>{typeName(part)}</span>
        </p>
      )}
      <div className={'options' in part ? classes.stem : undefined}>
        <RichText html={part.stem} />
      </div>
      <Answering {...props} shown={shown} />
      {!shown && mode !== 'exam' && needsConfirm(part, state) && (
        <Button
          className={staysInReach(part, state) ? classes.confirm : undefined}
          data-bottom-bar
          disabled={mode !== 'review' && !isAnswered(state.response)}
          onClick={() => confirm(part)}
        >
          {confirmText(part, state)}
        </Button>
      )}
      {unsaved && (
        <div role="alert" className={clsx(common.wrap, common.sunken, common.wrong, classes.unsaved)}>
          {unsaved === 'lost' ? (
            <>
              未保存：本地存储已断开，请刷新页面，再答这道题。
              <Button small look="light" tone="danger" onClick={reload}>
                刷新
              </Button>
            </>
          ) : state.right === null ? (
            <>
              未保存：{unkeptWords({ kind: unsaved }, '答案还在这里')}。
              <Button small look="light" tone="danger" onClick={() => confirm(part)}>
                重试
              </Button>
            </>
          ) : (
            '未保存：当前浏览器不保存做题记录。'
          )}
        </div>
      )}
      {place && feedback ? createPortal(feedback, place) : feedback}
    </section>
  )
})

/** A tap decides single and judge; their button is for who chose by keyboard. */
const needsConfirm = (part: PlainQuestion, state: PartState): boolean =>
  part.type === 'essay' ? state.opened : !takesOne(part) || isAnswered(state.response)

/** Tells whether 确认答案 sticks above the foot: an essay's answer to compare with, or the last row of an order that nobody has moved yet, must not lie under it. */
const staysInReach = ({ type }: PlainQuestion, { response }: PartState): boolean =>
  type !== 'essay' && (type !== 'order' || isAnswered(response))

/** Nothing ticked counts as nothing earned: no tap does that unawares. */
function confirmText(part: PlainQuestion, { response }: PartState): string {
  if (response.kind !== 'essay' || part.type !== 'essay') return '确认答案'
  if (response.ticked.length > 0) return '完成自评'
  if (part.composition?.graded) return '未达最低等级，计 0 分'
  if (part.composition && part.scoring.length > 0) return '均未做到，计 0 分'
  return part.scoring.length > 0 ? '均未答到，计 0 分' : '还没掌握，完成自评'
}
