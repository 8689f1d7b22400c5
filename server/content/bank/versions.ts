import { rulesOf } from '#src/domain/question/types.ts'
import { sql } from 'kysely'
import type { PlainQuestion, Question } from '#src/contract/question.ts'
import { askedOptions } from '#src/domain/question/choice.ts'
import type { Markable } from '#src/domain/question/rules.ts'
import { partsOf } from '#src/domain/study/study.ts'
import type { Tx } from '#server/db/open.ts'

interface Incoming {
  question: Question
  hash: string
}
interface Before {
  hash: string
  version: number
}
/** What new versions mean for answers that were given before. */
interface Renewal {
  /** What asks the same as before and is marked otherwise now. */
  remark: string[]
  settle: () => Promise<void>
}

export const versionAfter = (old: Before, hash: string): number => old.version + (old.hash === hash ? 0 : 1)

/** The parts of a material share its version. */
export function stamped(question: Question, version: number): Question {
  if (question.type !== 'composite') return { ...question, version }
  return { ...question, version, parts: question.parts.map((part) => ({ ...part, version })) }
}

/** As it was written before it got its version. */
export function unstamped(question: Question): Question {
  const plain = bare(question)
  return plain.type === 'composite' ? { ...plain, parts: plain.parts.map(bare) } : plain
}
function bare<Q extends Question>(question: Q): Q {
  const copy = { ...question }
  delete copy.version
  return copy
}

/** The part of a question that marking reads. */
export const markable = (question: PlainQuestion): Markable => rulesOf(question).markable(question)

/** By number, what each part asks, its material with it, and how it is marked. */
function asked(question: Question): Map<string, { what: string; key: string }> {
  const material = question.type === 'composite' ? question.stem : ''
  return new Map(
    partsOf(question).map((part) => {
      const { no, type, stem } = part
      const options = 'options' in part ? askedOptions(part) : []
      return [no, { what: JSON.stringify([material, type, stem, options]), key: rulesOf(part).keyId(part) }]
    }),
  )
}

/**
 * Keeps the bodies and keys that are about to be replaced. `settle`, once the new ones are there, says since when they stand:
 * answers to an earlier asking keep their mark, and what still comes in of them is marked by its own last key.
 */
export async function renew(
  tx: Tx,
  rows: readonly Incoming[],
  before: ReadonlyMap<string, Before>,
  at: number,
): Promise<Renewal> {
  const changed = rows.filter(({ question, hash }) => (before.get(question.no)?.hash ?? hash) !== hash)
  const nos = changed.map(({ question }) => question.no)
  const { rows: old } = nos.length === 0 ? { rows: [] } : await keep(tx, nos, at)
  const bodies = new Map(old.map((row) => [row.no, row]))
  const remark: string[] = []
  const moved: Moved[] = []
  for (const { question } of changed) {
    const then = bodies.get(question.no)
    if (!then) continue
    const earlier = asked(then.body)
    for (const [no, { what, key }] of asked(question)) {
      const other = earlier.get(no)?.what !== what
      if (!other && earlier.get(no)?.key === key) continue
      moved.push({ no, version: then.version + 1, other })
      if (!other) remark.push(no)
    }
  }
  await keepKeys(tx, moved)
  return { remark, settle: () => begin(tx, moved) }
}

const keep = (tx: Tx, nos: readonly string[], at: number) =>
  sql<{ no: string; version: number; body: Question }>`
    with kept as (
      insert into question_version (question_no, version, hash, body, replaced_at)
      select no, version, hash, body, ${at} from question where no = any(${nos})
    )
    select no, version, body from question where no = any(${nos})`.execute(tx)

/** `other`: it asks something else now, not only has another key. */
interface Moved {
  no: string
  version: number
  other: boolean
}
async function keepKeys(tx: Tx, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return
  await sql`
    insert into answerable_past (no, since, upto, body)
    select a.no, a.since, t.version - 1, a.body from answerable a
    join json_to_recordset(${JSON.stringify(moved)}::json) as t(no text, version int) on t.no = a.no`.execute(tx)
}

async function begin(tx: Tx, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return
  await sql`update answerable a set keyed = t.version, since = case when t.other then t.version else a.since end
    from json_to_recordset(${JSON.stringify(moved)}::json) as t(no text, version int, other boolean) where t.no = a.no`.execute(
    tx,
  )
}
