import { clsx } from 'clsx'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { EssayQuestion } from '#src/contract/question.ts'
import { ESSAY_MAX } from '#src/contract/sync.ts'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import field from '#src/ui/Field.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import type { AnswerProps } from './answerProps.ts'
import { ticksOf } from '../playerState.ts'
import classes from '../Player.module.css'
import { Reference } from './Reference.tsx'

export function Essay(props: AnswerProps<EssayQuestion>) {
  const { part, state, dispatch, shown, mode } = props
  // Opened by a tap the reference takes the focus of the button that is gone; resumed it does not.
  const [resumed] = useState(state.opened || shown)
  if (state.response.kind !== 'essay' || mode === 'recite') return null
  return (
    <div className={common.stack}>
      <label className={field.field}>
        <span className={common.strong}>我的作答</span>
        <textarea
          className={clsx(field.input, field.area)}
          rows={5}
          maxLength={ESSAY_MAX}
          value={state.response.text}
          readOnly={shown || mode === 'review'}
          onChange={(event) => dispatch({ type: 'write', part, text: event.currentTarget.value })}
        />
      </label>
      {!state.opened && !shown && mode !== 'exam' && (
        <Button look="light" onClick={() => dispatch({ type: 'open', part })}>
          看参考答案并自评
        </Button>
      )}
      {state.opened && !shown && <Reference part={part} focus={!resumed} />}
      {(state.opened || shown) && <Points {...props} ticked={state.response.ticked} />}
    </div>
  )
}

function Points({ part, dispatch, shown, ticked }: AnswerProps<EssayQuestion> & { ticked: readonly number[] }) {
  return (
    <fieldset className={common.stack}>
      <legend className={clsx(common.caption, classes.hint)}>{shown ? '采分点' : '对照采分点，勾出你答到的'}</legend>
      {ticksOf(part).map(({ html, score }, index) => {
        const got = ticked.includes(index)
        return (
          // Two points may read alike.
          <label key={index} className={classes.option} data-look={got ? (shown ? 'right' : 'picked') : 'plain'}>
            <input
              type="checkbox"
              className={common.cover}
              checked={got}
              disabled={shown}
              onChange={() => dispatch({ type: 'tick', part, index })}
            />
            <span className={classes.letter} aria-hidden="true">
              {got ? <IconCheck size={18} stroke={2.6} /> : index + 1}
            </span>
            <span className={classes.optionText}>
              <RichText html={html} inline />
            </span>
            <span className={classes.optionNote}>
              {score > 0 && `${score / 100} 分`}
              {shown && (got ? ' 答到' : ' 未答到')}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
