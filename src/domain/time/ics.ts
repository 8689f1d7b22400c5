import { dateOf, dayOfDate } from './day.ts'

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
export function icsOf(events: readonly IcsEvent[], name: string, now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//lijian//exam calendar//ZH',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(name)}`,
    ...events.flatMap((event) => eventLines(event, now)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const eventLines = ({ uid, title, note, category, from, to, urgent }: IcsEvent, now: number): string[] => [
  'BEGIN:VEVENT',
  `UID:${escaped(uid)}`,
  `DTSTAMP:${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`,
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
const alarm = (title: string, related: 'START' | 'END'): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escaped(title)}`,
  `TRIGGER;RELATED=${related}:-PT15H`,
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
