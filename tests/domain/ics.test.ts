import { describe, expect, test } from 'vitest'
import { dayOfDate } from '#src/domain/time/day.ts'
import { dailyIcsOf, type IcsEvent, icsOf } from '#src/domain/time/ics.ts'

const NOW = Date.UTC(2026, 10, 22, 4, 5, 6)
const event = (rest: Partial<IcsEvent> = {}): IcsEvent => ({
  uid: 'D1@lijian.test',
  title: '笔试',
  note: '',
  category: '考试',
  from: '2026-12-31',
  to: '2026-12-31',
  ...rest,
})
/** As RFC 5545 reads a file: lines end with CRLF, what goes on begins with a space, a property is name, parameters, value. */
const physical = (ics: string) => ics.split('\r\n')
const logical = (ics: string) => ics.replaceAll('\r\n ', '').split('\r\n')
const valueOf = (ics: string, name: string) =>
  logical(ics)
    .find((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))
    ?.replace(/^[^:]*:/, '')
const unescaped = (text = '') => text.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
const octets = (line: string) => new TextEncoder().encode(line).length

describe('a file for calendars', () => {
  test('is a calendar with what RFC 5545 asks of it, in its order', () => {
    expect(physical(icsOf([event()], '考试日历', NOW))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//lijian//exam calendar//ZH',
      'CALSCALE:GREGORIAN',
      'X-WR-CALNAME:考试日历',
      'BEGIN:VEVENT',
      'UID:D1@lijian.test',
      'DTSTAMP:20261122T040506Z',
      'DTSTART;VALUE=DATE:20261231',
      'DTEND;VALUE=DATE:20270101',
      'SUMMARY:笔试',
      'CATEGORIES:考试',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
  })
  test('rings before what must not be missed begins, and on its last day, if that is another one', () => {
    const alarms = (rest: Partial<IcsEvent>) => {
      const lines = logical(icsOf([event({ title: '报名；缴费', ...rest })], 'x', NOW))
      const [first, last] = [lines.indexOf('BEGIN:VALARM'), lines.lastIndexOf('END:VALARM')]
      return first < 0 ? [] : lines.slice(first, last + 1)
    }
    const one = (related: string) => [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:报名；缴费',
      `TRIGGER;RELATED=${related}:-PT15H`,
      'END:VALARM',
    ]
    expect(alarms({})).toEqual([])
    expect(alarms({ urgent: true })).toEqual(one('START'))
    expect(alarms({ urgent: true, from: '2026-12-20' })).toEqual([...one('START'), ...one('END')])
  })
  test.each([
    ['one day', '2026-12-01', '2026-12-01', '20261202'],
    ['days over a month', '2027-02-22', '2027-02-28', '20270301'],
    ['into a leap day', '2028-02-28', '2028-02-28', '20280229'],
    ['over New Year', '2026-12-20', '2027-01-10', '20270111'],
  ])('ends on the first day that is not part of %s', (_, from, to, end) => {
    const ics = icsOf([event({ from, to })], 'x', NOW)
    expect([valueOf(ics, 'DTSTART'), valueOf(ics, 'DTEND')]).toEqual([from.replaceAll('-', ''), end])
  })
  test.each([
    ['signs that mean something', '报名；a, b; c: d \\ "e"'],
    ['lines', '第一行\n第二行'],
    ['a property that is smuggled in', 'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil'],
    ['a backslash before an n', 'C:\\new'],
  ])('keeps %s as text', (_, text) => {
    const ics = icsOf([event({ title: text, note: text })], text, NOW)
    const plain = text.replaceAll('\r\n', '\n')
    for (const name of ['SUMMARY', 'DESCRIPTION', 'X-WR-CALNAME']) expect(unescaped(valueOf(ics, name))).toBe(plain)
    expect(logical(ics).filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
    expect(valueOf(ics, 'UID')).toBe('D1@lijian.test')
  })
  test('loses signs that nobody sees', () => {
    expect(valueOf(icsOf([event({ title: 'a\u0000\u0007b' })], 'x', NOW), 'SUMMARY')).toBe('ab')
  })
  test.each([
    ['Chinese', '军考报名与资格审核'.repeat(30)],
    ['letters', 'a'.repeat(300)],
    ['pairs of surrogates', `x${'😀'.repeat(60)}`],
    ['all of them', '报a😀,;'.repeat(50)],
  ])('folds long lines of %s at 75 octets, between characters', (_, note) => {
    const ics = icsOf([event({ note })], 'x', NOW)
    for (const line of physical(ics)) expect(octets(line)).toBeLessThanOrEqual(75)
    expect(physical(ics).filter((line) => line.startsWith(' ')).length).toBeGreaterThan(2)
    expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(ics))).toBe(ics)
    expect(unescaped(valueOf(ics, 'DESCRIPTION'))).toBe(note)
  })
  test('uses a line to its last octet before it folds', () => {
    const lines = physical(icsOf([event({ title: 'a'.repeat(67) }), event({ title: 'a'.repeat(68) })], 'x', NOW))
    const [whole, cut] = lines.filter((line) => line.startsWith('SUMMARY'))
    expect([octets(whole ?? ''), octets(cut ?? '')]).toEqual([75, 75])
    expect(lines[lines.lastIndexOf(cut ?? '') + 1]).toBe(' a')
  })
})

describe('a file with a daily reminder', () => {
  const daily = {
    uid: 'daily@lijian.test',
    title: '今天的学习任务',
    note: '打开看看',
    time: '20:05',
    from: dayOfDate('2026-11-22'),
    until: dayOfDate('2027-06-06'),
  }

  test('tells of it each day at its time of Asia/Shanghai, until the last day', () => {
    expect(logical(dailyIcsOf(daily, '每日提醒', NOW))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//lijian//exam calendar//ZH',
      'CALSCALE:GREGORIAN',
      'X-WR-CALNAME:每日提醒',
      'BEGIN:VTIMEZONE',
      'TZID:Asia/Shanghai',
      'BEGIN:STANDARD',
      'DTSTART:19910915T000000',
      'TZOFFSETFROM:+0800',
      'TZOFFSETTO:+0800',
      'TZNAME:CST',
      'END:STANDARD',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'UID:daily@lijian.test',
      'DTSTAMP:20261122T040506Z',
      'DTSTART;TZID=Asia/Shanghai:20261122T200500',
      'DURATION:PT15M',
      'RRULE:FREQ=DAILY;UNTIL=20270606T120500Z',
      'SUMMARY:今天的学习任务',
      'DESCRIPTION:打开看看',
      'TRANSP:TRANSPARENT',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:今天的学习任务',
      'TRIGGER;RELATED=START:PT0S',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
  })

  test('goes on where there is no last day', () => {
    expect(valueOf(dailyIcsOf({ ...daily, until: null }, '每日提醒', NOW), 'RRULE')).toBe('FREQ=DAILY')
  })

  test('early in the morning ends on the day before by UTC', () => {
    const early = dailyIcsOf({ ...daily, time: '06:30' }, '每日提醒', NOW)
    expect(valueOf(early, 'RRULE')).toBe('FREQ=DAILY;UNTIL=20270605T223000Z')
  })
})
