import { sql } from 'kysely'
import type { SetPaperRef } from '#src/contract/sitting.ts'
import type { SetDetail, SetHead, SetKind } from '#src/contract/questionSet.ts'
import type { Scope } from '#src/contract/scalar.ts'
import type { PartialRule } from '#src/domain/question/rules.ts'
import type { Markables } from '#src/domain/paper/paper.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { type Asker, isByVip, isOpenTo, wasOpenTo } from '#server/rights/store.ts'
import { inScope } from '#server/structural/store.ts'

export async function isOpen(db: Db, { uid, now }: Asker, no: string): Promise<boolean> {
  const { rows } = await sql`select from question_set s where s.no = ${no} and ${isOpenTo(uid, now)}`.execute(db)
  return rows.length > 0
}

/** Sets for the scope that have a paper. */
export async function readSets(db: Db, scope: Scope, { uid, now }: Asker): Promise<SetHead[]> {
  const { rows } = await sql<SetHead>`
    select s.no, s.title, s.kind, s.price, s.vip, s.trial, ${isOpenTo(uid, now)} as open,
      ${isByVip(uid, now, 's')} as "byVip", sum(i.count)::int as count,
      json_agg(i.no order by i.position) as papers
    from question_set s join set_item i on i.set_no = s.no and not i.retired
    where ${inScope('s', scope)}
    group by s.no order by s.position, s.no`.execute(db)
  return rows
}

/** Null when there is no such set, or nothing left of it. */
export async function readSet(db: Db, no: string, asker: Asker): Promise<SetDetail | null> {
  const open = await isOpen(db, asker, no)
  const { rows } = await sql<Omit<SetDetail, 'open'>>`
    select s.no, s.title, s.kind, s.price, s.vip, s.trial, s.intro,
      ${isByVip(asker.uid, asker.now, 's')} as "byVip", sum(i.count)::int as count,
      json_agg(json_build_object('no', i.no, 'title', i.title, 'count', i.count, 'full', i.full_score, 'minutes', i.minutes,
        'partial', i.partial, 'locked', case when ${open} then 0 else i.trial_locked end) order by i.position) as items
    from question_set s join set_item i on i.set_no = s.no and not i.retired
    where s.no = ${no} group by s.no`.execute(db)
  return rows[0] ? { ...rows[0], open } : null
}

/** The ready JSON of a paper, whole or what anybody may try. Retired ones too: who opened one goes on in it. */
export async function readPaper(db: Db, setNo: string, itemNo: string, open: boolean): Promise<string | null> {
  const row = await db
    .selectFrom('set_item')
    .select(['no', 'set_no as setNo', 'title', 'count', 'full_score as full', 'minutes', 'partial', 'rev'])
    .select(open ? 'body' : 'trial as body')
    .select(open ? sql<number>`0`.as('locked') : 'trial_locked as locked')
    .where('no', '=', itemNo)
    .where('set_no', '=', setNo)
    .executeTakeFirst()
  if (!row) return null
  const { body, ...head } = row
  return `${JSON.stringify(head).slice(0, -1)},"sections":${body}}`
}

/**
 * A paper as it is marked: the snapshot that was on the student's screen, else, when this server never had it, the current one.
 * Only what anybody may try counts where that was all, or where the paper was neither free nor ever theirs.
 */
export async function readPaperToMark(db: Db, uid: string, ref: SetPaperRef): Promise<Markables | null> {
  const { rows } = await sql<{ partial: PartialRule; sections: string }>`
    select p.partial, case when ${!ref.trial} and (p.free or ${wasOpenTo(uid)}) then p.body else p.trial end as sections
    from set_snapshot p join set_item i on i.no = p.item_no join question_set s on s.no = i.set_no
    where i.no = ${ref.itemNo} and s.no = ${ref.no} and p.rev in (${ref.rev}, i.rev)
    order by p.rev = ${ref.rev} desc limit 1`.execute(db)
  const [paper] = rows
  // Checked when it was published.
  return paper ? { partial: paper.partial, sections: JSON.parse(paper.sections) } : null
}

export interface SetRow {
  no: string
  kind: SetKind
  title: string
  intro: string
  directions: string[]
  areas: string[]
  price: number
  vip: boolean
  trial: number
}
export interface ItemRow {
  no: string
  title: string
  minutes: number
  partial: PartialRule
  count: number
  full_score: number
  sections: { title: string; note: string }[]
  rev: string
  body: string
  trial: string
  trial_locked: number
  entries: { section: number; question_no: string; rev: string; scores: number[] }[]
  /** How many of its entries, from the first, anybody may try. */
  tried: number
}
export interface SetWritten {
  added: number
  changed: number
  retired: number
}

