import { IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import type { LessonQuestion } from '#src/contract/course.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import type { Outcome } from './asking.ts'
import classes from './QuestionList.module.css'
import type { QuestionsHandle } from './useQuestions.ts'

const OUTCOME_NAMES: Record<Outcome, string> = { right: '答对', wrong: '答错', skipped: '已跳过' }

/** What a lesson asks and when, each to be answered whenever one likes; and whether the lesson stops for it. */
export function QuestionList({ handle }: { handle: QuestionsHandle }) {
  const { questions, outcomes, stops, toggleStops, ask } = handle
  const id = useId()
  if (questions.length === 0) return null
  return (
    <section className={classes.questions} aria-labelledby={id}>
      <h2 id={id}>课中提问</h2>
      <Checkbox checked={stops} onChange={toggleStops}>
        播放到提问处停下来作答
      </Checkbox>
      <ul>
        {questions.map((each) => (
          <li key={each.question.no}>
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
    <button type="button" onClick={onAsk}>
      <span className={classes.time}>{clockText(at)}</span>
      <span>{TYPE_NAMES[question.type]}</span>
      <span className={classes.outcome} data-outcome={outcome}>
        {outcome ? OUTCOME_NAMES[outcome] : '未作答'}
      </span>
      <IconChevronRight size={18} aria-hidden="true" />
    </button>
  )
}
