import { clsx } from 'clsx'
import { Suspense } from 'react'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import { receiptCode, receiptText } from '#src/domain/paper/exam.ts'
import { timeText } from '#src/ui/dates.ts'
import common from '#src/ui/common.module.css'
import { optional } from '#src/ui/optional.ts'
import { Fact } from './Fact.tsx'
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
    <div className={clsx(common.wrap, classes.receipt)}>
      <dl className={clsx(common.stack, common.card, classes.slip)} aria-label="交卷回执">
        <Fact name="回执码" className={clsx(common.subheading, common.strong, classes.code)}>
          {receiptCode(hash)}
        </Fact>
        <Fact name="交卷时间">{timeText(handedAt)}</Fact>
        <Fact name="作答">
          {answered} 题，用时 {tookText(elapsedMs)}
        </Fact>
        {by === 'server' && (
          <Fact name="到时收卷">
            考试结束时没有收到交卷，按已上传的作答收卷。答题的设备上如有更多作答，打开应用会自动补交
          </Fact>
        )}
        {flags.map((flag) => (
          <Fact key={flag} name={FLAG_TEXTS[flag][0]}>
            {FLAG_TEXTS[flag][1]}
          </Fact>
        ))}
      </dl>
      <Suspense>
        <figure className={classes.picture}>
          <QrCode
            text={receiptText(product, { id: sittingId, hash, handedAt, answered })}
            label="交卷回执二维码，扫码看到回执编号、校验码、交卷时间和作答题数"
          />
          <figcaption className={common.caption}>
            <strong>给老师或客服核对交卷</strong>
            <br />
            扫码看到回执编号、校验码、交卷时间和作答题数，不用联网，也不含成绩和答案
          </figcaption>
        </figure>
      </Suspense>
    </div>
  )
}
