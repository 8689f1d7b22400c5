/** An exam that a student waits for: its day, counted as in day.ts, and its name; '' for the student's own date. */
export interface ExamDay {
  day: number
  /** Its last day; left out, the same. */
  last?: number
  name: string
}

/**
 * The exam to count down to, and how many days are left; 0 is today, less when it goes on since. The student's own date comes first, as long as it is not
 * over; null: there is none to come.
 */
export function countdown(
  own: number | null,
  calendar: readonly ExamDay[],
  today: number,
): (ExamDay & { days: number }) | null {
  const ahead = ({ day, last = day }: ExamDay) => last >= today
  const nearest = calendar.filter(ahead).sort((a, b) => a.day - b.day)[0]
  const exam = own !== null && ahead({ day: own, name: '' }) ? { day: own, name: '' } : nearest
  return exam ? { ...exam, days: exam.day - today } : null
}
