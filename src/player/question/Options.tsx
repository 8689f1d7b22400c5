import { mayStrike, takesOne } from '#src/domain/question/choice.ts'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { ChoiceQuestion } from '#src/contract/question.ts'
import common from '#src/ui/common.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import type { AnswerProps } from './answerProps.ts'
import { AfterMark } from './AfterMark.tsx'
import classes from '../Player.module.css'

const MARK = { size: 16, stroke: 2.6, 'aria-hidden': true }
type Look = 'plain' | 'picked' | 'right' | 'wrong'

export function Options({ part, state, dispatch, choose, shown, mode }: AnswerProps<ChoiceQuestion>) {
  const chosen = state.response.kind === 'choice' ? state.response.ids : []
  const one = takesOne(part)
  const strikes = !shown && mayStrike(part)
  return (
    <fieldset className={common.stack}>
      <legend className={unseen.unseen}>{one ? '选择一项' : '选择所有正确的项'}</legend>
      {part.options.map(({ id, html, why }, index) => {
        const isKey = part.key.includes(id)
        const picked = chosen.includes(id) && mode !== 'recite'
        const look: Look = !shown ? (picked ? 'picked' : 'plain') : isKey ? 'right' : picked ? 'wrong' : 'plain'
        const struck = strikes && state.struck?.includes(id)
        const letter = String.fromCharCode(65 + index)
        return (
          <div
            key={id}
            className={classes.row}
            data-struck={struck || undefined}
            data-strikes={strikes ? id : undefined}
          >
            <label className={classes.option} data-look={look}>
              <input
                className={common.cover}
                type={one ? 'radio' : 'checkbox'}
                name={part.no}
                checked={picked}
                disabled={shown || struck}
                onChange={() => {}}
                // A click that a key made has no detail and no place: arrows move through radios without deciding. One that the
                // label passes on from a tap on a wide formula has its place, in some browsers without the detail.
                onClick={({ detail, clientX }) => choose(part, id, detail === 0 && clientX === 0)}
              />
              <span className={classes.letter} aria-hidden="true">
                {letter}
              </span>
              <span className={unseen.unseen}>{letter}．</span>
              <span className={classes.optionText}>
                <RichText html={html} inline />
              </span>
              {shown && (isKey || picked) && (
                <span className={classes.optionNote}>
                  {isKey ? <IconCheck {...MARK} /> : <IconX {...MARK} />}
                  {isKey ? (picked ? '选对了' : '正确答案') : '你的选择'}
                </span>
              )}
            </label>
            {struck && (
              <button
                type="button"
                className={classes.restore}
                aria-label={`恢复 ${letter}`}
                onClick={() => dispatch({ type: 'strike', part, id })}
              >
                恢复
              </button>
            )}
            {shown && why && (
              <AfterMark>
                <div className={classes.why}>
                  <b className={common.caption}>{letter} 项解析</b>
                  <RichText html={why} />
                </div>
              </AfterMark>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
