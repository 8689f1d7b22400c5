import { sql } from 'kysely'
import { dateOf, dayOf } from '#src/domain/time/day.ts'
import { LOCKS } from '#server/db/locks.ts'
import type { Db, Tx } from '#server/db/open.ts'
import type { Walk } from '../jobs.ts'
import { type ExamForecast, foretell, knownOn } from './examForecast.ts'

/** Forecasts are kept of so many days before an exam. */
const HORIZONS = [30, 14, 7]
/** A server that was down on the day makes it within so many days. */
const LATE_DAYS = 2
/**
 * All students of a national exam have the same day. So many of them, in an order that says nothing of them, tell as well as all how good
 * forecasts are.
 */
const STUDENTS_A_DAY = 500

interface DueForecast {
  uid: string
  examDay: number
  horizon: number
}
interface OpenForecast {
  uid: string
  examDay: number
  horizon: number
  /** Epoch ms. */
  madeAt: number
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
    const { rows: locked } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(${LOCKS.forecasts}) as mine`.execute(tx)
    if (!locked[0]?.mine) return false
    const due = await nextDue(tx, today)
    if (due) {
      const made = await foretell(db, due.uid, today, due.examDay).catch((error: unknown) => failed(error, due.uid))
      await saveForecast(tx, due, now, made ?? { studied: 0, band: null })
      return true
    }
    const open = await nextOpen(tx, today)
    if (!open) return false
    const came = await knownOn(db, open.uid, open.madeAt, open.examDay).catch((error: unknown) =>
      failed(error, open.uid),
    )
    await tx
      .updateTable('exam_forecast')
      .set({ came: came ?? null, compared: true })
      .where('uid', '=', open.uid)
      .where('exam_day', '=', open.examDay)
      .where('horizon', '=', open.horizon)
      .execute()
    return true
  })
}

async function nextDue(tx: Tx, today: number): Promise<DueForecast | null> {
  const wanted = HORIZONS.flatMap((horizon) =>
    Array.from({ length: LATE_DAYS + 1 }, (_, late) => today + horizon - late).map((examDay) => ({
      horizon,
      examDay,
      date: dateOf(examDay),
    })),
  )
  const { rows } = await sql<DueForecast>`
    select r.uid, t."examDay", t.horizon
    from json_to_recordset(${JSON.stringify(wanted)}::json) as t(horizon int, "examDay" int, date text)
    join study_record r on r.kind = 'setting' and r.id = 'examDate' and r.body ->> 'value' = t.date
    where (select count(*) from exam_forecast f where f.exam_day = t."examDay" and f.horizon = t.horizon) < ${STUDENTS_A_DAY}
      and not exists (select from exam_forecast f
        where f.uid = r.uid and f.exam_day = t."examDay" and f.horizon = t.horizon)
    order by md5(r.uid) limit 1`.execute(tx)
  return rows[0] ?? null
}

async function nextOpen(tx: Tx, today: number): Promise<OpenForecast | null> {
  const { rows } = await sql<OpenForecast>`
    select uid, exam_day as "examDay", horizon, made_at as "madeAt" from exam_forecast
    where not compared and exam_day < ${today} limit 1`.execute(tx)
  return rows[0] ?? null
}

/** A forecast that says nothing is compared with nothing. The student may have closed the account meanwhile. */
const saveForecast = (tx: Tx, { uid, examDay, horizon }: DueForecast, now: number, { studied, band }: ExamForecast) =>
  sql`
    insert into exam_forecast (uid, exam_day, horizon, made_at, studied, known, low, high, compared)
    select s.uid, ${examDay}::int, ${horizon}::int, ${now}::bigint, ${studied}::int, ${band?.known ?? null}::real,
      ${band?.low ?? null}::real, ${band?.high ?? null}::real, ${band === null}::boolean
    from student s where s.uid = ${uid} on conflict do nothing`.execute(tx)
