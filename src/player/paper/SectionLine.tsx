import { clsx } from 'clsx'
import type { ExamPaper } from '#src/contract/exam.ts'
import type { Paper } from '#src/contract/questionSet.ts'
import { markPart, marksText, scoredParts } from '#src/domain/paper/paper.ts'
import common from '#src/ui/common.module.css'
import { type PlayerState, partState } from '../playerState.ts'
import classes from './Score.module.css'

/** Which section the question stands in, what to do there, and what it is worth or has earned. */
export function SectionLine({
  paper,
  state,
}: {
  paper: Pick<Paper | ExamPaper, 'sections' | 'partial'>
  state: PlayerState
}) {
  const item = state.items[state.at]
  const section = item && paper.sections[item.block]
  const scored = section?.entries.flatMap(scoredParts).find(({ part }) => part.no === item?.part.no)
  if (!item || !section || !scored) return null
  const { response, right } = partState(state, item.part)
  return (
    <p className={clsx(common.wrap, common.small, classes.section)}>
      <b>{section.title}</b>
      <span className={common.quiet}>{section.note}</span>
      <strong className={clsx(common.quiet, common.figures, common.end)}>
        {right === null
          ? `${marksText(scored.full)} 分`
          : `得 ${marksText(markPart(scored, response, paper.partial).score)}/${marksText(scored.full)} 分`}
      </strong>
    </p>
  )
}
