import { MINUTE_MS } from '#src/domain/time/day.ts'
import { accuracyOf, mondayOf } from '#src/domain/study/stats.ts'
import { type Week, WEEK_DAYS } from '#src/domain/study/week.ts'
import common from '#src/ui/common.module.css'
import { percentText, timeText } from '../texts.ts'
import { Tile } from '../Tile.tsx'
import { accuracyDifference, differenceText, streakText } from './texts.ts'
import classes from './Week.module.css'

const inMinutes = (ms: number): number => Math.round(ms / MINUTE_MS)

interface WeekTilesProps {
  week: Week
  monday: number
  today: number
  /** The student had never studied before it. */
  isFirst: boolean
}

/** Shows what was done, each figure beside the same days of the week before. */
export function WeekTiles({ week, monday, today, isFirst }: WeekTilesProps) {
  const { now, before } = week
  const isCurrent = monday === mondayOf(today)
  const [a, b] = [now.all, before.all]
  const minutes = differenceText(inMinutes(a.spentMs), inMinutes(b.spentMs), (n) => timeText(n * MINUTE_MS))
  const accuracy = accuracyDifference(a, b)
  const than = before.studied > 0 ? (isCurrent ? '比上周同期' : '比前一周') : null
  return (
    <>
      <dl className={classes.tiles}>
        <Tile name="学习天数" value={`${now.studied}/${WEEK_DAYS} 天`} note={streakText(week, monday, today)} />
        <Tile name="答题用时" value={timeText(a.spentMs)} note={than && `${than}${minutes}`} />
        <Tile
          name="答题"
          value={`${a.answered} 次`}
          note={than && `${than}${differenceText(a.answered, b.answered, (n) => `${n} 次`)}`}
        />
        <Tile name="正确率" value={percentText(accuracyOf(a))} note={than && accuracy && `${than}${accuracy}`} />
      </dl>
      {than === null && <p className={common.note}>{aloneText(isCurrent, isFirst)}</p>}
    </>
  )
}

/** Says why the figures of a week stand alone. */
function aloneText(isCurrent: boolean, isFirst: boolean): string {
  if (isFirst) return isCurrent ? '这是你学习的第一周，下周就能和这周比了。' : '这是你学习的第一周。'
  return isCurrent ? '上周同期没有做题，下周再来比一比。' : '再前一周没有做题，没有可比的数。'
}
