import type { Generated, JSONColumnType } from 'kysely'

/** Work that outlives the process that began it (server/jobs), and what the daily reminder needs (server/reminder). */
export interface JobTables {
  job: {
    id: Generated<number>
    kind: string
    /** The first of several that are put in under one key is the only one. */
    key: string | null
    args: JSONColumnType<object>
    state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>
    /** Says how far the work is, in the words of its kind. */
    cursor: string | null
    progress: Generated<number>
    /** Names the holder of the work, past or present; it is drawn anew each time that the work is taken. */
    holder: string | null
    /** Nobody else takes it before then, epoch ms. */
    lease_until: Generated<number>
    tries: Generated<number>
    cancel: Generated<boolean>
    result: JSONColumnType<object> | null
    created_at: number
    ended_at: number | null
  }
  /** Tells where the messages of a session go: `session` is its `token_hash`, and the row goes with it. */
  push_subscription: {
    session: string
    uid: string
    endpoint: string
    p256dh: string
    auth: string
    created_at: number
  }
  /** The last day (domain/time/day.ts) for which a student was reminded, or was found to need no reminder. */
  reminded: {
    uid: string
    day: number
    /** So many times the student's message of that day was begun. */
    tries: Generated<number>
    /** Epoch ms from which the message is tried again; null: what became of it is final. It counts on `day` alone. */
    again_at: number | null
  }
}
