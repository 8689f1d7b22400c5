import { sql } from 'kysely'
import type { OpPayload, ReportStatus } from '#src/contract/study.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Release, renewedIn } from './releaseStore.ts'

/** Reports on one question that nobody has answered, most reporters first. */
export interface OpenReports {
  questionNo: string
  /** HTML; empty when no bank ever held it. */
  stem: string
  libraryNo: string | null
  retired: boolean
  version: number | null
  count: number
  /** Of the oldest, epoch ms. */
  since: number
  reports: Pick<OpPayload<'report'>, 'reason' | 'text'>[]
}

export async function openReports(db: Db): Promise<OpenReports[]> {
  const { rows } = await sql<OpenReports>`
    select r.body ->> 'questionNo' as "questionNo", count(*)::int as count, min((r.body ->> 'at')::bigint) as since,
      coalesce(max(q.body ->> 'stem'), '') as stem, max(a.library_no) as "libraryNo", coalesce(bool_or(q.retired), false) as retired,
      max(q.version) as version,
      json_agg(json_build_object('reason', r.body -> 'reason', 'text', r.body -> 'text') order by (r.body ->> 'at')::bigint) as reports
    from study_record r
    left join answerable a on a.no = r.body ->> 'questionNo'
    left join question q on q.no = a.question_no
    where r.kind = 'report' and r.body ->> 'status' = 'received'
    group by 1 order by 2 desc, 3`.execute(db)
  return rows
}

export interface ReportAnswer {
  status: Exclude<ReportStatus, 'received'>
  reply: string
  /** Epoch ms. */
  at: number
}

/**
 * Answers every open report on these questions, for all reporters at once; returns how many. The students' revs move with it,
 * so that their devices get it with the next sync, and a batch that was read before it is read again.
 */
export async function answerReports(
  db: Db | Tx,
  questionNos: readonly string[],
  { status, reply, at }: ReportAnswer,
): Promise<number> {
  if (questionNos.length === 0) return 0
  const said = JSON.stringify({ status, reply, answeredAt: at })
  const { rows } = await sql`
    with open as (
      select uid, id, row_number() over (partition by uid order by id) as place from study_record
      where kind = 'report' and body ->> 'status' = 'received' and body ->> 'questionNo' = any(${questionNos})
    ), moved as (
      update student s set study_rev = s.study_rev + own.n
      from (select uid, count(*) as n from open group by uid) own where s.uid = own.uid
      returning s.uid, s.study_rev - own.n as before
    )
    update study_record r set rev = moved.before + open.place, body = (r.body::jsonb || ${said}::jsonb)::json
    from open join moved on moved.uid = open.uid
    where r.uid = open.uid and r.kind = 'report' and r.id = open.id and r.body ->> 'status' = 'received'
    returning r.id`.execute(db)
  return rows.length
}

/** Answers the open reports on all questions that a release gave a new version. */
export async function answerFixed(
  tx: Tx,
  release: Release,
  { reply, at }: Omit<ReportAnswer, 'status'>,
): Promise<void> {
  for await (const nos of renewedIn(tx, release)) await answerReports(tx, nos, { status: 'fixed', reply, at })
}
