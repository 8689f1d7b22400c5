import type { BlankQuestion } from '#src/contract/question.ts'
import { BLANK_MAX } from '#src/contract/sync.ts'
import { rightBlanks } from '#src/domain/question/blank.ts'
import common from '#src/ui/common.module.css'
import field from '#src/ui/Field.module.css'
import type { AnswerProps } from './answerProps.ts'

export function Blanks({ part, state, dispatch, confirm, shown, mode }: AnswerProps<BlankQuestion>) {
  const texts = state.response.kind === 'blank' ? state.response.texts : []
  if (mode === 'recite') return null
  const rights = shown ? rightBlanks(part, texts) : []
  return (
    <div className={common.stack}>
      {part.blanks.map((_, index) => {
        const right = rights[index]
        return (
          <label
            // Blanks have no identity but their place.
            key={index}
            className={field.field}
          >
            <span className={common.strong}>
              第{index + 1}空{shown && (right ? ' ✓ 对' : ' ✕ 错')}
            </span>
            <input
              className={field.input}
              value={texts[index] ?? ''}
              maxLength={BLANK_MAX}
              readOnly={shown}
              data-look={shown ? (right ? 'right' : 'wrong') : undefined}
              aria-invalid={shown && !right}
              autoComplete="off"
              autoCapitalize="off"
              onChange={(event) => dispatch({ type: 'fill', part, index, text: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.nativeEvent.isComposing) confirm(part)
              }}
            />
          </label>
        )
      })}
    </div>
  )
}
