import * as v from 'valibot'

/** Of Beijing, whatever zone the server is in. */
const parseTime = (text: string): number => Date.parse(`${text.replace(' ', 'T')}:00+08:00`)
export const writeTime = (at: number): string =>
  new Date(at + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
const FORM = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/
/** 02-30 is read as 03-02. */
const exists = (text: string): boolean => Number.isFinite(parseTime(text)) && writeTime(parseTime(text)) === text
export const Time = v.pipe(
  v.string(),
  v.regex(FORM, '时间应写成 2026-12-01 09:00（北京时间）'),
  v.check((text) => !FORM.test(text) || exists(text), '没有这个时间，请检查日期'),
  v.transform(parseTime),
)
