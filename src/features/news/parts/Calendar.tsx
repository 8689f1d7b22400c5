import { IconCalendarPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { CalendarEntry } from '#src/contract/news.ts'
import { dayOf, dayOfDate } from '#src/domain/time/day.ts'
import { useServerNow } from '#src/offline/useServerNow.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { Listed } from '#src/ui/list/Listed.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { saveToCalendar } from '../ics.ts'
import classes from '../News.module.css'
import { calendarQuery } from '../queries.ts'
import { awayText, CALENDAR_KINDS, spanText } from '../texts.ts'

/** A day need not be noticed sooner. */
export const TICK_MS = 60_000

/** 考试日历: what is to come, and on request what was; into the calendar of the phone. */
export function Calendar({ onLeave }: { onLeave: () => void }) {
  const from = useQuery(calendarQuery())
  const now = useServerNow(TICK_MS)
  const today = dayOf(now)
  const [past, setPast] = useState(false)
  const all = from.data ?? []
  const coming = all.filter((entry) => dayOfDate(entry.to) >= today)
  const over = all.length - coming.length
  return (
    <div className={clsx(listing.page, listing.wide)}>
      <BackButton onClick={onLeave}>返回</BackButton>
      <div className={clsx(common.between, classes.head)}>
        <h1 className={listing.pageTitle}>考试日历</h1>
        {coming.length > 0 && (
          <Button small look="light" onClick={() => saveToCalendar(coming, '考试日历', now)}>
            <IconCalendarPlus size={18} aria-hidden="true" />
            全部加入日历
          </Button>
        )}
      </div>
      <p className={clsx(common.small, common.warm, classes.hint)}>
        标“预计”的按往年时间推算，不是官方安排。一切以当年官方公告为准。
      </p>
      <Listed
        name="calendar"
        label="考试日历"
        from={from}
        rows={past ? all : coming}
        keyOf={({ no }) => no}
        empty={over > 0 ? '近期没有安排。' : undefined}
      >
        {(entry) => <Entry entry={entry} today={today} onSave={() => saveToCalendar([entry], entry.title, now)} />}
      </Listed>
      {over > 0 && (
        <Button className={classes.past} look="quiet" onClick={() => setPast(!past)}>
          {past ? '收起已结束的' : `显示已结束的 ${over} 项`}
        </Button>
      )}
    </div>
  )
}

interface EntryProps {
  entry: CalendarEntry
  today: number
  onSave: () => void
}

function Entry({ entry, today, onSave }: EntryProps) {
  const away = awayText(entry, today)
  return (
    <section
      className={clsx(common.card, common.column, classes.entry)}
      data-over={away === '已结束' || undefined}
      aria-label={entry.title}
    >
      <p className={listing.badges}>
        <span className={listing.badge}>{CALENDAR_KINDS[entry.kind]}</span>
        <span className={listing.badge} data-look={away === '已结束' ? 'over' : 'price'}>
          {away}
        </span>
      </p>
      <h2 className={common.subheading}>{entry.title}</h2>
      <p className={clsx(common.strong, common.figures)}>{spanText(entry)}</p>
      {entry.note && <p className={common.note}>{entry.note}</p>}
      <div className={clsx(common.between, common.caption, classes.under)}>
        <span>来源：{entry.source}</span>
        <Button small look="light" onClick={onSave} aria-label={`加入日历 ${entry.title}`}>
          <IconCalendarPlus size={18} aria-hidden="true" />
          加入日历
        </Button>
      </div>
    </section>
  )
}
