import type { Question } from '#src/contract/question.ts'
import type { Db } from '#server/db/open.ts'
import type { Checked } from '../checked.ts'
import { contentOf } from './content.ts'
import { repeated } from './doubles.ts'
import { countHeld, type Held, readHeld } from './heldStore.ts'
import { SketchIndex, type Spot } from './sketchIndex.ts'
import type { Sketch, Spool } from '../spool.ts'
import { Compared, MOST_HELD, sketchOf, WAYS } from './ways.ts'
import type { Progress } from '#server/content/progress.ts'

type Mates = (way: number, hash: number, most: number) => Spot[]

/** Tells which questions of the files of one command stand in an earlier one of them, or in a library, already. */
export class AcrossFiles {
  private readonly files: Checked[] = []
  private readonly index = new SketchIndex()
  /** So many files are in the index. A file is put into it when another one is held against it, and not before. */
  private indexed = 0

  /** Holds a file against those before it: of each number the first question stays, and what looks alike is told. */
  add(one: Checked): void {
    if (this.files.length > 0) {
      this.dropShared(one)
      this.fill()
      this.tellEarlier(one.spool)
    }
    this.files.push(one)
  }

  /**
   * Tells which questions look like one that a library holds under another number.
   * @param without libraries of which nothing stays but what the files hold
   */
  async holdAgainst(db: Db, without: readonly string[], progress: Progress): Promise<void> {
    this.fill()
    const all = await countHeld(db)
    let done = 0
    for await (const some of readHeld(db)) {
      for (const held of some)
        if (!this.isRenewed(held.question) && !without.includes(held.library)) this.noteHeld(held)
      progress('对照题库', (done += some.length), all)
    }
    for (const { file, place, reason } of this.index.noted()) this.files[file]?.spool.addWarning(place, reason)
  }

  private dropShared(one: Checked): void {
    const before = one.importable
    for (const earlier of this.files)
      for (const nos of one.spool.numbers()) for (const no of nos) dropIfShared(no, one.spool, earlier)
    if (before > 0 && one.importable === 0 && one.faults === 0)
      one.spool.addFinding({ level: 'warning', at: '文件', reason: '题目都在前面的文件里，这个文件不导入' })
  }

  private fill(): void {
    for (const { spool } of this.files.slice(this.indexed)) this.index.add(this.indexed++, spool)
  }

  private tellEarlier(spool: Spool): void {
    for (const { place, sketch } of spool.sketches()) {
      const [first] = this.alike(sketch, () => comparedAt(spool, place), this.index.mates)
      if (first) spool.addWarning(place, `与 ${this.nameOf(first.spot)}${first.how}，请核对是否重复`)
    }
  }

  /** Tells whether a file has the question itself, under its number. One that stays as it is there is not new, and not told of. */
  private isRenewed(question: Question): boolean {
    for (const [file, { spool }] of this.files.entries()) {
      const found = spool.placeOf(question.no)
      if (!found) continue
      const own = spool.question(found.place)
      if (own && contentOf(own) === contentOf(question)) this.index.settle({ file, place: found.place })
      return true
    }
    return false
  }

  private noteHeld({ library, question }: Held): void {
    const compared = new Compared(question)
    for (const { spot, way, how } of this.alike(sketchOf(compared), () => compared, this.index.freeMates)) {
      const isOwn = this.files[spot.file]?.bank?.library.no === library
      const todo = isOwn ? `：是同一道题就写上编号 ${question.no}，多余的请删去` : '，请核对是否两处都要'
      this.index.note(spot, way, `与题库 ${library} 已有的 ${question.no} ${how}${todo}`)
    }
  }

  /** Finds the questions in the index that are alike to one, those of the closest way first. */
  private *alike(
    sketch: Sketch,
    own: () => Compared | null,
    matesOf: Mates,
  ): Generator<{ spot: Spot; way: number; how: string }> {
    const judged = new Set<string>()
    for (const { way, hash } of this.index.known(sketch))
      for (const spot of matesOf(way, hash, MOST_HELD)) {
        const key = `${way} ${spot.file} ${spot.place}`
        if (judged.has(key)) continue
        judged.add(key)
        const [one, other] = [this.comparedAt(spot), own()]
        const how = one && other && WAYS[way]?.judge(one, other)
        if (how) yield { spot, way, how }
      }
  }

  private comparedAt({ file, place }: Spot): Compared | null {
    const spool = this.files[file]?.spool
    return spool ? comparedAt(spool, place) : null
  }

  private nameOf({ file, place }: Spot): string {
    const earlier = this.files[file]
    return earlier ? `${earlier.file} 的${earlier.spool.atOf(place)}` : ''
  }
}

function comparedAt(spool: Spool, place: number): Compared | null {
  const question = spool.question(place)
  return question && new Compared(question)
}

/** The earlier question stays where an earlier file has the same number. */
function dropIfShared(no: string, spool: Spool, { file, spool: before }: Checked): void {
  const first = before.placeOf(no)
  const other = first && before.question(first.place)
  const own = first && spool.placeOf(no)
  const question = own && spool.question(own.place)
  if (!other || !question) return
  spool.dropQuestion(own.place)
  const isSame = contentOf(question) === contentOf(other)
  if (JSON.stringify(question) === JSON.stringify(other))
    spool.addWarning(own.place, `与 ${file} 的${first.at}重复，只导入一次`)
  else
    spool.addFinding({ level: 'fault', at: own.at, reason: repeated(no, ` ${file} 的${first.at}`, isSame) }, own.place)
}
