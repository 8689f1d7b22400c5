import { sql } from 'kysely'
import { BLOCK_SIZE } from '#src/contract/question.ts'
import type { Tx } from '#server/db/open.ts'

/** Cuts chapters into blocks of ready JSON. The rev is a hash of it, so an unchanged block keeps its rev. */
export async function rebuildBlocks(tx: Tx, chapters: string[]): Promise<void> {
  await sql`delete from block where chapter_no = any(${chapters})`.execute(tx)
  await sql`
    insert into block (chapter_no, at, rev, count, body)
    select chapter_no, at, left(translate(encode(sha256(convert_to(body, 'UTF8')), 'base64'), '+/', '-_'), 10), count, body
    from (
      select chapter_no, at, count(*)::int as count, '[' || string_agg(body, ',' order by place) || ']' as body
      from (
        select chapter_no, body::text as body, place, ((place - 1) / ${BLOCK_SIZE}::int)::int as at
        from (
          select *, row_number() over (partition by chapter_no order by position, no) as place
          from question where chapter_no = any(${chapters}) and not retired
        ) placed
      ) cut group by chapter_no, at
    ) blocks`.execute(tx)
}

/** How many a chapter and those below it hold, every part of a material by itself. */
export async function countQuestions(tx: Tx, libraryNo: string): Promise<void> {
  await sql`
    with recursive own as (
      select a.chapter_no as no, count(*)::int as n from answerable a join question q on q.no = a.question_no
      where a.library_no = ${libraryNo} and a.chapter_no is not null and not q.retired group by a.chapter_no
    ), up as (
      select c.no, c.parent, own.n from chapter c join own on own.no = c.no
      union all
      select p.no, p.parent, up.n from chapter p join up on up.parent = p.no
    ), sums as (select no, sum(n)::int as total from up group by no)
    update chapter c set total = coalesce((select total from sums where sums.no = c.no), 0) where c.library_no = ${libraryNo}`.execute(
    tx,
  )
}
