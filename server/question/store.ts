import { sql } from 'kysely'
import type { Library, Outline, Pack } from '#src/contract/question.ts'
import type { Scope } from '#src/contract/scalar.ts'
import { isListed, mayRead } from '#server/rights/store.ts'
import type { Tally } from './statistics.ts'
import type { Db } from '#server/db/open.ts'
import { inPaperOrder, inScope } from '#server/structural/store.ts'

/** Libraries for the scope. */
export async function readLibraries(db: Db, scope: Scope): Promise<Library[]> {
  const { rows } = await sql<Library>`
    select l.no, l.title, json_build_object('no', s.no, 'name', s.name) as subject,
      coalesce(sum(c.total) filter (where c.parent is null), 0)::int as total,
      coalesce(json_agg(json_build_object('no', c.no, 'parent', c.parent, 'title', c.title, 'total', c.total) order by c.position)
        filter (where c.no is not null), '[]') as chapters,
      case when l.pack is not null then json_build_object('rev', l.pack->'rev', 'bytes', l.pack->'bytes', 'pictureBytes', l.pack->'pictureBytes')
        end as pack
    from library l
    join subject s on s.no = l.subject_no
    left join chapter c on c.library_no = l.no and c.total > 0
    where ${inScope('l', scope)} and ${isListed}
    group by l.no, s.no
    order by ${inPaperOrder(scope, 's')}, l.position, l.no`.execute(db)
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
      select c.no, c.library_no, c.title, c.total from chapter c join library l on l.no = c.library_no
      where c.no = ${no} and ${isListed}
      union all
      select l.no, l.no, l.title, (select coalesce(sum(total), 0)::int from chapter where library_no = ${no} and parent is null)
      from library l where l.no = ${no} and ${isListed}
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
    .selectFrom('block as k')
    .innerJoin('chapter as c', 'c.no', 'k.chapter_no')
    .innerJoin('library as l', 'l.no', 'c.library_no')
    .select(['k.rev', 'k.body'])
    .where('k.chapter_no', '=', no)
    .where('k.at', '=', at)
    .where(isListed)
    .executeTakeFirst()
  return row ? `{"no":${JSON.stringify(no)},"at":${at},"rev":${JSON.stringify(row.rev)},"questions":${row.body}}` : null
}

/** Everything of one library at one moment. Null when there is no such library, or nobody has weighed it yet. */
export async function readPack(db: Db, no: string): Promise<Pack | null> {
  const { rows } = await sql<Pack>`
    select l.no, l.title, l.pack->>'rev' as rev, (l.pack->>'bytes')::int as bytes, l.pack->'pictures' as pictures,
      (select coalesce(sum(total), 0)::int from chapter where library_no = l.no and parent is null) as total,
      (select coalesce(json_agg(json_build_object('no', c.no, 'parent', c.parent, 'title', c.title, 'total', c.total) order by c.position), '[]')
        from chapter c where c.library_no = l.no and c.total > 0) as chapters,
      (select coalesce(json_agg(json_build_object('no', k.chapter_no, 'at', k.at, 'rev', k.rev, 'count', k.count,
          'bytes', octet_length(k.body)) order by c.position, k.at), '[]')
        from chapter c join block k on k.chapter_no = c.no where c.library_no = l.no) as blocks
    from library l where l.no = ${no} and l.pack is not null and ${isListed}`.execute(db)
  return rows[0] ?? null
}

/** The ready JSON of those blocks that are still at this rev. The questions travel as a string, byte for byte what was hashed. */
export async function readBundle(db: Db, list: readonly { no: string; at: number; rev: string }[]): Promise<string> {
  const { rows } = await sql<{ no: string; at: number; rev: string; json: string }>`
    select k.chapter_no as no, k.at, k.rev, k.body as json
    from json_to_recordset(${JSON.stringify(list)}::json) as t(no text, at bigint, rev text)
    join block k on k.chapter_no = t.no and k.at = t.at and k.rev = t.rev
    join chapter c on c.no = k.chapter_no join library l on l.no = c.library_no where ${isListed}`.execute(db)
  return JSON.stringify(rows)
}

export async function readTallies(db: Db, chapterNo: string): Promise<Tally[]> {
  const { rows } = await sql<Tally>`
    select a.no, a.body, json_agg(json_build_object('pick', t.pick, 'n', t.n, 'right', t."right")) as picks
    from question q join answerable a on a.question_no = q.no join tally t on t.question_no = a.no and t.since = a.since and t.n > 0
    where q.chapter_no = ${chapterNo} and not q.retired group by a.no order by a.no`.execute(db)
  return rows
}

/** Ready JSON: bodies are as they were checked at import. */
export async function readSome(db: Db, uid: string, nos: string[], now: number): Promise<string> {
  const { rows } = await sql<{ json: string }>`
    select distinct on (q.no) '{"question":' || q.body::text || ',"chapterNo":' || coalesce(to_json(q.chapter_no)::text, 'null')
      || ',"libraryNo":' || coalesce(to_json(a.library_no)::text, 'null') || ',"retired":' || q.retired::text || '}' as json
    from (
      select id as no from study_record where uid = ${uid} and kind = 'state' and id = any(${nos})
      union
      select body ->> 'questionNo' from study_record
        where uid = ${uid} and kind = 'report' and body ->> 'questionNo' = any(${nos})
    ) r
    join answerable a on a.no = r.no
    join question q on q.no = a.question_no
    where ${mayRead(uid, now)}
    order by q.no`.execute(db)
  return `[${rows.map(({ json }) => json).join(',')}]`
}
