import { sql } from 'kysely'
import type { Library, Outline } from '#src/contract/question.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { Db } from '#server/db/open.ts'
import { inScope } from '#server/structural/store.ts'

/** Libraries for the scope. */
export async function readLibraries(db: Db, scope: Scope): Promise<Library[]> {
  const { rows } = await sql<Library>`
    select l.no, l.title, json_build_object('no', s.no, 'name', s.name) as subject,
      coalesce(sum(c.total) filter (where c.parent is null), 0)::int as total,
      coalesce(json_agg(json_build_object('no', c.no, 'parent', c.parent, 'title', c.title, 'total', c.total) order by c.position)
        filter (where c.no is not null), '[]') as chapters
    from library l
    join subject s on s.no = l.subject_no
    left join chapter c on c.library_no = l.no and c.total > 0
    where ${inScope('l', scope)}
    group by l.no, s.no
    order by s.position, l.position, l.no`.execute(db)
  return rows
}

/** Every block below a chapter, or of a whole library, in reading order. Null when there is no such number. */
export async function readOutline(db: Db, no: string): Promise<Outline | null> {
  const { rows } = await sql<Outline>`
    with recursive below as (
      select no, position from chapter where no = ${no} or library_no = ${no}
      union
      select c.no, c.position from chapter c join below b on c.parent = b.no
    ), head as (
      select no, library_no, title, total from chapter where no = ${no}
      union all
      select no, no, title, (select coalesce(sum(total), 0)::int from chapter where library_no = ${no} and parent is null)
      from library where no = ${no}
    )
    select h.no, h.library_no as "libraryNo", h.title, h.total, coalesce((
      select json_agg(json_build_object('no', k.chapter_no, 'at', k.at, 'rev', k.rev, 'count', k.count) order by b.position, k.at)
      from below b join block k on k.chapter_no = b.no
    ), '[]') as blocks
    from head h limit 1`.execute(db)
  return rows[0] ?? null
}

const INT4_MAX = 2_147_483_647

/** The ready JSON of a block, written with its contract at import. Null when there is none at this place. */
export async function readBlock(db: Db, no: string, at: number): Promise<string | null> {
  if (at > INT4_MAX) return null
  const row = await db
    .selectFrom('block')
    .select(['rev', 'body'])
    .where('chapter_no', '=', no)
    .where('at', '=', at)
    .executeTakeFirst()
  return row ? `{"no":${JSON.stringify(no)},"at":${at},"rev":${JSON.stringify(row.rev)},"questions":${row.body}}` : null
}
