import { clsx } from 'clsx'
import type { ExamReport } from '#src/contract/exam.ts'
import { bandOf } from '#src/domain/paper/examReport.ts'
import type { Score } from '#src/domain/question/rules.ts'
import { marksText } from '#src/domain/paper/paper.ts'
import common from '#src/ui/common.module.css'
import { Columns } from '#src/ui/list/Columns.tsx'
import { UnseenTable } from '#src/ui/text/UnseenTable.tsx'
import classes from '../Report.module.css'

/** A mark under every so manieth band. */
const TICK_BANDS = 4

interface DistributionProps {
  bands: ExamReport['bands']
  score: Score
  full: Score
}

/** 得分分布: how many stand where, and where I stand. */
export function Distribution({ bands, score, full }: DistributionProps) {
  const mine = bandOf(score, full)
  const from = (band: number) => marksText(Math.round((full * band) / bands.length))
  return (
    <section className={common.panel} aria-labelledby="distribution">
      <h2 id="distribution" className={common.subheading}>
        得分分布
      </h2>
      <Columns
        columns={bands.map((value, band) => ({
          key: band,
          tick: band % TICK_BANDS === 0 ? from(band) : '',
          value,
          ...(band === mine && { note: '我' }),
        }))}
      />
      <p className={clsx(common.wrap, common.note, classes.legend)}>
        横轴为得分，纵轴为人数；我在 {rangeText(mine, from)}这一段。
      </p>
      <UnseenTable
        caption="各分数段的人数"
        head={['分数段', '人数']}
        rows={bands.flatMap((count, band) =>
          count > 0 ? [[rangeText(band, from) + (band === mine ? '（我在这一段）' : ''), `${count} 人`]] : [],
        )}
      />
    </section>
  )
}

const rangeText = (band: number, from: (band: number) => string): string => `${from(band)}–${from(band + 1)} 分`