/** Publishes a set: its papers as they are now. One that it no longer has is retired, and one that is the same is left alone. */
export async function writeSet(tx: Tx, set: SetRow, items: readonly ItemRow[]): Promise<SetWritten> {
  await sql`insert into question_set (no, kind, title, intro, directions, areas, price, vip, trial, position)
    select ${set.no}, ${set.kind}, ${set.title}, ${set.intro}, ${set.directions}, ${set.areas}, ${set.price}, ${set.vip}, ${set.trial},
      coalesce(max(position) + 1, 0) from question_set
    on conflict (no) do update set kind = excluded.kind, title = excluded.title, intro = excluded.intro,
      directions = excluded.directions, areas = excluded.areas, price = excluded.price, vip = excluded.vip, trial = excluded.trial`.execute(
    tx,
  )
  const before = await tx.selectFrom('set_item').select(['no', 'rev', 'retired']).where('set_no', '=', set.no).execute()
  const known = new Map(before.filter(({ retired }) => !retired).map(({ no, rev }) => [no, rev]))
  for (const [position, item] of items.entries()) await writeItem(tx, set, position, item)
  await writeRights(tx, set, items)
  const gone = [...known.keys()].filter((no) => items.every((item) => item.no !== no))
  if (gone.length > 0) await tx.updateTable('set_item').set({ retired: true }).where('no', 'in', gone).execute()
  return {
    added: items.filter(({ no }) => !known.has(no)).length,
    changed: items.filter(({ no, rev }) => known.has(no) && known.get(no) !== rev).length,
    retired: gone.length,
  }
}

/** What the set has from now on belongs to who buys it, and to everybody what they need not buy. */
async function writeRights(tx: Tx, { no, price }: SetRow, items: readonly ItemRow[]): Promise<void> {
  const all = items.flatMap(({ entries }) => entries.map(({ question_no }) => question_no))
  const tried = items.flatMap(({ entries, tried: n }) => entries.slice(0, n).map(({ question_no }) => question_no))
  await sql`insert into set_question (set_no, question_no) select distinct ${no}, n from unnest(${all}::text[]) n
    on conflict do nothing`.execute(tx)
  await sql`update question set free = true where not free and no = any(${price === 0 ? all : tried})`.execute(tx)
}

async function writeItem(
  tx: Tx,
  set: SetRow,
  position: number,
  { entries, sections, tried: _tried, ...item }: ItemRow,
): Promise<void> {
  const row = { ...item, sections: JSON.stringify(sections), set_no: set.no, position, retired: false }
  await tx
    .insertInto('set_item')
    .values(row)
    .onConflict((c) => c.column('no').doUpdateSet(row))
    .execute()
  const { no: item_no, rev, partial, body, trial } = item
  await tx
    .insertInto('set_snapshot')
    .values({ item_no, rev, partial, body, trial, free: set.price === 0 })
    .onConflict((c) => c.columns(['item_no', 'rev']).doUpdateSet({ free: sql`set_snapshot.free or excluded.free` }))
    .execute()
  await tx.deleteFrom('set_entry').where('item_no', '=', item.no).execute()
  const rows = entries.map((entry, at) => ({ ...entry, item_no: item.no, at }))
  if (rows.length > 0) await tx.insertInto('set_entry').values(rows).execute()
}

/** A set with its papers, as they were published. Null: there is none. */
export async function readPublished(db: Db | Tx, no: string) {
  const set = await db.selectFrom('question_set').selectAll().where('no', '=', no).executeTakeFirst()
  if (!set) return null
  const items = await db
    .selectFrom('set_item')
    .select(['no', 'title', 'minutes', 'partial', 'sections'])
    .where('set_no', '=', no)
    .where('retired', '=', false)
    .orderBy('position')
    .execute()
  const entries = await db
    .selectFrom('set_entry')
    .select(['item_no', 'section', 'question_no', 'scores'])
    .where('item_no', 'in', ['', ...items.map((item) => item.no)])
    .orderBy('at')
    .execute()
  return { set, items, entries }
}

/** Numbers of papers that another set uses. */
export const foreignItems = async (db: Db | Tx, setNo: string, nos: string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('set_item')
    .select('no')
    .where('no', 'in', ['', ...nos])
    .where('set_no', '<>', setNo)
    .execute()
  return rows.map(({ no }) => no)
}
