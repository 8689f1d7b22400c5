import { IconCheck, IconX } from '@tabler/icons-react'
import type { ChoiceQuestion } from '#src/contract/question.ts'
import { RichText } from '#src/ui/RichText.tsx'
import type { AnswerProps } from './answerProps.ts'
import { marksOnTap } from './player.ts'
import classes from './Player.module.css'

type Look = 'plain' | 'picked' | 'right' | 'wrong'

export function Options({ part, state, choose, shown, mode }: AnswerProps<ChoiceQuestion>) {
  const chosen = state.response.kind === 'choice' ? state.response.ids : []
  const one = marksOnTap(part)
  return (
    <fieldset className={classes.options}>
      <legend className={classes.hidden}>{one ? '选择一项' : '选择所有正确的项'}</legend>
      {part.options.map(({ id, html }, index) => {
        const isKey = part.key.includes(id)
        const picked = chosen.includes(id) && mode !== 'recite'
        const look = !shown ? (picked ? 'picked' : 'plain') : isKey ? 'right' : picked ? 'wrong' : 'plain'
        return (
          <label key={id} className={classes.option} data-look={look}>
            <input
              type={one ? 'radio' : 'checkbox'}
              name={part.no}
              checked={picked}
              disabled={shown}
              onChange={() => {}}
              // A click that a key made has no detail: arrows move through radios without deciding.
              onClick={(event) => choose(part, id, event.detail === 0)}
            />
            <Letter look={look} letter={String.fromCharCode(65 + index)} />
            <span className={classes.optionText}>
              <RichText html={html} inline />
            </span>
            {shown && (isKey || picked) && (
              <span className={classes.optionNote}>{isKey ? (picked ? '答对' : '正确答案') : '你选的'}</span>
            )}
          </label>
        )
      })}
    </fieldset>
  )
}

function Letter({ look, letter }: { look: Look; letter: string }) {
  return (
    <>
      <span className={classes.letter} aria-hidden="true">
        {look === 'right' ? (
          <IconCheck size={18} stroke={2.6} />
        ) : look === 'wrong' ? (
          <IconX size={18} stroke={2.6} />
        ) : (
          letter
        )}
      </span>
      <span className={classes.hidden}>{letter}．</span>
    </>
  )
}
