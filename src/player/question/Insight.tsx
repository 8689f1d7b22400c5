import type { PlainQuestion } from '#src/contract/question.ts'
import { useStatistic } from '#src/offline/useStatistics.ts'
import { useThings } from '#src/offline/useThings.ts'
import { dateText } from '#src/ui/dates.ts'
import { isChoice, letters } from '#src/domain/question/choice.ts'

/** How others answered, and that the answer was corrected after this student had given theirs. */
export function Insight({ part }: { part: PlainQuestion }) {
  const statistic = useStatistic(part.no)
  const notice = useThings('notice')?.get(part.no)
  const wrong = statistic?.wrong && isChoice(part) && letters(part, [statistic.wrong])
  return (
    <>
      {statistic && (
        <p>
          全站正确率 {statistic.right}%{wrong && ` · 易错项 ${wrong}`}
        </p>
      )}
      {notice && (
        <p>
          这道题的答案已于 {dateText(notice.at)} 更正，你之前的作答现在算{notice.right ? '对' : '错'}
        </p>
      )}
    </>
  )
}
