import { type RawBuilder, sql } from 'kysely'
import type { ExamSittingRecord } from '#src/contract/sitting.ts'
import type { ExamDetail, ExamHead, ExamKind, ExamPaper, Window } from '#src/contract/exam.ts'
import type { PaperSection } from '#src/contract/questionSet.ts'
import type { Response } from '#src/contract/response.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { PartialRule } from '#src/domain/question/rules.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Asker, isByVip, isExamOpenTo } from '#server/rights/store.ts'
import { inScope } from '#server/structural/store.ts'

const windowOf = sql<Window | null>`case when x.starts_at is not null
  then json_build_object('from', x.starts_at, 'to', x.ends_at) end`
const head = ({ uid, now }: Asker): RawBuilder<ExamHead> => sql<ExamHead>`x.no, x.title, x.kind,
  ${windowOf} as window, x.rank_closes_at as "rankClosesAt", x.minutes, x.count,
  x.full_score as full, x.price, x.vip, ${isExamOpenTo(uid, now)} as open,
  ${isByVip(uid, now, 'x')} as "byVip", x.apply_count as "applyCount",
  exists (select from exam_apply a where a.exam_no = x.no and a.uid = ${uid}) as applied`

export async function readExams(db: Db, scope: Scope, asker: Asker): Promise<ExamHead[]> {
  const { rows } = await sql<ExamHead>`
    select ${head(asker)} from exam x where ${inScope('x', scope)} order by x.position, x.no`.execute(db)
  return rows
}

/** Those that are not over: under way first, what ends sooner earlier, then what starts sooner (domain/paper/exam.ts, bySchedule). */
export async function readOpenExams(db: Db, scope: Scope, asker: Asker, limit: number): Promise<ExamHead[]> {
  const { rows } = await sql<ExamHead>`
    select ${head(asker)} from exam x where ${inScope('x', scope)} and (x.ends_at is null or x.ends_at > ${asker.now})
    order by case when x.starts_at > ${asker.now} then x.starts_at end nulls first, x.ends_at nulls last, x.position, x.no
    limit ${limit}`.execute(db)
  return rows
}

