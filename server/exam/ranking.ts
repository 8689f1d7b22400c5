import { sql } from 'kysely'
import { BANDS, type ExamRank, type ExamReport, RANK_TOP } from '#src/contract/exam.ts'
import type { PaperSection } from '#src/contract/questionSet.ts'
import { whyUnranked } from '#src/domain/paper/exam.ts'
import { resultOfMarks } from '#src/domain/paper/paper.ts'
import { maskName } from '#src/domain/text/text.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { asRanked, isGenuine, markSitting } from './marking.ts'
import { type HandedIn, readHandedIn, readSections } from './store.ts'

/** Sittings that are counted in one transaction. */
const CHUNK = 200

/** A score that is ranked, of the whole paper and of each of its sections. */
export interface RankedScore {
  examNo: string
  uid: string
  rev: string
  score: number
  sections: readonly number[]
  elapsedMs: number
  /** It came after its end. */
  late: boolean
}
interface Waiting {
  examNo: string
  uid: string
  attemptId: string
}

/**
 * Counts hand-ins that have arrived, each once; replicas take different ones. False: none waits.
 * @param now epoch ms: a ranking that has closed waits for no device any more. @param only of this student.
 */
export const rankSome = (db: Db, now: number, only: string | null = null): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await sql`update exam_entry e set held = false from exam x
      where e.held and x.no = e.exam_no and x.rank_closes_at <= ${now} ${only === null ? sql`` : sql`and e.uid = ${only}`}`.execute(
      tx,
    )
    const { rows: waiting } = await sql<Waiting>`
      select exam_no as "examNo", uid, attempt_id as "attemptId" from exam_entry
      where handed_at is not null and not counted and not held ${only === null ? sql`` : sql`and uid = ${only}`}
      order by handed_at limit ${CHUNK} for update skip locked`.execute(tx)
    if (waiting.length === 0) return false
    const papers = new Map<string, PaperSection[]>()
    const scores: RankedScore[] = []
    for (const entry of waiting) {
      const score = await scoreOf(tx, entry, papers)
      if (score) scores.push(score)
    }
    await tx
      .updateTable('exam_entry')
      .set({ counted: true })
      .where(
        sql<boolean>`(exam_no, uid) in (select * from unnest(${waiting.map((each) => each.examNo)}::text[], ${waiting.map((each) => each.uid)}::text[]))`,
      )
      .execute()
    await writeScores(tx, scores)
    return true
  })

/** Null: not ranked. */
async function scoreOf(
  tx: Tx,
  { examNo, uid, attemptId }: Waiting,
  papers: Map<string, PaperSection[]>,
): Promise<RankedScore | null> {
  const handed = await readHandedIn(tx, uid, attemptId)
  if (!handed || handed.no !== examNo || unrankedOf(attemptId, handed)) return null
  const { rev, partial, sitting } = handed
  const key = `${examNo} ${rev}`
  const sections = papers.get(key) ?? (await readSections(tx, examNo, rev))
  papers.set(key, sections)
  const { earned } = markSitting(asRanked(handed), sections)
  const { bySection } = resultOfMarks({ partial, sections }, earned.marks)
  const { elapsedMs, flags } = sitting
  const parts = bySection.map(({ score }) => score)
  return { examNo, uid, rev, score: earned.score, sections: parts, elapsedMs, late: flags.includes('late') }
}

/** @returns null: it is ranked, or will be. */
export const unrankedOf = (attemptId: string, handed: HandedIn) =>
  whyUnranked({
    ...handed,
    ...handed.sitting,
    genuine: isGenuine(attemptId, handed),
    arrivedAt: handed.handedAt,
  })

