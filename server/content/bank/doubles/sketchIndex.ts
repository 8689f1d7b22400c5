import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Sketch, Spool } from '../spool.ts'

/** Room for pages in memory, KiB; what is beyond it is on the disk. */
const CACHE = 16_384

const TABLES = `
  pragma journal_mode = off; pragma synchronous = off; pragma temp_store = file; pragma cache_size = -${CACHE};
  create table sketch (hash integer, way integer, file integer, place integer);
  create table alike (file integer, place integer, way integer, reason text, primary key (file, place)) without rowid;
  begin`

const KNOWN = `
  select j.key from json_each(?) j where exists (select 1 from sketch s where s.hash = j.value) order by j.key`
const MATES = 'select file, place from sketch where hash = ? and way = ? limit ?'
const FREE_MATES = `
  select s.file, s.place from sketch s left join alike a on a.file = s.file and a.place = s.place
  where s.hash = ? and s.way = ? and (a.way is null or a.way > s.way) limit ?`
const NOTE = `insert into alike values (?, ?, ?, ?)
  on conflict do update set way = excluded.way, reason = excluded.reason where excluded.way < way`

/** It is closer than any way. */
const SETTLED = -1
const NOTED = `select file, place, reason from alike where way <> ${SETTLED} order by file, place`

/** It names the place of a question in one of several files. */
export interface Spot {
  /** The file's place among them, from 0. */
  file: number
  /** The place of its draft. */
  place: number
}

/** Finds questions of several files by their sketches. It lies on the disk, as the spools of the files do. */
export class SketchIndex {
  private readonly db = new DatabaseSync('')
  private readonly statements = new Map<string, StatementSync>()

  constructor() {
    this.db.exec(TABLES)
  }

  add(file: number, spool: Spool): void {
    const insert = this.prepared('insert into sketch values (?, ?, ?, ?)')
    for (const { place, sketch } of spool.sketches())
      for (const { way, hash } of sketch) insert.run(hash, way, file, place)
  }

  /** Leaves of a sketch what questions here may have, too; most have nothing of it, and one look tells. */
  known(sketch: Sketch): Sketch {
    const hashes = JSON.stringify(sketch.map(({ hash }) => hash))
    return this.prepared(KNOWN, INDEX)
      .all(hashes)
      .flatMap(({ key }) => sketch[Number(key)] ?? [])
  }

  /** Finds questions that share a hash of this way, of many the first so many. */
  readonly mates = (way: number, hash: number, most: number): Spot[] => this.find(MATES, way, hash, most)

  /** Finds those of them that are not noted as alike to anything in this way or a closer one. */
  readonly freeMates = (way: number, hash: number, most: number): Spot[] => this.find(FREE_MATES, way, hash, most)

  /** Notes what is to be told of a question; of several things that one is kept which says the closest way. */
  note({ file, place }: Spot, way: number, reason: string): void {
    this.prepared(NOTE).run(file, place, way, reason)
  }

  /** Nothing is told of this question, whatever it is alike to. */
  settle(spot: Spot): void {
    this.note(spot, SETTLED, '')
  }

  *noted(): Generator<Spot & { reason: string }> {
    for (const { file, place, reason } of this.db.prepare(NOTED).iterate())
      yield { file: Number(file), place: Number(place), reason: String(reason) }
  }

  private find(sql: string, way: number, hash: number, most: number): Spot[] {
    return this.prepared(sql, INDEX)
      .all(hash, way, most)
      .map(({ file, place }) => ({ file: Number(file), place: Number(place) }))
  }

  private prepared(sql: string, first = ''): StatementSync {
    let statement = this.statements.get(sql)
    if (!statement) {
      this.db.exec(first)
      this.statements.set(sql, (statement = this.db.prepare(sql)))
    }
    return statement
  }
}

/** Rows that are there already are brought into an order faster than rows that come one by one: it is made when it is first needed. */
const INDEX = 'create index if not exists sketch_hash on sketch (hash, way)'
