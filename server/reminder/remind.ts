import * as v from 'valibot'
import { SETTINGS } from '#src/contract/study.ts'
import { isQuiet, minutesLeft, reminderSettings } from '#src/domain/study/reminder.ts'
import { dayOf, startOf } from '#src/domain/time/day.ts'
import type { Db } from '#server/db/open.ts'
import type { Push, Pushed } from '#server/outside/push.ts'
import { claimDay, type DueStudent, forgetEndpoint, type Moment, readSubscriptions, settleDay } from './store.ts'

const MINUTE_MS = 60_000
export const momentOf = (now: number): Moment => {
  const day = dayOf(now)
  return { day, minute: Math.floor((now - startOf(day)) / MINUTE_MS) }
}

export interface ReminderParts {
  db: Db
  push: Push
  now: () => number
  /** Students know the product by this name. */
  productName: string
  /** Tells whether a student has done what their plan asks of a day. */
  isDayDone: (db: Db, uid: string, day: number) => Promise<boolean>
}

/** A message that finds no device for so long has missed its evening. */
const LONGEST_TTL_MINUTES = 240

export type Outcome = Pushed | 'quiet' | 'done' | 'told'

/** Reasons that pass: a device that gave one may take the message later the same evening. */
const PASSING: readonly Outcome[] = ['busy', 'silent']
/** One device that took the message is enough: whoever has it on the phone does not get it there again for the sake of the tablet. */
const isAgain = (outcomes: readonly Outcome[]): boolean =>
  !outcomes.includes('sent') && outcomes.some((outcome) => PASSING.includes(outcome))

/**
 * Says what became of each device of a student, or why they are not told. Their day is claimed before anything is sent and settled once that
 * is known: whatever goes wrong between the two, the message is tried again.
 */
export async function remind(
  parts: Omit<ReminderParts, 'push'> & { send: Push['send'] },
  student: DueStudent,
  day: number,
): Promise<Outcome[]> {
  const { db, now } = parts
  if (!(await claimDay(db, student.uid, day, now()))) return ['told']
  const outcomes = await tell(parts, student, day)
  if (!isAgain(outcomes)) await settleDay(db, student.uid, day)
  return outcomes
}

async function tell(
  { db, send, now, isDayDone, productName }: Parameters<typeof remind>[0],
  { uid, quiet }: DueStudent,
  day: number,
): Promise<Outcome[]> {
  const at = now()
  const { minute } = momentOf(at)
  // A stored value that is no stretch of hours counts as not decided.
  const decided = v.is(SETTINGS.reminderQuiet, quiet) ? [['reminderQuiet', { value: quiet }] as const] : []
  const hours = reminderSettings(new Map(decided)).quiet
  if (dayOf(at) !== day || isQuiet(hours, minute)) return ['quiet']
  if (await isDayDone(db, uid, day)) return ['done']
  const ttlS = Math.min(minutesLeft(hours, minute), LONGEST_TTL_MINUTES) * 60
  // Whoever sees the phone's screen learns nothing of its owner.
  const message = JSON.stringify({ title: productName, body: '今天的学习任务还没完成，来练几分钟吧' })
  return Promise.all(
    (await readSubscriptions(db, uid, at)).map(async (subscription) => {
      const pushed = await send(subscription, message, ttlS)
      if (pushed === 'gone') await forgetEndpoint(db, subscription.endpoint)
      return pushed
    }),
  )
}
