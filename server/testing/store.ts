import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#src/contract/scalar.ts'
import type { TestingDetail, TestingHead, TestingPaper } from '#src/contract/testing.ts'
import type { PartialRule } from '#src/domain/question/rules.ts'
import type { Markables } from '#src/domain/paper/paper.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { inScope } from '#server/structural/store.ts'

const head: RawBuilder<TestingHead> = sql<TestingHead>`t.no, t.title, t.kind,
  case when t.unit_no is not null then json_build_object('course', t.course_no, 'no', t.unit_no) end as unit,
  t.minutes, t.count, t.full_score as full`

export async function readTestings(db: Db, scope: Scope): Promise<TestingHead[]> {
  const { rows } = await sql<TestingHead>`
    select ${head} from testing t where ${inScope('t', scope)} order by t.position, t.no`.execute(db)
  return rows
}

/** Null when there is no such testing. */
export async function readTesting(db: Db, no: string): Promise<TestingDetail | null> {
  const { rows } = await sql<TestingDetail>`
    select ${head}, t.intro, t.partial, t.rev, t.guide, t.sections, p.has_multiple as "hasMultiple"
    from testing t join testing_paper p on p.testing_no = t.no and p.rev = t.rev where t.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** Ready JSON of the paper. */
export async function readPaper(db: Db, no: string): Promise<string | null> {
  const { rows } = await sql<Omit<TestingPaper, 'sections'> & { body: string }>`
    select ${head}, t.partial, t.rev, t.guide, p.body
    from testing t join testing_paper p on p.testing_no = t.no and p.rev = t.rev where t.no = ${no}`.execute(db)
  const [paper] = rows
  if (!paper) return null
  const { body, ...rest } = paper
  return `${JSON.stringify(rest).slice(0, -1)},"sections":${body}}`
}

/** A paper as it is marked: the one that was on the screen, else, when this server never had it, the current one. */
export async function readPaperToMark(db: Db, no: string, rev: string): Promise<Markables | null> {
  const { rows } = await sql<{ partial: PartialRule; body: string }>`
    select p.partial, p.body from testing_paper p join testing t on t.no = p.testing_no
    where t.no = ${no} and p.rev in (${rev}, t.rev) order by p.rev = ${rev} desc limit 1`.execute(db)
  const [paper] = rows
  // Checked when it was published.
  return paper ? { partial: paper.partial, sections: JSON.parse(paper.body) } : null
}

export interface TestingRow extends Omit<TestingDetail, 'hasMultiple'> {
  directions: string[]
  areas: string[]
  /** JSON text of the contract's Sections. */
  body: string
  questions: string[]
}

/** A testing as it was published. Null: there is none. */
export async function readPublished(db: Db, no: string): Promise<Omit<TestingRow, 'questions'> | null> {
  const { rows } = await sql<Omit<TestingRow, 'questions'>>`
    select ${head}, t.intro, t.partial, t.rev, t.guide, t.sections, t.directions, t.areas, p.body
    from testing t join testing_paper p on p.testing_no = t.no and p.rev = t.rev where t.no = ${no}`.execute(db)
  return rows[0] ?? null
}

/** What publishing came to: `changed` is another paper than before. */
export type Publication = 'added' | 'changed' | 'same'

/** Publishes a testing. It is free, so anybody may have its questions from now on. */
export async function writeTesting(tx: Tx, testing: TestingRow): Promise<Publication> {
  const { unit, full, body, questions, sections, guide, ...same } = testing
  const row = {
    ...same,
    course_no: unit?.course ?? null,
    unit_no: unit?.no ?? null,
    full_score: full,
    sections: JSON.stringify(sections),
    guide: JSON.stringify(guide),
  }
  const { no, rev, partial } = testing
  const before = await tx.selectFrom('testing').select('rev').where('no', '=', no).executeTakeFirst()
  await tx
    .insertInto('testing')
    .values({ ...row, position: sql`(select coalesce(max(position) + 1, 0) from testing)` })
    .onConflict((c) => c.column('no').doUpdateSet(row))
    .execute()
  await tx
    .insertInto('testing_paper')
    .values({ testing_no: no, rev, partial, body })
    .onConflict((c) => c.doNothing())
    .execute()
  await sql`update question set free = true where not free and no = any(${questions})`.execute(tx)
  if (!before) return 'added'
  return before.rev === rev ? 'same' : 'changed'
}
