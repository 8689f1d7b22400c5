import * as v from 'valibot'
import { isQuiet, minutesLeft, reminderSettings } from '#src/domain/study/reminder.ts'
import { dayOf, startOf } from '#src/domain/time/day.ts'
import type { Db } from '#server/db/open.ts'
import { type JobKind, jobKind } from '#server/jobs/runner.ts'
import { isOpen, putJob } from '#server/jobs/store.ts'
import type { Push, Pushed } from '#server/outside/push.ts'
import { claimDay, type DueStudent, forgetEndpoint, readDue, readSubscriptions } from './store.ts'

const KIND = 'reminder'
/** Everybody whose time has come by this minute of this day. */
const Moment = v.object({ day: v.number(), minute: v.number() })
type Moment = v.InferOutput<typeof Moment>

const MINUTE_MS = 60_000
const momentOf = (now: number): Moment => {
  const day = dayOf(now)
  return { day, minute: Math.floor((now - startOf(day)) / MINUTE_MS) }
}

/** Puts in the work of this minute, where there is any; once, however many servers do. While an earlier one is open the next takes its part. */
export async function putReminders(db: Db, now: number): Promise<void> {
  const moment = momentOf(now)
  if (await isOpen(db, KIND)) return
  if ((await readDue(db, moment, '', 1)).length === 0) return
  await putJob(db, { kind: KIND, key: `${KIND}:${moment.day}:${moment.minute}`, args: moment, now })
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

/** Students of one step: their messages leave side by side. */
const AT_ONCE = 20
/** A message that finds no device for so long has missed its evening. */
const LONGEST_TTL_MINUTES = 240

type Outcome = Pushed | 'quiet' | 'done' | 'told'

type Send = Push['send']
/** After so many calls in a row that a service has not answered it is called no more. */
const SILENT_CALLS = 3
/**
 * Sends the messages of one run. Services that do not answer are left out of the rest of it, so that they do not hold up the others. Their
 * students' day is claimed all the same: they go without, as those do whose call was not answered.
 */
function sparingSilent(push: Push): Send {
  const silent = new Map<string, number>()
  return async (to, message, ttlS) => {
    const { host } = new URL(to.endpoint)
    if ((silent.get(host) ?? 0) >= SILENT_CALLS) return 'silent'
    const pushed = await push.send(to, message, ttlS)
    silent.set(host, pushed === 'silent' ? (silent.get(host) ?? 0) + 1 : 0)
    return pushed
  }
}

/**
 * Reminds each student once a day at most: their day is claimed before anything is sent, so that a step that comes twice sends nothing twice.
 * A student who is between the two when a server is killed gets no message that day.
 */
export const reminderJob = (parts: ReminderParts): JobKind =>
  jobKind(KIND, Moment, async ({ args, cursor, progress, save }) => {
    const counts: Partial<Record<Outcome, number>> = {}
    const send = sparingSilent(parts.push)
    let [after, looked] = [cursor ?? '', progress]
    for (;;) {
      const due = await readDue(parts.db, args, after, AT_ONCE)
      const last = due.at(-1)
      if (!last) return counts
      const outcomes = await Promise.all(due.map((student) => remind({ ...parts, send }, student, args.day)))
      for (const outcome of outcomes.flat()) counts[outcome] = (counts[outcome] ?? 0) + 1
      after = last.uid
      looked += due.length
      await save(after, looked)
    }
  })

/** Says what became of each device of a student, or why they are not told. */
async function remind(
  parts: ReminderParts & { send: Send },
  { uid, quiet }: DueStudent,
  day: number,
): Promise<Outcome[]> {
  const { db, send, now, isDayDone } = parts
  if (!(await claimDay(db, uid, day))) return ['told']
  const at = now()
  const { minute } = momentOf(at)
  const hours = reminderSettings(new Map(quiet === null ? [] : [['reminderQuiet', { value: quiet }]])).quiet
  if (dayOf(at) !== day || isQuiet(hours, minute)) return ['quiet']
  if (await isDayDone(db, uid, day)) return ['done']
  const ttlS = Math.min(minutesLeft(hours, minute), LONGEST_TTL_MINUTES) * 60
  // Whoever sees the phone's screen learns nothing of its owner.
  const message = JSON.stringify({ title: parts.productName, body: '今天的学习任务还没完成，来练几分钟吧' })
  return Promise.all(
    (await readSubscriptions(db, uid, at)).map(async (subscription) => {
      const pushed = await send(subscription, message, ttlS)
      if (pushed === 'gone') await forgetEndpoint(db, subscription.endpoint)
      return pushed
    }),
  )
}
