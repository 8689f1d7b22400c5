import type { CalendarEntry } from '#src/contract/news.ts'
import { type IcsEvent, icsOf } from '#src/domain/time/ics.ts'
import { download } from '#src/ui/download.ts'
import { CALENDAR_KINDS } from './texts.ts'

const eventOf = ({ no, title, kind, from, to, source, note }: CalendarEntry): IcsEvent => ({
  uid: `${no}@${window.location.hostname}`,
  title,
  from,
  to,
  category: CALENDAR_KINDS[kind],
  urgent: kind === 'apply' || kind === 'ticket',
  note: [note, `来源：${source}`].filter(Boolean).join('\n'),
})

/** Gives the student a file for the calendar of their phone. */
export function saveToCalendar(entries: readonly CalendarEntry[], name: string, now: number): void {
  const text = icsOf(entries.map(eventOf), name, now)
  download(new Blob([text], { type: 'text/calendar;charset=utf-8' }), `${name.replace(/[\\/:*?"<>|]/g, '')}.ics`)
}
