import { answerText, keyText } from '#src/domain/question/types.ts'
import { clsx } from 'clsx'
import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react'
import { Suspense, useContext, useRef } from 'react'
import { AfterMark } from './AfterMark.tsx'
import type { EssayQuestion, PlainQuestion } from '#src/contract/question.ts'
import { isAnswered, practiceMark } from '#src/domain/question/marking.ts'
import common from '#src/ui/common.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import { optional } from '#src/ui/optional.ts'
import { InsightContext } from './insightContext.ts'
import { IntoView } from './IntoView.tsx'
import { type PartState, resultOf } from '../playerState.ts'
import { Reference } from './Reference.tsx'
import classes from '../Player.module.css'

const Causes = optional(() => import('../marks/BookPart.tsx').then((m) => m.Causes))

/** The mark that a student gave themself for an essay. */
export function selfMark(part: EssayQuestion, { response, right }: PartState): string {
  if (!isAnswered(response)) return '未作答，计 0 分'
  const { score, full } = practiceMark(part, response)
  if (part.scoring.length === 0) return right ? '自评 已掌握' : '自评 还没掌握'
  // Points may be worth nothing by themselves.
  if (full === 0) return `自评 ${response.kind === 'essay' ? response.ticked.length : 0}/${part.scoring.length} 个要点`
  return `自评 ${score / 100}/${full / 100} 分`
}

/** What became of a marked answer, in words. */
export function verdictText(part: PlainQuestion, state: PartState): string {
  if (part.type === 'essay') return selfMark(part, state)
  if (!isAnswered(state.response)) return '未作答'
  return { right: '回答正确', partial: '部分得分', wrong: '回答错误' }[resultOf(part, state)]
}

interface FeedbackProps {
  part: PlainQuestion
  analysis: string
  state: PartState
  recite: boolean
  /** The question was not marked when its student came to it: they wait for the verdict. */
  isAwaited: boolean
}

/** Right, partly right or wrong, the key, the analysis and where the question stands. */
export function Feedback({ part, analysis, state, recite, isAwaited }: FeedbackProps) {
  const key = keyText(part)
  const own = answerText(part, state.response)
  const look = resultOf(part, state)
  const insight = useContext(InsightContext)
  const verdict = useRef<HTMLParagraphElement>(null)
  return (
    <div className={clsx(common.stack, common.sunken, classes.feedback)} data-look={recite ? 'plain' : look}>
      {!recite && (
        <p ref={verdict} className={clsx(common.row, common.strong, classes.toned, classes.verdict)}>
          {look === 'right' ? <IconCircleCheckFilled size={22} /> : look === 'wrong' && <IconCircleXFilled size={22} />}
          {look === 'partial' && <b aria-hidden="true">½</b>}
          {verdictText(part, state)}
        </p>
      )}
      {!recite && look !== 'right' && isAnswered(state.response) && (
        <Suspense fallback={<div className={classes.causes} />}>
          <Causes part={part} />
        </Suspense>
      )}
      {key && (
        <p className={clsx(common.wrap, classes.keys)}>
          <span>
            正确答案 <strong>{key}</strong>
          </span>
          {!recite && own && (
            <span>
              你的答案 <strong className={classes.toned}>{own}</strong>
            </span>
          )}
        </p>
      )}
      {part.type === 'essay' && (recite || !part.composition) && <Reference part={part} />}
      <AfterMark>
        {isAwaited && <IntoView verdict={verdict} />}
        {(analysis || !('options' in part && part.options.some(({ why }) => why))) && (
          <>
            <h2 className={clsx(common.strong, classes.subheading)}>解析</h2>
            <RichText html={analysis || '<p>暂无解析。</p>'} />
          </>
        )}
        <Facts part={part} />
        {insight && <div className={clsx(common.wrap, classes.facts)}>{insight(part)}</div>}
      </AfterMark>
    </div>
  )
}

function Facts({ part }: { part: PlainQuestion }) {
  const source = [part.year > 0 ? `${part.year}年` : '', part.source].filter(Boolean).join(' ')
  return (
    <dl className={clsx(common.wrap, classes.facts)}>
      {part.points.length > 0 && (
        <div className={classes.fact}>
          <dt className={common.quiet}>知识点</dt>
          <dd>{part.points.map((point) => point.name).join('、')}</dd>
        </div>
      )}
      <div className={classes.fact}>
        <dt className={common.quiet}>难度</dt>
        <dd aria-label={`${part.difficulty} 星，最高 5 星`}>
          {'★'.repeat(part.difficulty) + '☆'.repeat(5 - part.difficulty)}
        </dd>
      </div>
      {source && (
        <div className={classes.fact}>
          <dt className={common.quiet}>来源</dt>
          <dd>{source}</dd>
        </div>
      )}
    </dl>
  )
}
