import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react'
import type { PlainQuestion } from '#src/contract/question.ts'
import { RichText } from '#src/ui/RichText.tsx'
import type { PartState } from './player.ts'
import classes from './Player.module.css'

/** The key as a student reads it. */
export function keyText(part: PlainQuestion): string {
  if (part.type === 'blank') return part.blanks.map((accepted) => accepted[0]).join('；')
  if (part.type === 'essay') return ''
  if (part.type === 'judge') return part.key[0] === 'A' ? '对' : '错'
  return letters(part, part.key)
}

const letters = (part: Extract<PlainQuestion, { options: unknown }>, ids: readonly string[]): string =>
  part.options.flatMap((option, i) => (ids.includes(option.id) ? [String.fromCharCode(65 + i)] : [])).join('')

function mine(part: PlainQuestion, { response }: PartState): string {
  if (response.kind === 'blank') return response.texts.map((text) => text || '（空）').join('；')
  if (response.kind === 'essay' || !('options' in part)) return ''
  return part.type === 'judge' ? (response.ids[0] === 'A' ? '对' : '错') : letters(part, response.ids)
}

interface FeedbackProps {
  part: PlainQuestion
  state: PartState
  recite: boolean
}

/** Right or wrong, the key, the analysis and where the question stands. */
export function Feedback({ part, state, recite }: FeedbackProps) {
  const key = keyText(part)
  const own = mine(part, state)
  return (
    <div className={classes.feedback} data-look={recite ? 'plain' : state.right ? 'right' : 'wrong'}>
      {!recite && (
        <p className={classes.verdict}>
          {state.right ? <IconCircleCheckFilled size={22} /> : <IconCircleXFilled size={22} />}
          {state.right ? '回答正确' : part.type === 'essay' ? '还有要点没答到' : '回答错误'}
        </p>
      )}
      {key && (
        <p className={classes.keys}>
          <span>
            正确答案 <strong>{key}</strong>
          </span>
          {!recite && own && (
            <span>
              我的答案 <strong data-look={state.right ? 'right' : 'wrong'}>{own}</strong>
            </span>
          )}
        </p>
      )}
      {part.type === 'essay' && (
        <div className={classes.reference}>
          <h3>参考答案</h3>
          <RichText html={part.reference || '<p>暂无参考答案，请对照教材自评。</p>'} />
        </div>
      )}
      <h3>解析</h3>
      <RichText html={part.analysis || '<p>暂无解析。</p>'} />
      <Facts part={part} />
    </div>
  )
}

function Facts({ part }: { part: PlainQuestion }) {
  const source = [part.year > 0 ? `${part.year}年` : '', part.source].filter(Boolean).join(' ')
  return (
    <dl className={classes.facts}>
      {part.points.length > 0 && (
        <div>
          <dt>知识点</dt>
          <dd>{part.points.map((point) => point.name).join('、')}</dd>
        </div>
      )}
      <div>
        <dt>难度</dt>
        <dd aria-label={`${part.difficulty} 级，最高 5 级`}>
          {'★'.repeat(part.difficulty) + '☆'.repeat(5 - part.difficulty)}
        </dd>
      </div>
      {source && (
        <div>
          <dt>来源</dt>
          <dd>{source}</dd>
        </div>
      )}
    </dl>
  )
}
