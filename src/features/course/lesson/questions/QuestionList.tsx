import { IconChevronRight } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useId } from 'react'
import type { LessonQuestion } from '#src/contract/course.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { namedType } from '#src/domain/question/listedType.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import common from '#src/ui/common.module.css'
import { Setting } from '#src/ui/Setting.tsx'
import type { Outcome } from './asking.ts'
import classes from '../Lesson.module.css'
import type { QuestionsHandle } from './useQuestions.ts'

const OUTCOME_NAMES: Record<Outcome, string> = { right: '答对', wrong: '答错', skipped: '已跳过' }

/** What a lesson asks and when, each to be answered whenever one likes; and whether the lesson stops for it. */
export function QuestionList({ handle }: { handle: QuestionsHandle }) {
  const { questions, outcomes, stops, toggleStops, ask } = handle
  const id = useId()
  if (questions.length === 0) return null
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        课中提问
      </h2>
      <Setting label="播放到提问处停下来作答" checked={stops} onChange={toggleStops} />
      <ul>
        {questions.map((each) => (
          <li key={each.question.no} className={classes.item}>
            <Line question={each} outcome={outcomes[each.question.no]} onAsk={() => ask(each)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  question: LessonQuestion
  outcome: Outcome | undefined
  onAsk: () => void
}

function Line({ question: { at, question }, outcome, onAsk }: LineProps) {
  return (
    <button type="button" className={clsx(common.row, classes.line)} onClick={onAsk}>
      <span className={clsx(common.figures, classes.time)}>{clockText(at)}</span>
      <span>{TYPE_NAMES[namedType(question)]}</span>
      <span className={clsx(common.quiet, common.end, classes.outcome)}>
        {outcome ? OUTCOME_NAMES[outcome] : '未作答'}
      </span>
      <IconChevronRight size={18} aria-hidden="true" />
    </button>
  )
}