/** Null when there is no such exam. */
export async function readExam(db: Db, no: string, asker: Asker): Promise<ExamDetail | null> {
  const { rows } = await sql<ExamDetail>`
    select ${head(asker)}, x.intro, x.rev, x.partial, x.sections, p.has_multiple as "hasMultiple"
    from exam x join exam_paper p on p.exam_no = x.no and p.rev = x.rev where x.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** What a sitting's course is judged by. */
export interface Held {
  minutes: number
  window: Window | null
}
/** Null: no such exam, or never with that paper. */
export async function readHeld(db: Db, no: string, rev: string): Promise<Held | null> {
  const { rows } = await sql<Held>`
    select p.minutes, ${windowOf} as window from exam x join exam_paper p on p.exam_no = x.no and p.rev = ${rev}
    where x.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** Ready JSON of the paper as it is asked. Null: this student has not applied, or there is none. */
export async function readPaper(db: Db, uid: string, no: string): Promise<string | null> {
  const { rows } = await sql<Omit<ExamPaper, 'sections'> & { asked: string }>`
    select x.no, x.rev, x.title, x.kind, ${windowOf} as window, x.rank_closes_at as "rankClosesAt", x.minutes, x.count,
      x.full_score as full, x.partial, p.asked
    from exam x join exam_paper p on p.exam_no = x.no and p.rev = x.rev
    join exam_apply a on a.exam_no = x.no and a.uid = ${uid} where x.no = ${no}`.execute(db)
  const [paper] = rows
  if (!paper) return null
  const { asked, ...head } = paper
  return `${JSON.stringify(head).slice(0, -1)},"sections":${asked}}`
}

/** Notes when this student is given the paper, the first time alone. */
export async function noteOpened(db: Db, no: string, uid: string, now: number): Promise<void> {
  await db
    .updateTable('exam_apply')
    .set({ opened_at: now })
    .where('exam_no', '=', no)
    .where('uid', '=', uid)
    .where('opened_at', 'is', null)
    .execute()
}

/** What names the hand-ins that the server has made itself, where those of students have the device. */
export const SERVER_DEVICE = '00000000-0000-0000-0000-000000000000'

/** A sitting that is handed in, with what its hand-in names. Null: none of this student's, or of an exam they never applied for. */
export async function readHandedIn(db: Db | Tx, uid: string, attemptId: string): Promise<HandedIn | null> {
  const { rows } = await sql<HandedIn>`
    select x.no, p.rev, p.partial, ${windowOf} as window, p.minutes, x.rank_closes_at as "rankClosesAt", r.body as sitting,
      a.opened_at as "openedAt",
      e.attempt_id is not distinct from r.id and not exists (
        select from study_record o join study_op oh on oh.uid = o.uid and oh.op_id = (o.body ->> 'handIn')::uuid
        where o.uid = ${uid} and o.kind = 'exam' and o.id <> r.id and o.body ->> 'exam' = x.no and o.body ->> 'handIn' <> ''
          and oh.device <> ${SERVER_DEVICE} and oh.created_at < h.created_at) as first, e.score is not null and e.attempt_id = r.id as ranked,
      case when e.attempt_id = r.id then e.score end as "rankedScore", coalesce(e.handed_at, h.created_at) as "handedAt",
      coalesce((select json_agg(json_build_object('questionNo', o.payload ->> 'questionNo', 'response', o.payload -> 'response',
          'spentMs', o.payload -> 'spentMs', 'elapsedMs', o.payload -> 'elapsedMs', 'at', o.effective_at, 'arrivedAt', o.created_at) order by c.at)
        from jsonb_array_elements_text(h.payload -> 'choices') with ordinality as c(id, at)
        join study_op o on o.uid = ${uid} and o.op_id = c.id::uuid
        where o.kind = 'examChoice' and o.verdict = 'applied' and o.payload ->> 'attemptId' = ${attemptId}), '[]') as choices
    from study_record r join exam x on x.no = r.body ->> 'exam'
    join exam_apply a on a.exam_no = x.no and a.uid = ${uid}
    join exam_paper p on p.exam_no = x.no and p.rev = r.body ->> 'rev'
    join study_op h on h.uid = ${uid} and h.op_id = (r.body ->> 'handIn')::uuid
    left join exam_entry e on e.exam_no = x.no and e.uid = ${uid}
    where r.uid = ${uid} and r.kind = 'exam' and r.id = ${attemptId} and r.body ->> 'handIn' <> ''`.execute(db)
  return rows[0] ?? null
}
export interface HandedIn extends Held {
  no: string
  rev: string
  partial: PartialRule
  rankClosesAt: number | null
  sitting: ExamSittingRecord
  /** The first of this exam that the server heard of, and no other was handed in before it: that would have given the key. */
  first: boolean
  /** It has been counted, and is in the ranking. */
  ranked: boolean
  /** What it has in the ranking; null: nothing. */
  rankedScore: number | null
  /** When the hand-in arrived, epoch ms. */
  handedAt: number
  /** When the server gave this student the paper first, epoch ms. */
  openedAt: number | null
  /** In the order in which they are named; one to a question may be followed by a later one. */
  choices: {
    questionNo: string
    response: Response
    spentMs: number
    elapsedMs: number
    /** Its place among what the device did, and when it came, epoch ms. */
    at: number
    arrivedAt: number
  }[]
}

/** @throws Error when there never was such a paper. */
export async function readSealKey(db: Db, { no, rev }: { no: string; rev: string }): Promise<Buffer> {
  const row = db.selectFrom('exam_paper').select('seal_key').where('exam_no', '=', no).where('rev', '=', rev)
  return (await row.executeTakeFirstOrThrow()).seal_key
}

/** A paper as it was published, keys and all. @throws Error when there never was one. */
export async function readSections(db: Db | Tx, no: string, rev: string): Promise<PaperSection[]> {
  const { body } = await db
    .selectFrom('exam_paper')
    .select('body')
    .where('exam_no', '=', no)
    .where('rev', '=', rev)
    .executeTakeFirstOrThrow()
  // Checked when it was published.
  return JSON.parse(body)
}

/** How many have applied, this student among them. Counts each of them once, however often and at once it is asked. */
export async function apply(db: Db, uid: string, no: string, now: number): Promise<number> {
  const { rows } = await sql<{ applyCount: number }>`
    with fresh as (
      insert into exam_apply (exam_no, uid, at) values (${no}, ${uid}, ${now}) on conflict do nothing returning 1
    ), counted as (
      update exam set apply_count = apply_count + 1 where no = ${no} and exists (select from fresh) returning apply_count
    )
    select coalesce((select apply_count from counted), (select apply_count from exam where no = ${no})) as "applyCount"`.execute(
    db,
  )
  return rows[0]?.applyCount ?? 0
}

export interface ExamRow {
  no: string
  kind: ExamKind
  title: string
  intro: string
  directions: string[]
  areas: string[]
  price: number
  vip: boolean
  window: Window | null
  rankClosesAt: number | null
  minutes: number
  partial: PartialRule
  count: number
  full: number
  sections: ExamDetail['sections']
  /** Of the paper: all that a score depends on. */
  rev: string
  /** JSON text of the contract's Sections, and of the same as AskedSections. */
  body: string
  asked: string
}

/** An exam as it was published. Null: there is none. */
export async function readPublished(db: Db | Tx, no: string): Promise<ExamRow | null> {
  const { rows } = await sql<ExamRow>`
    select x.no, x.kind, x.title, x.intro, x.directions, x.areas, x.price, x.vip, ${windowOf} as window,
      x.rank_closes_at as "rankClosesAt", x.minutes, x.partial, x.count, x.full_score as full, x.sections, x.rev, p.body, p.asked
    from exam x join exam_paper p on p.exam_no = x.no and p.rev = x.rev where x.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** What publishing came to: `changed` is another paper than before. */
export type Publication = 'added' | 'changed' | 'same'

/** Publishes an exam; who has applied stays so. */
export async function writeExam(tx: Tx, exam: ExamRow): Promise<Publication> {
  const { window, rankClosesAt, full, body, asked, sections, ...same } = exam
  const row = {
    ...same,
    starts_at: window?.from ?? null,
    ends_at: window?.to ?? null,
    rank_closes_at: rankClosesAt,
    full_score: full,
    sections: JSON.stringify(sections),
  }
  const before = await tx
    .selectFrom('exam')
    .select(['rev', 'rank_closes_at'])
    .where('no', '=', exam.no)
    .executeTakeFirst()
  await tx
    .insertInto('exam')
    .values({ ...row, position: sql`(select coalesce(max(position) + 1, 0) from exam)` })
    .onConflict((c) => c.column('no').doUpdateSet(row))
    .execute()
  await tx
    .insertInto('exam_paper')
    .values({ exam_no: exam.no, rev: exam.rev, partial: exam.partial, minutes: exam.minutes, body, asked })
    .onConflict((c) => c.doNothing())
    .execute()
  await sql`insert into exam_question (exam_no, question_no)
    select distinct ${exam.no}, e -> 'question' ->> 'no' from json_array_elements(${body}::json) s, json_array_elements(s -> 'entries') e
    on conflict do nothing`.execute(tx)
  await sql`update answerable a set guarded = true from exam_question m join question q on q.no = m.question_no
    where m.exam_no = ${exam.no} and a.question_no = q.no and not q.free and not a.guarded`.execute(tx)
  // Who was late for it may not be late any more.
  if (before && before.rank_closes_at !== rankClosesAt)
    await tx
      .updateTable('exam_entry')
      .set({ counted: false })
      .where('exam_no', '=', exam.no)
      .where('score', 'is', null)
      .execute()
  if (!before) return 'added'
  return before.rev === exam.rev ? 'same' : 'changed'
}

/** Exams whose results are to come and whose questions, of this library, nobody else can read yet. @param now epoch ms. */
export async function readKeptBy(tx: Tx, libraryNo: string, now: number): Promise<{ no: string; count: number }[]> {
  const { rows } = await sql<{ no: string; count: number }>`
    select x.no, count(distinct q.no)::int as count from answerable a join question q on q.no = a.question_no
    join exam_question m on m.question_no = q.no join exam x on x.no = m.exam_no
    where a.library_no = ${libraryNo} and not q.free and greatest(x.ends_at, x.rank_closes_at) > ${now} and x.ends_at is not null
    group by x.no order by x.no`.execute(tx)
  return rows
}

/** Who closes their account leaves the places that they have in rankings, so that nobody else's moves, to nobody at all. */
export async function forgetEntrant(tx: Tx, uid: string): Promise<void> {
  await sql`update exam_entry set uid = 'closed_' || gen_random_uuid(), attempt_id = gen_random_uuid()::text, handed_at = null
    where uid = ${uid} and score is not null`.execute(tx)
  await tx.deleteFrom('exam_entry').where('uid', '=', uid).execute()
}
