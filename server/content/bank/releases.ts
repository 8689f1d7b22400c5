import { sql } from 'kysely'
import type { Question } from '#src/contract/question.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { claim, lockImports } from '#server/content/claimStore.ts'
import type { Bank } from '#server/content/draft.ts'
import { lostOf, readStops, type Stop } from './lessonStops.ts'
import { weighPack } from './pack.ts'
import { noProgress, type Progress } from '#server/content/progress.ts'
import {
  closeRelease,
  type Counts,
  type Frame,
  type Framing,
  type Making,
  making,
  openRelease,
  putPointsBack,
  readFraming,
  readFramingAfter,
  readReleases,
  type ListedRelease,
} from './releaseStore.ts'
import { judgeScopes } from './scope.ts'
import {
  dropChapters,
  foreignNos,
  type Into,
  nothing,
  retireWhere,
  rowOf,
  settle,
  type Sum,
  writeFrame,
  writeRows,
} from './store.ts'
import { unstamped } from './versions.ts'

/** It cannot be done; the message says why, in Chinese. */
export class ReleaseRefusal extends Error {
  override readonly name = 'ReleaseRefusal'
}
/** What became of a library; `no` null: nothing changed, so there is no new release. */
export interface Done extends Counts {
  library: string
  no: number | null
  /** Published lessons ask these no more; the field is left out where there are none. */
  lostStops?: Stop[]
}
export interface Doing {
  mediaDir: string
  /** Epoch ms. */
  at: number
  note: string
  progress?: Progress
}
const CHUNK = 500

/**
 * Puts a library as it stood after a release, by default after the one before the present one. It is a release of its own:
 * questions that differ get their earlier text as a new version, what came since is retired.
 * @throws ReleaseRefusal
 */
export async function rollBack(
  db: Db,
  libraryNo: string,
  to: number | null,
  { mediaDir, at, note, progress = noProgress }: Doing,
): Promise<Done & { target: number }> {
  return db.transaction().execute(async (tx) => {
    await lockImports(tx)
    const target = targetOf(libraryNo, await readReleases(tx, libraryNo), to)
    const { frame, points } = await readFramingAfter(tx, libraryNo, target)
    if (!frame) throw new ReleaseRefusal(`没有编号为 ${libraryNo} 的题库`)
    const bank = await soundFrame(tx, frame)
    const made = making('rollback', at, note, target)
    const framing = { pointNos: Object.keys(points), write: () => putFrameBack(tx, bank, points) }
    const done = await release(tx, { libraryNo, framing, replace: true, made, mediaDir }, async (into, sum) => {
      await putQuestionsBack(tx, into, { target, progress }, sum)
      await dropChapters(tx, bank)
    })
    return { ...done, target }
  })
}

interface Releasing {
  libraryNo: string
  framing: {
    /** Points that may become others. */
    pointNos: readonly string[]
    /** Puts the frame in place; whether the library is for sets alone then. */
    write: () => Promise<boolean>
  }
  /** Questions get the places that they come with. */
  replace: boolean
  made: Making
  mediaDir: string
}
/** Changes a library and makes that a release, the operator's; under the imports' lock. */
export async function release(
  tx: Tx,
  { libraryNo, framing, replace, made, mediaDir }: Releasing,
  work: (into: Into, sum: Sum) => Promise<void>,
): Promise<Done> {
  const before = await readFraming(tx, libraryNo, framing.pointNos)
  const stops = await readStops(tx, libraryNo)
  const setsOnly = await framing.write()
  const into = { libraryNo, setsOnly, release: await openRelease(tx, libraryNo, made), replace, at: made.at }
  const sum = nothing()
  await work(into, sum)
  await settle(tx, into, sum)
  await closeRelease(tx, libraryNo, made, before, sum)
  await claim(tx, 'operator', [libraryNo], made.at)
  await weighPack(tx, libraryNo, mediaDir)
  const lost = await lostOf(tx, libraryNo, stops)
  const { added, changed, restored, retired } = sum
  const counts = { added, changed, restored, retired, ...(lost.length > 0 && { lostStops: lost }) }
  return { library: libraryNo, no: made.open.get(libraryNo)?.no ?? null, ...counts }
}

