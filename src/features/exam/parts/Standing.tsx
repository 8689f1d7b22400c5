import { clsx } from 'clsx'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { OfflineError, RefusedError, UnauthorizedError } from '#src/api/errors.ts'
import type { ExamReport } from '#src/contract/exam.ts'
import { isPlaceTold } from '#src/domain/paper/exam.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { Button, buttonLook } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import { timeText } from '#src/ui/dates.ts'
import { beatenText, FEW_TEXT, UNRANKED_TEXTS } from '../texts.ts'
import classes from '../Report.module.css'

interface StandingProps {
  told: UseQueryResult<ExamReport>
  exam: { no: string; name: string; applyCount: string }
}

/** Where this sitting stands among all that are ranked, as far as the server has said. */
export function Standing({ told, exam }: StandingProps) {
  const { data, error, isFetching, refetch } = told
  return (
    <section className={clsx(common.panel, classes.wide)} aria-labelledby="standing">
      <div className={common.between}>
        <h2 id="standing" className={common.subheading}>
          排名
        </h2>
        {data && <small className={clsx(common.caption, common.figures)}>截至 {timeText(data.asOf)}</small>}
      </div>
      {data ? (
        <Figures report={data} />
      ) : (
        <p className={common.note}>{error ? whyNot(error) : '正在获取排名和平均分…'}</p>
      )}
      <div className={common.wrap}>
        <Link {...buttonLook({ small: true, look: 'light' })} to="/exam/exam_rank/$no/$name/$applyCount" params={exam}>
          查看排名
        </Link>
        {((data && isCounting(data)) || (error && !data)) && (
          <Button small look="quiet" busy={isFetching} onClick={() => void refetch()}>
            刷新
          </Button>
        )}
      </div>
    </section>
  )
}

/** It will be ranked as soon as it is counted. */
export const isCounting = ({ rank, unranked }: ExamReport): boolean => rank === null && unranked === null

function whyNot(error: Error): string {
  if (error instanceof OfflineError) return '联网后可查看排名和平均分。'
  return error instanceof RefusedError || error instanceof UnauthorizedError
    ? `${wordsOf(error)}。`
    : '暂时无法获取排名，请稍后刷新。'
}

function Figures({ report }: { report: ExamReport }) {
  const { rank, ranked, rankedScore, unranked, beaten, average, best } = report
  const told = isPlaceTold(report)
  return (
    <>
      <dl className={classes.tiles}>
        {told && rank !== null ? (
          <Tile name="名次" value={`${rank}`} of={`/ ${ranked} 人`} />
        ) : (
          <Tile name="参加排名" value={`${ranked}`} of="人" />
        )}
        {told && beaten !== null && <Tile name="击败" value={beatenText(beaten)} of="" />}
        {told && average !== null && <Tile name="平均分" value={marksText(average)} of="" />}
        {told && best !== null && <Tile name="最高分" value={marksText(best)} of="" />}
      </dl>
      {rankedScore !== undefined && (
        <p className={common.note}>排名按 {marksText(rankedScore)} 分计：其余作答记录或上传得太晚，只计入得分。</p>
      )}
      {!told && <p className={common.note}>{FEW_TEXT}</p>}
      {unranked !== null && <p className={common.note}>{UNRANKED_TEXTS[unranked]}</p>}
      {isCounting(report) && (
        <p className={common.note} role="status">
          排名统计中，统计好会自动显示。
        </p>
      )}
    </>
  )
}

const Tile = ({ name, value, of }: { name: string; value: string; of: string }) => (
  <div className={clsx(common.sunken, classes.tile)}>
    <dt className={common.caption}>{name}</dt>
    <dd className={clsx(common.title, common.strong, common.figures, classes.value)}>
      {value} {of && <small className={clsx(common.caption, classes.unit)}>{of}</small>}
    </dd>
  </div>
)
