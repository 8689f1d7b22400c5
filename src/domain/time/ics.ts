import { dateOf, dayOfDate, startOf } from './day.ts'

/** A whole day or several, as a calendar takes it in. */
export interface IcsEvent {
  /** Unique for ever: a calendar that has it already changes it. */
  uid: string
  title: string
  note: string
  category: string
  /** YYYY-MM-DD, the last one included. */
  from: string
  to: string
  /** Who misses it misses the exam: the calendar says so the morning before it begins, and on the morning of its last day. */
  urgent?: boolean
}

/**
 * A file of RFC 5545 that calendars of phones and computers import.
 * @param name of the whole calendar
 * @param now epoch ms: when it was written
 */
export const icsOf = (events: readonly IcsEvent[], name: string, now: number): string =>
  calendarOf(
    name,
    events.flatMap((event) => eventLines(event, now)),
  )

/** A quarter of an hour that comes back each day. */
export interface DailyIcsEvent {
  uid: string
  title: string
  note: string
  /** HH:MM of Asia/Shanghai, wherever the phone is. */
  time: string
  /** The first day; the last one, or null where it goes on. Numbers of days (day.ts). */
  from: number
  until: number | null
}

/** A file with one event that the calendar tells of at its time. @param now epoch ms: when it was written */
export function dailyIcsOf({ uid, title, note, time, from, until }: DailyIcsEvent, name: string, now: number): string {
  const clock = `T${time.replace(':', '')}00`
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  // §3.3.10: beside a time with a zone the end is one in UTC.
  const end = until === null ? '' : `;UNTIL=${momentOf(startOf(until) + minutes * 60_000)}`
  return calendarOf(name, [
    ...SHANGHAI,
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${momentOf(now)}`,
    `DTSTART;TZID=Asia/Shanghai:${dateOf(from).replaceAll('-', '')}${clock}`,
    'DURATION:PT15M',
    `RRULE:FREQ=DAILY${end}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(note)}`,
    'TRANSP:TRANSPARENT',
    ...alarm(title, 'START', 'PT0S'),
    'END:VEVENT',
  ])
}

/** §3.6.5: whoever names a zone says what it is. This one has had no summer time since 1991. */
const SHANGHAI = [
  'BEGIN:VTIMEZONE',
  'TZID:Asia/Shanghai',
  'BEGIN:STANDARD',
  'DTSTART:19910915T000000',
  'TZOFFSETFROM:+0800',
  'TZOFFSETTO:+0800',
  'TZNAME:CST',
  'END:STANDARD',
  'END:VTIMEZONE',
]

function calendarOf(name: string, inside: readonly string[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//lijian//exam calendar//ZH',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(name)}`,
    ...inside,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** §3.3.5: a moment in UTC. */
const momentOf = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')

const eventLines = ({ uid, title, note, category, from, to, urgent }: IcsEvent, now: number): string[] => [
  'BEGIN:VEVENT',
  `UID:${escaped(uid)}`,
  `DTSTAMP:${momentOf(now)}`,
  `DTSTART;VALUE=DATE:${from.replaceAll('-', '')}`,
  // The first day that is no longer part of it (RFC 5545 §3.6.1).
  `DTEND;VALUE=DATE:${dateOf(dayOfDate(to) + 1).replaceAll('-', '')}`,
  `SUMMARY:${escaped(title)}`,
  ...(note ? [`DESCRIPTION:${escaped(note)}`] : []),
  `CATEGORIES:${escaped(category)}`,
  // It takes nobody's time.
  'TRANSP:TRANSPARENT',
  ...(urgent ? alarm(title, 'START') : []),
  ...(urgent && to !== from ? alarm(title, 'END') : []),
  'END:VEVENT',
]

/** §3.6.6. A whole day ends at midnight: 15 hours before that, and before it begins, it is nine in the morning. */
const alarm = (title: string, related: 'START' | 'END', when = '-PT15H'): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escaped(title)}`,
  `TRIGGER;RELATED=${related}:${when}`,
  'END:VALARM',
]

/** §3.3.11: of a text only these four mean something else. */
const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replace(/\r\n|\r|\n/g, String.raw`\n`)
    .replace(/\p{Cc}/gu, '')

const LINE_OCTETS = 75
const octets = (char: string): number => {
  const code = char.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4
}

/** §3.1: no line is longer than 75 octets; the next one goes on behind a space. No character is cut in two. */
function folded(line: string): string {
  let out = ''
  let used = 0
  for (const char of line) {
    const size = octets(char)
    if (used + size > LINE_OCTETS) {
      out += '\r\n '
      used = 1
    }
    out += char
    used += size
  }
  return out
}
