import { sql } from 'kysely'
import { MEMORY_FIT, type MemoryFit } from '#src/contract/memoryFit.ts'
import type { Memory, Thing } from '#src/contract/study.ts'
import { fitText } from '#src/domain/study/memoryFit.ts'
import { type MemoryModel, modelOf, remembered } from '#src/domain/study/review.ts'
import { storable } from '#src/domain/text/storable.ts'
import type { Db } from '#server/db/open.ts'
import type { PastAnswer, Histories } from './log.ts'

/** It says by which other parameters a student's memories are to be. */
interface Remodelled {
  uid: string
  /** The record had come so far when the histories were read. */
  rev: number
  histories: Histories
  /** Null: most people's parameters count again. */
  fit: MemoryFit | null
  now: number
}

/**
 * Writes a student's parameters, and what is remembered by them of every question. Their devices get it with the next sync, the
 * parameters before the states.
 * @returns the record's rev after it; null where something of the student's has come meanwhile, and nothing is written.
 */
export async function remodel(db: Db, { uid, rev, histories, fit, now }: Remodelled): Promise<number | null> {
  const model = fit ? modelOf(fit.weights) : undefined
  const memories = [...histories].map(([id, answers], i) => ({
    id,
    rev: rev + 2 + i,
    memory: memoryOf(answers, model),
  }))
  const after = rev + 1 + memories.length
  const body: Thing<'setting'> = { at: now, opId: '', value: fit ? fitText(fit) : '' }
  const { rows: moved } = await sql`
    with moved as (
      update student set study_rev = ${after} where uid = ${uid} and study_rev = ${rev} returning uid
    ), fitted as (
      insert into study_record (uid, kind, id, rev, last_at, last_op, body)
      select moved.uid, 'setting', ${MEMORY_FIT}, ${rev + 1}::bigint, ${now}::bigint, '', ${storable(body)}::json from moved
      on conflict (uid, kind, id) do update set rev = excluded.rev, last_at = excluded.last_at, body = excluded.body
    ), remembered as (
      update study_record r set rev = t.rev, body = jsonb_set(r.body::jsonb, '{memory}', t.memory)::json
      from moved, json_to_recordset(${JSON.stringify(memories)}::json) as t(id text, rev bigint, memory jsonb)
      where r.uid = moved.uid and r.kind = 'state' and r.id = t.id
    )
    select uid from moved`.execute(db)
  return moved.length > 0 ? after : null
}

export const memoryOf = (answers: readonly PastAnswer[], model?: MemoryModel): Memory | undefined =>
  answers.reduce<Memory | undefined>((memory, { days, right }) => remembered(memory, days, right, model), undefined)
