import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { deserialize, serialize } from 'node:v8'
import type { Question } from '#src/contract/question.ts'
import type { Draft, Finding, Placed } from '#server/content/draft.ts'
import { keyOf } from './formulaStore.ts'

/** Room for pages in memory, KiB; what is beyond it is on the disk. */
const CACHE = 32_768
const PART = 500

const TABLES = `
  pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file; pragma cache_size = -${CACHE};
  create table draft (place integer primary key, at text, body blob);
  create table question (place integer primary key, chapter text, body text);
  create table number (no text primary key, place integer) without rowid;
  create table content (hash text primary key, place integer) without rowid;
  create table sketch (place integer, way integer, hash integer);
  create table near (place integer primary key, like integer, how text);
  create table finding (place integer, level text, at text, reason text); create index finding_place on finding (place);
  create table formula (key text primary key, latex text) without rowid;
  create table picture (name text primary key, bytes blob);
  create table packed (name text primary key, bytes blob);
  begin`

/** Of an error: the disk has no more room for what a spool gets. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL
const SQLITE_FULL = 13

/** These are the ways in which questions may be alike, the closest first: two that share a hash of one way may be alike in it. */
export type Sketch = { way: number; hash: number }[]

type Row = Record<string, unknown>
type Sign = string | number

/**
 * What a file has brought, on the disk: a bank of any size takes the same memory. A database of its own without a name, which is
 * gone with the process, however that ends. Places are those of the drafts, from 1.
 */
export class Spool {
  private readonly db = new DatabaseSync('')
  private readonly statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()

  constructor() {
    this.db.exec(TABLES)
  }

  addDraft(draft: Draft): void {
    // JSON would make a nothing of a number that is none.
    this.run('insert into draft (at, body) values (?, ?)', draft.at, serialize(draft))
  }

  *drafts(): Generator<{ place: number; draft: Draft }> {
    for (const { place, body } of this.each('select place, body from draft order by place'))
      yield { place: Number(place), draft: deserialize(body as Uint8Array) as Draft }
  }

  /** Each draft with the question that it became; null: none. */
  *judged(): Generator<{ place: number; draft: Draft; placed: Placed | null }> {
    const sql =
      'select d.place, d.body as draft, q.chapter, q.body from draft d left join question q on q.place = d.place order by d.place'
    for (const { place, draft, chapter, body } of this.each(sql)) {
      const question = typeof body === 'string' ? (JSON.parse(body) as Question) : null
      yield {
        place: Number(place),
        draft: deserialize(draft as Uint8Array) as Draft,
        placed: question && { chapterNo: String(chapter), question },
      }
    }
  }

  countDrafts(): number {
    return this.count('select count(*) as n from draft')
  }

  /** It is the place in the file where the draft begins. */
  atOf(place: unknown): string {
    return String(this.one('select at from draft where place = ?', Number(place))?.['at'])
  }

  addQuestion(place: number, { chapterNo, question }: Placed): void {
    this.run('insert into question values (?, ?, ?)', place, chapterNo, JSON.stringify(question))
  }

  question(place: number): Question | null {
    const row = this.one('select body from question where place = ?', place)
    return row ? (JSON.parse(String(row['body'])) as Question) : null
  }

  /** Questions at their chapters in the order of the file, some at a time. */
  *parts(): Generator<Placed[]> {
    for (let after = 0; ;) {
      const rows = this.all(`select * from question where place > ? order by place limit ${PART}`, after)
      if (rows.length > 0)
        yield rows.map(({ chapter, body }) => ({
          chapterNo: String(chapter),
          question: JSON.parse(String(body)) as Question,
        }))
      if (rows.length < PART) return
      after = Number(rows.at(-1)?.['place'])
    }
  }

  countQuestions(): number {
    return this.count('select count(*) as n from question')
  }

  /** Where a number stands already; null: nowhere, from now on here. */
  claimNumber(no: string, place: number): { place: number; at: string } | null {
    const { changes } = this.run('insert or ignore into number values (?, ?)', no, place)
    return changes === 1 ? null : this.placeOf(no)
  }

  /** Where a number stands; null: nowhere. */
  placeOf(no: string): { place: number; at: string } | null {
    const row = this.one('select place from number where no = ?', no)
    return row ? { place: Number(row['place']), at: this.atOf(row['place']) } : null
  }

  dropQuestion(place: number): void {
    this.run('delete from question where place = ?', place)
  }

  /** Numbers of questions and their parts, some at a time. */
  *numbers(): Generator<string[]> {
    for (let after = ''; ;) {
      const rows = this.all(`select no from number where no > ? order by no limit ${PART * 4}`, after)
      if (rows.length > 0) yield rows.map(({ no }) => String(no))
      if (rows.length < PART * 4) return
      after = String(rows.at(-1)?.['no'])
    }
  }

  /** Where the same content stands already; null: nowhere, from now on here. */
  claimContent(hash: string, place: number): string | null {
    const { changes } = this.run('insert or ignore into content values (?, ?)', hash, place)
    if (changes === 1) return null
    return this.atOf(this.one('select place from content where hash = ?', hash)?.['place'])
  }

  addSketch(place: number, sketch: Sketch): void {
    const values = sketch.map(() => '(?, ?, ?)').join()
    this.run(`insert into sketch values ${values}`, ...sketch.flatMap(({ way, hash }) => [place, way, hash]))
  }

