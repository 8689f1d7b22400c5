import { sql } from 'kysely'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Walk } from '../jobs.ts'
import { foretell, type Foretold, knownOn } from './examForecast.ts'

/** Any number that no other lock of this database uses. */
const FORECAST_LOCK = 20_260_004
/** Forecasts are kept of so many days before an exam. */
export const HORIZONS = [30, 14, 7] as const
/** A server that was down on the day makes it within so many days. */
const LATE_DAYS = 2

interface Due {
  uid: string
  examDay: number
  horizon: number
}
interface Open {
  uid: string
  exam_day: number
  horizon: number
  made_day: number
}

/**
 * Keeps the next forecast that is due of a student's exam day, or compares one whose day is over with what came. One replica at a
 * time.
 * @returns false when nothing is due, or another replica is at it.
 */
export async function keepForecasts(db: Db, { now, stop, failed }: Walk): Promise<boolean> {
  if (stop.aborted) return false
  const today = dayOf(now)
  return db.transaction().execute(async (tx) => {
    const { rows: locked } = await sql<{
      mine: boolean
    }>`select pg_try_advisory_xact_lock(${FORECAST_LOCK}) as mine`.execute(tx)
    if (!locked[0]?.mine) return false
    const due = await nextDue(tx, today)
    if (due) {
      const told = (error: unknown) => failed(error, due.uid)
      const made = await foretell(db, due.uid, today, due.examDay).catch(told)
      await keep(tx, due, today, made ?? { studied: 0, band: null })
      return true
    }
    const open = await nextOpen(tx, today)
    if (!open) return false
    const came = await knownOn(db, open.uid, open.made_day, open.exam_day).catch((error: unknown) =>
      failed(error, open.uid),
    )
    await tx
      .updateTable('exam_forecast')
      .set({ came: came ?? null, compared: true })
      .where('uid', '=', open.uid)
      .where('exam_day', '=', open.exam_day)
      .where('horizon', '=', open.horizon)
      .execute()
    return true
  })
}

async function nextDue(tx: Tx, today: number): Promise<Due | null> {
  const wanted = HORIZONS.flatMap((horizon) =>
    Array.from({ length: LATE_DAYS + 1 }, (_, late) => today + horizon - late).map((examDay) => ({
      horizon,
      examDay,
      date: dateOf(examDay),
    })),
  )
  const { rows } = await sql<Due>`
    select r.uid, t."examDay", t.horizon
    from json_to_recordset(${JSON.stringify(wanted)}::json) as t(horizon int, "examDay" int, date text)
    join study_record r on r.kind = 'setting' and r.id = 'examDate' and r.body ->> 'value' = t.date
    where not exists (select from exam_forecast f
      where f.uid = r.uid and f.exam_day = t."examDay" and f.horizon = t.horizon)
    limit 1`.execute(tx)
  return rows[0] ?? null
}

const nextOpen = (tx: Tx, today: number): Promise<Open | undefined> =>
  tx
    .selectFrom('exam_forecast')
    .select(['uid', 'exam_day', 'horizon', 'made_day'])
    .where('compared', '=', false)
    .where('known', 'is not', null)
    .where('exam_day', '<', today)
    .limit(1)
    .executeTakeFirst()

/** The student may have closed the account meanwhile. */
const keep = (tx: Tx, { uid, examDay, horizon }: Due, today: number, { studied, band }: Foretold) =>
  sql`
    insert into exam_forecast (uid, exam_day, horizon, made_day, studied, known, low, high)
    select s.uid, ${examDay}::int, ${horizon}::int, ${today}::int, ${studied}::int, ${band?.known ?? null}::real,
      ${band?.low ?? null}::real, ${band?.high ?? null}::real
    from student s where s.uid = ${uid} on conflict do nothing`.execute(tx)
