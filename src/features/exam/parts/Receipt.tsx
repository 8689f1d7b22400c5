import { Suspense } from 'react'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import { receiptCode, receiptText } from '#src/domain/paper/exam.ts'
import { timeText } from '#src/ui/dates.ts'
import { optional } from '#src/ui/optional.ts'
import { FLAG_TEXTS, tookText } from '../texts.ts'
import classes from '../Exams.module.css'

const QrCode = optional(() => import('#src/ui/qrCode/QrCode.tsx').then((m) => m.QrCode))

interface ReceiptProps {
  sittingId: string
  sitting: ExamSittingRecord
  product: string
}

/** What a student can show: that this was handed in, when, and a code of what it held. */
export function Receipt({ sittingId, sitting, product }: ReceiptProps) {
  const { hash, answered, elapsedMs, flags, by } = sitting
  const handedAt = sitting.handedAt ?? 0
  return (
    <div className={classes.receipt}>
      <dl className={classes.facts} aria-label="交卷回执">
        <div>
          <dt>回执码</dt>
          <dd className={classes.code}>{receiptCode(hash)}</dd>
        </div>
        <div>
          <dt>交卷时间</dt>
          <dd>{timeText(handedAt)}</dd>
        </div>
        <div>
          <dt>作答</dt>
          <dd>
            {answered} 题，用时 {tookText(elapsedMs)}
          </dd>
        </div>
        {by === 'server' && (
          <div>
            <dt>到时收卷</dt>
            <dd>考试结束时没有收到交卷，按已送达的作答收卷。答题的设备上如有更多作答，打开应用会自动补交</dd>
          </div>
        )}
        {flags.map((flag) => (
          <div key={flag}>
            <dt>{FLAG_TEXTS[flag][0]}</dt>
            <dd>{FLAG_TEXTS[flag][1]}</dd>
          </div>
        ))}
      </dl>
      <Suspense>
        <QrCode
          text={receiptText(product, { id: sittingId, hash, handedAt, answered })}
          label="交卷回执二维码，扫码看到回执编号、校验码、交卷时间和作答题数"
        />
      </Suspense>
    </div>
  )
}
