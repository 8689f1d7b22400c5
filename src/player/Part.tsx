import { IconCheck, IconX } from '@tabler/icons-react'
import { memo } from 'react'
import type { BlankQuestion, ChoiceQuestion, EssayQuestion, PlainQuestion } from '#src/contract/question.ts'
import { isAnswered, isRight } from '#src/domain/marking.ts'
import { RichText } from '#src/ui/RichText.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Feedback } from './Feedback.tsx'
import { marksOnTap, type Mode, type PartState, ticksOf } from './player.ts'
import field from '#src/ui/Field.module.css'
import classes from './Player.module.css'
import type { PlayerHandle } from './usePlayer.ts'

export const TYPE_NAMES: Record<PlainQuestion['type'] | 'composite', string> = {
  single: '单选题',
  multiple: '多选题',
  indefinite: '不定项',
  judge: '判断题',
  blank: '填空题',
  essay: '简答题',
  composite: '材料题',
}

interface PartProps extends Pick<PlayerHandle, 'dispatch' | 'choose' | 'confirm'> {
  part: PlainQuestion
  state: PartState
  mode: Mode
  /** 第2小题; empty for a question of its own. */
  label: string
  unsaved: boolean
}

/** One answerable question: its stem, the way to answer it, and, once marked or in recite mode, what is right and why. */
export const Part = memo(function Part(props: PartProps) {
  const { part, state, mode, label, unsaved, confirm } = props
  const shown = mode === 'recite' || state.right !== null
  return (
    <section className={classes.part} aria-label={label || undefined}>
      {label && (
        <p className={classes.partLabel}>
          {label} <span className={classes.type}>{TYPE_NAMES[part.type]}</span>
        </p>
      )}
      <RichText html={part.stem} />
      <Answering {...props} shown={shown} />
      {!shown && needsConfirm(part, state) && (
        <Button className={classes.confirm} disabled={!isAnswered(state.response)} onClick={() => confirm(part)}>
          {part.type === 'essay' ? '完成自评' : '确认答案'}
        </Button>
      )}
      {unsaved && (
        <div role="alert" className={classes.unsaved}>
          未保存：本机存储写入失败，答案还在这里。
          <Button small look="light" tone="danger" onClick={() => confirm(part)}>
            重试
          </Button>
        </div>
      )}
      {shown && <Feedback part={part} state={state} recite={mode === 'recite'} />}
    </section>
  )
})

/** A tap decides single and judge; their button is for who chose by keyboard. */
const needsConfirm = (part: PlainQuestion, state: PartState): boolean =>
  part.type === 'essay' ? state.opened : !marksOnTap(part) || isAnswered(state.response)

function Answering(props: PartProps & { shown: boolean }) {
  const { part } = props
  if (part.type === 'blank') return <Blanks {...props} part={part} />
  if (part.type === 'essay') return <Essay {...props} part={part} />
  return <Options {...props} part={part} />
}

function Options({ part, state, choose, shown, mode }: PartProps & { part: ChoiceQuestion; shown: boolean }) {
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
            <span className={classes.letter} aria-hidden="true">
              {shown && isKey ? (
                <IconCheck size={18} stroke={2.6} />
              ) : shown && picked ? (
                <IconX size={18} stroke={2.6} />
              ) : (
                String.fromCharCode(65 + index)
              )}
            </span>
            <span className={classes.hidden}>{String.fromCharCode(65 + index)}．</span>
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

function Blanks({ part, state, dispatch, confirm, shown, mode }: PartProps & { part: BlankQuestion; shown: boolean }) {
  const texts = state.response.kind === 'blank' ? state.response.texts : []
  if (mode === 'recite') return null
  return (
    <div className={classes.blanks}>
      {part.blanks.map((accepted, index) => {
        const own = { ...part, blanks: [accepted], unordered: false }
        const right =
          shown &&
          (part.unordered ? state.right === true : isRight(own, { kind: 'blank', texts: [texts[index] ?? ''] }))
        return (
          <label
            // Blanks have no identity but their place.
            key={index}
            className={field.field}
          >
            <span>第{index + 1}空</span>
            <input
              value={texts[index] ?? ''}
              readOnly={shown}
              data-look={shown ? (right ? 'right' : 'wrong') : undefined}
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

function Essay({ part, state, dispatch, shown, mode }: PartProps & { part: EssayQuestion; shown: boolean }) {
  if (state.response.kind !== 'essay' || mode === 'recite') return null
  const { text, ticked } = state.response
  return (
    <div className={classes.essay}>
      <label className={field.field}>
        <span>我的作答</span>
        <textarea
          rows={5}
          value={text}
          readOnly={shown}
          onChange={(event) => dispatch({ type: 'write', part, text: event.currentTarget.value })}
        />
      </label>
      {!state.opened && !shown && (
        <Button look="light" onClick={() => dispatch({ type: 'open', part })}>
          看参考答案并自评
        </Button>
      )}
      {(state.opened || shown) && (
        <>
          {!shown && <Reference part={part} />}
          <fieldset className={classes.options}>
            <legend className={classes.legend}>对照采分点，勾出你答到的</legend>
            {ticksOf(part).map(({ html, score }, index) => (
              // Two points may read alike.
              <label key={index} className={classes.option} data-look={ticked.includes(index) ? 'picked' : 'plain'}>
                <input
                  type="checkbox"
                  checked={ticked.includes(index)}
                  disabled={shown}
                  onChange={() => dispatch({ type: 'tick', part, index })}
                />
                <span className={classes.letter} aria-hidden="true">
                  {ticked.includes(index) ? <IconCheck size={18} stroke={2.6} /> : index + 1}
                </span>
                <span className={classes.optionText}>
                  <RichText html={html} inline />
                </span>
                {score > 0 && <span className={classes.optionNote}>{score / 100} 分</span>}
              </label>
            ))}
          </fieldset>
        </>
      )}
    </div>
  )
}

function Reference({ part }: { part: EssayQuestion }) {
  return (
    <div className={classes.reference}>
      <h3>参考答案</h3>
      <RichText html={part.reference || '<p>暂无参考答案，请对照教材自评。</p>'} />
    </div>
  )
}