async function putFrameBack(tx: Tx, bank: Bank, points: Framing['points']): Promise<boolean> {
  const setsOnly = await writeFrame(tx, bank)
  await putPointsBack(tx, points)
  return setsOnly
}

/** @throws ReleaseRefusal */
function targetOf(libraryNo: string, releases: readonly ListedRelease[], to: number | null): number {
  const [present] = releases
  if (!present) throw new ReleaseRefusal(`没有编号为 ${libraryNo} 的题库`)
  const target = to ?? present.no - 1
  if (present.no === 1) throw new ReleaseRefusal(`题库 ${libraryNo} 只有一版，没有更早的`)
  if (target === present.no) throw new ReleaseRefusal(`第 ${target} 版就是现用的一版`)
  if (!releases.some(({ no }) => no === target))
    throw new ReleaseRefusal(`题库 ${libraryNo} 没有第 ${target} 版，现用第 ${present.no} 版`)
  return target
}

/** @throws ReleaseRefusal */
async function soundFrame(tx: Tx, { library: { subjectNo, ...library }, chapters }: Frame): Promise<Bank> {
  const subject = await tx
    .selectFrom('subject')
    .select(['no', 'name'])
    .where('no', '=', subjectNo)
    .executeTakeFirstOrThrow()
  const bank = { subject, points: [], library, chapters }
  await judgeFrame(tx, bank)
  return bank
}

/** What has become of numbers and of the site's structure since is judged anew. @throws ReleaseRefusal */
export async function judgeFrame(tx: Tx, bank: Bank): Promise<void> {
  const { no, directions, areas } = bank.library
  const faults: string[] = []
  await judgeScopes(tx, [{ at: '', directions, areas }], (_, __, reason) => faults.push(reason))
  const foreign = await foreignNos(tx, bank, [])
  if (foreign.length > 0) faults.push(`章节或知识点的编号已被别处使用：${foreign.slice(0, 5).join('、')}`)
  if (faults.length > 0) throw new ReleaseRefusal(`题库 ${no} 没有改动：${faults.join('；')}`)
}

interface Earlier {
  chapter_no: string
  position: number
  body: Question
}
/** In chunks, whatever the size of what was changed since. */
async function putQuestionsBack(
  tx: Tx,
  into: Into,
  { target, progress }: { target: number; progress: Progress },
  sum: Sum,
): Promise<void> {
  await sql`create temp table earlier (no text primary key, version int, chapter_no text, position int, gone boolean) on commit drop`.execute(
    tx,
  )
  await sql`
    insert into earlier (no, version, chapter_no, position, gone)
    select distinct on (b.question_no) b.question_no, b.version, b.chapter_no, b.position, coalesce(b.retired, true)
    from release_question b join release r on r.id = b.release_id
    where r.library_no = ${into.libraryNo} and r.no > ${target} order by b.question_no, r.no`.execute(tx)
  // Nothing else tells the planner how large it is.
  await sql`analyze earlier`.execute(tx)
  const { rows: some } = await sql<{ n: number }>`select count(*)::int as n from earlier where not gone`.execute(tx)
  const all = some[0]?.n ?? 0
  let done = 0
  for (let last: string | undefined = ''; last !== undefined;) {
    const { rows }: { rows: Earlier[] } = await sql<Earlier>`
      with part as materialized (select * from earlier where not gone and no > ${last} order by no limit ${CHUNK})
      select e.chapter_no, e.position, coalesce(v.body, q.body) as body from part e join question q on q.no = e.no
      left join question_version v on v.question_no = e.no and v.version = e.version and v.version <> q.version
      order by e.no`.execute(tx)
    await writeRows(tx, into, rows.map(rowOfEarlier), sum)
    last = rows.at(-1)?.body.no
    progress('写入', (done += rows.length), all)
  }
  await retireWhere(tx, into, sql`q.no in (select no from earlier where gone)`, sum)
}

const rowOfEarlier = ({ chapter_no: chapterNo, position, body }: Earlier) =>
  rowOf({ chapterNo, question: unstamped(body) }, position)