  /** Sketches of the questions that are left, in their order. */
  *sketches(): Generator<{ place: number; sketch: Sketch }> {
    const left = 'select s.* from sketch s where s.place in (select place from question) order by s.rowid'
    let open: { place: number; sketch: Sketch } | null = null
    for (const { place, way, hash } of this.each(left)) {
      if (open && open.place !== Number(place)) yield open
      if (open?.place !== Number(place)) open = { place: Number(place), sketch: [] }
      open.sketch.push({ way: Number(way), hash: Number(hash) })
    }
    if (open) yield open
  }

  /** Places that share a hash of this way, in their order. */
  *mates(way: number): Generator<number[]> {
    const mates = `select group_concat(place) as places from sketch where way = ${way} group by hash having count(*) > 1`
    for (const { places } of this.each(mates))
      yield String(places)
        .split(',')
        .map(Number)
        .sort((a, b) => a - b)
  }

  /** Keeps the first of several that a question is near to in the same way; of several ways, the one that was told first. */
  addNear(place: number, like: number, how: string): void {
    const sql =
      'insert into near values (?, ?, ?) on conflict do update set like = min(like, excluded.like) where how = excluded.how'
    this.run(sql, place, like, how)
  }

  /** @returns the place, where the one stands that it is near to, and in which way */
  *nearOnes(): Generator<{ place: number; at: string; how: string }> {
    for (const { place, at, how } of this.each(
      'select n.place, d.at, n.how from near n join draft d on d.place = n.like order by n.place',
    ))
      yield { place: Number(place), at: String(at), how: String(how) }
  }

  addFinding({ level, at, reason }: Omit<Finding, 'file'>, place = 0): void {
    this.run('insert into finding values (?, ?, ?, ?)', place, level, at, reason)
  }

  /** @param at none: where the draft of that place stands */
  addWarning(place: number, reason: string): void {
    this.addFinding({ level: 'warning', at: this.atOf(place), reason }, place)
  }

  /** What was found on reading, then draft by draft. */
  *findings(): Generator<Omit<Finding, 'file'>> {
    for (const { level, at, reason } of this.each('select * from finding order by place, rowid'))
      yield { level: level === 'fault' ? 'fault' : 'warning', at: String(at), reason: String(reason) }
  }

  /** Gives what was found of the draft at that place; 0 stands for the file, and for what became no draft. */
  findingsAt(place: number): Omit<Finding, 'file'>[] {
    return this.all('select level, at, reason from finding where place = ? order by rowid', place).map(
      ({ level, at, reason }) => ({
        level: level === 'fault' ? 'fault' : 'warning',
        at: String(at),
        reason: String(reason),
      }),
    )
  }

  countFindings(level: Finding['level']): number {
    return this.count('select count(*) as n from finding where level = ?', level)
  }

  /** Of warnings those that are told so many times or more. */
  commonWarnings(times: number): string[] {
    const sql = `select reason from finding where level = 'warning' group by reason having count(*) >= ? order by min(rowid)`
    return this.all(sql, times).map(({ reason }) => String(reason))
  }

  /** Questions that could not even become drafts. */
  countUnread(): number {
    return this.count(`select count(distinct at) as n from finding where place = 0 and level = 'fault'`)
  }

  addFormula(mathml: string, latex: string): void {
    this.run('insert or ignore into formula values (?, ?)', keyOf(mathml), latex)
  }

  /** What formulae were written in, by the key of their MathML, some at a time. */
  *formulae(): Generator<{ key: string; latex: string }[]> {
    for (let after = ''; ;) {
      const rows = this.all(`select * from formula where key > ? order by key limit ${PART}`, after)
      if (rows.length > 0) yield rows.map(({ key, latex }) => ({ key: String(key), latex: String(latex) }))
      if (rows.length < PART) return
      after = String(rows.at(-1)?.['key'])
    }
  }

  /** By its public name. */
  addPicture(name: string, bytes: Uint8Array): void {
    this.run('insert or ignore into picture values (?, ?)', name, bytes)
  }

  /** A picture by its public name; null: it did not come with the file. */
  picture(name: string): Buffer | null {
    const row = this.one('select bytes from picture where name = ?', name)
    return row ? Buffer.from(row['bytes'] as Uint8Array) : null
  }

  *pictures(): Generator<[string, Buffer]> {
    for (const { name, bytes } of this.each('select * from picture order by name'))
      yield [String(name), Buffer.from(bytes as Uint8Array)]
  }

  /** By the name that the texts have for it. */
  addPacked(name: string, bytes: Uint8Array): void {
    this.run('insert or replace into packed values (?, ?)', name, bytes)
  }

  packed(name: string): Uint8Array | null {
    return (this.one('select bytes from packed where name = ?', name)?.['bytes'] as Uint8Array | undefined) ?? null
  }

  private prepared(sql: string) {
    let statement = this.statements.get(sql)
    if (!statement) this.statements.set(sql, (statement = this.db.prepare(sql)))
    return statement
  }
  private run(sql: string, ...values: (Sign | Uint8Array)[]) {
    return this.prepared(sql).run(...(values as SQLInputValue[]))
  }
  private one(sql: string, ...values: Sign[]): Row | undefined {
    return this.prepared(sql).get(...values)
  }
  private all(sql: string, ...values: Sign[]): Row[] {
    return this.prepared(sql).all(...values)
  }
  private each(sql: string): Iterable<Row> {
    // A statement of its own: two may go through the same rows.
    return this.db.prepare(sql).iterate()
  }
  private count(sql: string, ...values: Sign[]): number {
    return Number(this.one(sql, ...values)?.['n'])
  }
}
