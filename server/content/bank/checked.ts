import type { Bank, Finding, Placed } from '#server/content/draft.ts'
import { Spool } from './spool.ts'

/** A file of questions that was read and judged, without touching the database. What it holds is on the disk. */
export class Checked {
  /** Null: the file is none that can be read. */
  bank: Bank | null = null
  readonly spool = new Spool()
  readonly file: string

  constructor(file: string) {
    this.file = file
  }

  /** Questions in the file, good or not. */
  get total(): number {
    return this.bank ? this.spool.countDrafts() + this.spool.countUnread() : 0
  }
  get importable(): number {
    return this.spool.countQuestions()
  }
  get faults(): number {
    return this.spool.countFindings('fault')
  }
  get warnings(): number {
    return this.spool.countFindings('warning')
  }
  *eachFinding(): Generator<Finding> {
    for (const each of this.spool.findings()) yield { file: this.file, ...each }
  }

  /** All of it at once: for what is known to be small. */
  get placed(): Placed[] {
    return [...this.spool.parts()].flat()
  }
  get findings(): Finding[] {
    return [...this.eachFinding()]
  }
  get pictures(): ReadonlyMap<string, Buffer> {
    return new Map(this.spool.pictures())
  }
}
