import { sql } from 'kysely'
import { dayOf } from '#src/domain/time/day.ts'
import { LEAST_REVIEWS } from './fit.ts'
import type { Db } from '#server/db/open.ts'

/** Answers of which much the same was foretold. Shares are from 0 to 1. */
export interface Calibration {
  from: number
  to: number
  answers: number
  /** Means of what was foretold, and of what came. */
  said: number
  came: number
}
/** Forecasts of exam days that were made so many days before. */
export interface Horizon {
  days: number
  made: number
  /** Those whose exam day is over; the rest of the figures are theirs, and null where there are none. */
  compared: number
  said: number | null
  came: number | null
  /** Mean distance between the two. */
  off: number | null
  /** Share whose bounds held what came: four of five is what they promise. */
  held: number | null
}
export interface RecallReport {
  calibration: Calibration[]
  horizons: Horizon[]
  fits: {
    /** Students whose answers were enough to try. */
    tried: number
    /** Students whose own parameters foretell better. */
    kept: number
    /** Mean log-loss a review of those who have their own: by most people's parameters, and by theirs. */
    common: number | null
    own: number | null
  }
}

/** Lower bounds of what was foretold, of a thousand. */
const BOUNDS = [0, 500, 600, 700, 800, 900] as const
const TOP = 1_000

/**
 * Compares what was foretold of students' memories with what came.
 * @param since answers and exam days before it are left out, epoch ms.
 */
export async function readRecallReport(db: Db, since: number): Promise<RecallReport> {
  return {
    calibration: await readCalibration(db, since),
    horizons: await readHorizons(db, since),
    fits: await readFits(db),
  }
}

async function readCalibration(db: Db, since: number): Promise<Calibration[]> {
  const { rows } = await sql<{ band: number; answers: number; said: number; came: number }>`
    select width_bucket(foretold, ${[...BOUNDS]}::int[]) as band, count(*)::int as answers,
      avg(foretold)::float8 / ${TOP} as said, avg(case when "right" then 1 else 0 end)::float8 as came
    from study_op o where foretold is not null and verdict = 'applied' and effective_at >= ${since} and not exists (
      select from study_op r where r.uid = o.uid and r.kind = 'retract' and r.verdict = 'applied'
        and r.question_no = o.question_no and r.payload ->> 'target' = o.op_id::text) group by 1 order by 1`.execute(db)
  return rows.map(({ band, ...of }) => ({
    from: (BOUNDS[band - 1] ?? 0) / TOP,
    to: (BOUNDS[band] ?? TOP) / TOP,
    ...of,
  }))
}

async function readHorizons(db: Db, since: number): Promise<Horizon[]> {
  const { rows } = await sql<Horizon>`
    select horizon as days, count(*)::int as made, count(came)::int as compared,
      (avg(known) filter (where came is not null))::float8 as said, avg(came)::float8 as came,
      avg(abs(known - came))::float8 as off,
      (avg(case when came between low and high then 1 else 0 end) filter (where came is not null))::float8 as held
    from exam_forecast where known is not null and exam_day >= ${dayOf(since)} group by 1 order by 1 desc`.execute(db)
  return rows
}

async function readFits(db: Db): Promise<RecallReport['fits']> {
  const { rows } = await sql<RecallReport['fits']>`
    select count(*)::int as tried, (count(*) filter (where kept))::int as kept,
      avg(common_loss) filter (where kept) as common, avg(own_loss) filter (where kept) as own
    from memory_fit where reviews >= ${LEAST_REVIEWS}`.execute(db)
  return rows[0] ?? { tried: 0, kept: 0, common: null, own: null }
}
