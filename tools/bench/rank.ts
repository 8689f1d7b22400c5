import { sql } from 'kysely'
import { openDatabase } from '#server/db/open.ts'
import { rankOf } from '#server/exam/ranking.ts'
import { median, type Row } from './figures.ts'
import { startPostgres } from './postgres.ts'

const FEW = 1_000
const MANY = 1_000_000
const READINGS = 30
/** Full marks of 提干, in steps of half a mark. */
const FULL = 75_000
const STEP = 50

/** What a place, a percentile and the first 100 cost among a million participants, against a thousand. */
export async function rank(): Promise<Row[]> {
  const postgres = await startPostgres()
  if ('why' in postgres) return [{ name: 'rank among 1,000,000', why: postgres.why }]
  const db = await openDatabase({ url: postgres.url }, () => {})
  const read = async (exam: string, count: number) => {
    const times: number[] = []
    for (let i = 0; i < READINGS; i++) {
      const began = performance.now()
      const said = await rankOf(db, exam, `p${1 + ((i * 7_919) % count)}`, Date.now())
      times.push(performance.now() - began)
      if (said.ranked !== count || said.mine === null || said.top.length !== 100)
        throw new Error('not the whole ranking')
    }
    return times
  }
  await sql`insert into student (uid, mobile, nickname, portrait, created_at)
    select 'p' || i, i::text, '考生' || i, '', 0 from generate_series(1, ${MANY}) i`.execute(db)
  for (const [exam, count] of [
    ['few', FEW],
    ['many', MANY],
  ] as const) {
    await sql`insert into exam (no, kind, title, intro, price, vip, minutes, partial, count, full_score, sections, rev, position)
      values (${exam}, 'mock', '', '', 0, false, 180, 'none', 110, ${FULL}, '[]', 'r', 0)`.execute(db)
    // Three throws: most are in the middle.
    await sql`insert into exam_entry (exam_no, uid, attempt_id, handed_at, counted, score, elapsed_ms)
      select ${exam}, 'p' || i, 'a' || i, 0, true, round((random() + random() + random()) / 3 * ${FULL / STEP})::int * ${STEP}, i
      from generate_series(1, ${count}::int) i`.execute(db)
    await sql`insert into exam_tally (exam_no, part, rev, score, n)
      select exam_no, 0, 'r', score, count(*) from exam_entry where exam_no = ${exam} group by 1, 4`.execute(db)
  }
  await sql`vacuum analyze`.execute(db)
  const [few, many] = [await read('few', FEW), await read('many', MANY)]
  await db.destroy()
  const of = (times: number[]) => `${median(times).toFixed(1)} ms`
  return [
    {
      name: 'rank and first 100 of 1,000,000',
      value: median(many),
      unit: 'ms',
      note: `PostgreSQL ${postgres.version}`,
    },
    {
      name: 'rank, 1,000,000 against 1,000 participants',
      value: median(many) / median(few),
      unit: '×',
      note: `${of(many)} and ${of(few)}`,
    },
  ]
}