/** Of entries that have no score yet. */
export async function writeScores(tx: Tx, scores: readonly RankedScore[]): Promise<void> {
  if (scores.length === 0) return
  const rows = scores.map((each) => ({ ...each, parts: [each.score, ...each.sections] }))
  await sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as t("examNo" text, uid text, rev text, score int, parts json, "elapsedMs" bigint, late boolean)
    ), placed as (
      update exam_entry e set score = g.score, elapsed_ms = g."elapsedMs", late = g.late, counted = true
      from given g where e.exam_no = g."examNo" and e.uid = g.uid
    )
    insert into exam_tally (exam_no, part, rev, score, n)
    select g."examNo", p.at - 1, g.rev, p.score::int, count(*)
    from given g, json_array_elements_text(g.parts) with ordinality as p(score, at)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (exam_no, part, rev, score) do update set n = exam_tally.n + excluded.n`.execute(tx)
}

type Standing = Pick<ExamReport, 'ranked' | 'average' | 'best' | 'bands'> & { above: number; below: number }

/** Where a score stands among the ranked ones: a sum over their different scores, however many students have them. */
async function standingOf(db: Db, no: string, score: number): Promise<Standing> {
  const { rows } = await sql<Omit<Standing, 'bands'> & { bands: Record<string, number> | null }>`
    with tally as (
      select t.score, t.n, least(${BANDS - 1}::int, t.score * ${BANDS}::int / greatest(1, x.full_score)) as band
      from exam_tally t join exam x on x.no = t.exam_no where t.exam_no = ${no} and t.part = 0
    )
    select coalesce(sum(n), 0)::int as ranked, round(sum(score::bigint * n) / sum(n))::int as average, max(score) as best,
      coalesce(sum(n) filter (where score > ${score}), 0)::int as above,
      coalesce(sum(n) filter (where score < ${score}), 0)::int as below,
      (select json_object_agg(band, n) from (select band, sum(n) as n from tally group by band) b) as bands
    from tally`.execute(db)
  const { bands, ...sums } = rows[0] ?? { ranked: 0, average: null, best: null, above: 0, below: 0, bands: null }
  return { ...sums, bands: Array.from({ length: BANDS }, (_, band) => bands?.[band] ?? 0) }
}

const perMille = (below: number, others: number): number | null =>
  others > 0 ? Math.floor((below * 1000) / others) : null

/** Where a sitting stands: a ranked one with what it is ranked by. @param paper the sections of its paper. */
export async function reportOf(
  db: Db,
  attemptId: string,
  handed: HandedIn,
  paper: PaperSection[],
  now: number,
): Promise<ExamReport> {
  const { no, rev, rankedScore } = handed
  const { score } = markSitting(handed, paper).earned
  const unranked = handed.ranked ? null : unrankedOf(attemptId, handed)
  const [{ above, below, ...standing }, averages] = await Promise.all([
    standingOf(db, no, rankedScore ?? score),
    sectionAverages(db, no, rev),
  ])
  return {
    attemptId,
    no,
    asOf: now,
    ...standing,
    rank: handed.ranked ? above + 1 : null,
    unranked,
    // What its device brought after the key was known, or the ranking had closed, moves no place.
    ...(rankedScore !== null && rankedScore !== score && { rankedScore }),
    beaten: perMille(below, handed.ranked ? standing.ranked - 1 : standing.ranked),
    sections: Array.from({ length: paper.length }, (_, at) => averages.get(at + 1) ?? null),
  }
}

async function sectionAverages(db: Db, no: string, rev: string): Promise<Map<number, number>> {
  const { rows } = await sql<{ part: number; average: number }>`
    select part, round(sum(score::bigint * n) / sum(n))::int as average from exam_tally
    where exam_no = ${no} and rev = ${rev} and part > 0 group by part`.execute(db)
  return new Map(rows.map(({ part, average }) => [part, average]))
}

interface Place {
  uid: string
  attemptId: string
  name: string
  hidden: boolean
  score: number
  elapsedMs: number
  late: boolean
}
/** Whoever has closed their account keeps the place, and nothing more; a name is there for others with its student's consent alone. */
const placed = sql`select e.uid, e.attempt_id as "attemptId", coalesce(s.nickname, '') as name, e.score,
    e.elapsed_ms as "elapsedMs", e.late, not coalesce((select c.given from consent c where c.uid = s.uid and c.kind = 'rankName'
      order by c.id desc limit 1), false) as hidden
  from exam_entry e left join student s on s.uid = e.uid`

/** The first places and this student's. */
export async function rankOf(db: Db, no: string, uid: string | null, now: number): Promise<ExamRank> {
  const { rows: top } = await sql<Place>`
    ${placed} where e.exam_no = ${no} and e.score is not null order by e.score desc, e.elapsed_ms, e.uid limit ${RANK_TOP}`.execute(
    db,
  )
  const { rows: mine } = await sql<Place>`
    ${placed} where e.exam_no = ${no} and e.uid = ${uid} and e.score is not null`.execute(db)
  const [me] = mine
  const { above, below, ranked, average } = await standingOf(db, no, me?.score ?? 0)
  return {
    no,
    asOf: now,
    ranked,
    average,
    top: top.map(({ score, elapsedMs, late, name, hidden, uid: of }) => ({
      rank: top.findIndex((each) => each.score === score) + 1,
      name: hidden ? '匿名考生' : maskName(name),
      score,
      elapsedMs,
      late,
      me: of === uid,
    })),
    mine: me
      ? {
          attemptId: me.attemptId,
          rank: above + 1,
          score: me.score,
          elapsedMs: me.elapsedMs,
          beaten: perMille(below, ranked - 1),
        }
      : null,
  }
}
