import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { opName } from '#src/domain/record/opNames.ts'
import { type Ledger as Books, offline, type WaitingOp } from '#src/offline/index.ts'
import common from '#src/ui/common.module.css'
import { Windowed } from '#src/ui/list/Windowed.tsx'
import { dayText, timeText } from '#src/ui/dates.ts'
import classes from './Ledger.module.css'
import { LessonName } from './LessonName.tsx'
import { Refused } from './Refused.tsx'
import { usePlaces } from './places.ts'

/** Read anew whenever something moved, one reading at a time. */
export function useLedger(): Books | null {
  const [books, setBooks] = useState<Books | null>(null)
  useEffect(() => {
    let gone = false
    let reading = false
    let again = false
    const load = async (): Promise<void> => {
      again = reading
      if (reading) return
      reading = true
      const read = await offline.ledger().catch(() => null)
      reading = false
      if (gone) return
      if (read) setBooks(read)
      if (again) void load()
    }
    void load()
    const stop = offline.onStatus(() => void load())
    return () => {
      gone = true
      stop()
    }
  }, [])
  return books
}

/** 待上传 → 已上传 → 已同步: where each thing that the student did is. */
export function Ledger({ books, visitor, onLeave }: { books: Books; visitor: boolean; onLeave: () => void }) {
  const nameOf = usePlaces()
  const { waiting, refused, days, today, bookedToday } = books
  const here = waiting.filter(({ acked }) => acked === 0).length
  return (
    <>
      {!visitor && (
        <ol className={clsx(common.sunken, classes.steps)} aria-label="记录到了哪里">
          <Step count={here} name="待上传" />
          <Step count={waiting.length - here} name="已上传" />
          <Step count={bookedToday} name="今天已同步" />
        </ol>
      )}
      {days.length > 0 && (
        <ul className={clsx(common.small, classes.days)} aria-label="每天的作答">
          {days.map((each) => (
            <li key={each.day}>{lineOf(each, today, visitor)}</li>
          ))}
        </ul>
      )}
      {waiting.length > 0 && (
        <Windowed label="待同步" rows={[...waiting].reverse()} keyOf={({ opId }) => opId}>
          {(op) => (
            <>
              <span>
                {[opName(op), nameOf(op).text].filter(Boolean).join(' · ')}
                <LessonName payload={op.payload} />
              </span>
              <small className={clsx(common.fixed, common.quiet)}>{stepOf(op)}</small>
            </>
          )}
        </Windowed>
      )}
      {refused.length > 0 && (
        <ul className={common.stack} aria-label="未能同步">
          {refused.map((op) => (
            <Refused key={op.opId} op={op} place={nameOf(op)} onLeave={onLeave} />
          ))}
        </ul>
      )}
    </>
  )
}

const Step = ({ count, name }: { count: number; name: string }) => (
  <li className={clsx(common.caption, classes.step)}>
    <b className={clsx(common.subheading, common.figures, classes.count)}>{count}</b>
    {name}
  </li>
)

function stepOf({ acked, parked, clientAt }: WaitingOp): string {
  if (acked) return '已上传，等待同步'
  return parked ? '等待更新后同步' : timeText(clientAt)
}

function lineOf({ day, answered, booked }: Books['days'][number], today: number, visitor: boolean): string {
  const left = answered - booked
  const ago = today - day
  const name = ago === 0 ? '今天' : ago === 1 ? '昨天' : dayText(day)
  if (visitor) return `${name} ${answered} 题，保存在这台设备上`
  return `${name} ${answered} 题，${booked} 题已同步${left > 0 ? `，${left} 题待同步` : ''}`
}
