import { clsx } from 'clsx'
import { IconCheck } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import type { EssayQuestion } from '#src/contract/question.ts'
import { ESSAY_MAX } from '#src/contract/sync.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import field from '#src/ui/Field.module.css'
import { optional } from '#src/ui/optional.ts'
import { RichText } from '#src/ui/text/RichText.tsx'
import type { AnswerProps } from './answerProps.ts'
import { ticksOf } from '../playerState.ts'
import classes from '../Player.module.css'
import { Reference } from './Reference.tsx'

const Writing = optional(() => import('../composition/essayParts.ts').then((m) => m.Writing))

export function Essay(props: AnswerProps<EssayQuestion>) {
  const { part, state, dispatch, shown, mode } = props
  // Opened by a tap the reference takes the focus of the button that is gone; resumed it does not.
  const [resumed] = useState(state.opened || shown)
  const area = useRef<HTMLTextAreaElement>(null)
  if (state.response.kind !== 'essay' || mode === 'recite') return null
  const { text, ticked } = state.response
  const { composition } = part
  const isOpen = state.opened || shown
  const isClosed = shown || mode === 'review'
  const write = (written: string) => dispatch({ type: 'write', part, text: written })
  const own = (
    <>
      <label className={field.field}>
        <span className={common.strong}>{composition ? '我的作文' : '我的作答'}</span>
        <textarea
          ref={area}
          className={clsx(field.input, field.area)}
          rows={5}
          maxLength={ESSAY_MAX}
          value={text}
          readOnly={isClosed}
          onChange={(event) => write(event.currentTarget.value)}
        />
      </label>
      <Suspense fallback={<div className={classes.writing} />}>
        <Writing part={part} text={text} area={area} onWrite={isClosed ? undefined : write} />
      </Suspense>
    </>
  )
  return (
    <div className={common.stack}>
      <div className={clsx(common.stack, composition && isOpen && classes.beside)}>
        <div className={clsx(common.column, classes.own)}>{own}</div>
        {composition && isOpen && <Reference part={part} focus={!resumed} />}
      </div>
      {!state.opened && !shown && mode !== 'exam' && (
        <Button look="light" onClick={() => dispatch({ type: 'open', part })}>
          {composition ? '看评分标准和范文，给自己打分' : '看参考答案并自评'}
        </Button>
      )}
      {state.opened && !shown && !composition && <Reference part={part} focus={!resumed} />}
      {isOpen && <Points {...props} ticked={ticked} />}
    </div>
  )
}

function Points({ part, dispatch, shown, ticked }: AnswerProps<EssayQuestion> & { ticked: readonly number[] }) {
  return (
    <fieldset className={common.stack}>
      <legend className={clsx(common.caption, classes.hint)}>{pointsHint(part, shown)}</legend>
      {ticksOf(part).map(({ html, score }, index) => {
        const got = ticked.includes(index)
        return (
          // Two points may read alike.
          <label key={index} className={classes.option} data-look={got ? (shown ? 'right' : 'picked') : 'plain'}>
            <input
              type={part.composition?.graded ? 'radio' : 'checkbox'}
              name={`points of ${part.no}`}
              className={common.cover}
              checked={got}
              disabled={shown}
              onChange={() => dispatch({ type: 'tick', part, index })}
              // A grade that is chosen changes no more by a tap: it is let go.
              onClick={() => got && part.composition?.graded && dispatch({ type: 'tick', part, index })}
            />
            <span className={classes.letter} aria-hidden="true">
              {got ? <IconCheck size={18} stroke={2.6} /> : index + 1}
            </span>
            <span className={classes.optionText}>
              <RichText html={html} inline />
            </span>
            <span className={classes.optionNote}>
              {score > 0 && `${score / 100} 分`}
              {shown && gotText(part, got)}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

function pointsHint({ composition }: EssayQuestion, shown: boolean): string {
  if (!composition) return shown ? '采分点' : '对照采分点，勾选你答到的要点'
  if (shown) return '评分标准'
  return composition.graded ? '对照评分标准，选你这篇所在的等级' : '对照评分标准，勾选你做到的要点'
}

function gotText({ composition }: EssayQuestion, got: boolean): string {
  if (composition?.graded) return got ? ' 这一等' : ''
  const done = composition ? '做到' : '答到'
  return got ? ` ${done}` : ` 未${done}`
}
