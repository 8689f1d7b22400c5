import type { LessonQuestion } from '#src/contract/course.ts'
import classes from './QuestionMarks.module.css'

interface QuestionMarksProps {
  questions: readonly LessonQuestion[]
  /** How long the lesson is. */
  seconds: number
}

/** Where on its bar a lesson asks something. To be seen only: the list of questions says the same in words. */
export function QuestionMarks({ questions, seconds }: QuestionMarksProps) {
  if (questions.length === 0 || seconds <= 0) return null
  return (
    <span className={classes.marks} aria-hidden="true">
      {questions.map(({ at, question }) => (
        <span key={question.no} className={classes.mark} style={{ left: `${Math.min(100, (at / seconds) * 100)}%` }} />
      ))}
    </span>
  )
}
