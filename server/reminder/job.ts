import * as v from 'valibot'
import type { Db } from '#server/db/open.ts'
import { type JobKind, jobKind } from '#server/jobs/runner.ts'
import { isOpen, putJob } from '#server/jobs/store.ts'
import type { Push } from '#server/outside/push.ts'
import { momentOf, type Outcome, remind, type ReminderParts } from './remind.ts'
import { readDue } from './store.ts'

const KIND = 'reminder'
/** Everybody whose time has come by this minute of this day. */
const Args = v.object({ day: v.number(), minute: v.number() })

/** Puts in the work of this minute, where there is any; once, however many servers do. While an earlier one is open the next takes its part. */
export async function putReminders(db: Db, now: number): Promise<void> {
  const moment = momentOf(now)
  if (await isOpen(db, KIND)) return
  if ((await readDue(db, moment, '', 1)).length === 0) return
  await putJob(db, { kind: KIND, key: `${KIND}:${moment.day}:${moment.minute}`, args: moment, now })
}

/** Students of one step: their messages leave side by side. */
const AT_ONCE = 20

type Send = Push['send']
/** After so many calls in a row that a service has not answered it is called no more. */
const SILENT_CALLS = 3
/**
 * Sends the messages of one run. Services that do not answer are left out of the rest of it, so that they do not hold up the others. Their
 * students' day is claimed all the same: they are tried again with those whose call was not answered.
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
 * Reminds each student once a day: their day is claimed before anything is sent, so that a step that comes twice sends nothing twice. The
 * message of a student who is between the two when a server is killed is tried again some minutes later.
 */
export const reminderJob = (parts: ReminderParts): JobKind =>
  jobKind(KIND, Args, async ({ args, cursor, progress, save }) => {
    const counts: Partial<Record<Outcome, number>> = {}
    const send = sparingSilent(parts.push)
    let [after, looked] = [cursor ?? '', progress]
    for (;;) {
      const due = await readDue(parts.db, args, after, AT_ONCE)
      const last = due.at(-1)
      if (!last) return counts
      const outcomes = await allOf(due.map((student) => remind({ ...parts, send }, student, args.day)))
      for (const outcome of outcomes.flat()) counts[outcome] = (counts[outcome] ?? 0) + 1
      after = last.uid
      looked += due.length
      await save(after, looked)
    }
  })

/** Waits for all of a step before its first failure is thrown: the others' messages are on their way by then, and their days are to be settled. */
async function allOf<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(calls)
  return Promise.all(calls)
}
