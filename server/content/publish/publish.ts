import type { CourseRow } from '#server/course/store.ts'
import type { Db, Tx } from '#server/db/open.ts'
import { claim, lockImports, type Publisher } from '#server/content/claimStore.ts'
import type { Progress } from '#server/content/progress.ts'
import { bring } from '#server/content/media/arriving.ts'
import { type Finding, stopping } from '#server/content/draft.ts'
import { ForeignPictures } from '#server/content/media/foreignPictures.ts'
import { type Judged, KINDS, type Reading, type Written } from './publishedKinds.ts'
import type { Published } from './paperFile.ts'

/** A file of the project's own JSON; what it names lies beside it. */
export interface Source {
  file: string
  kind: Published
  json: unknown
}
/** What was found in a file, and what became of it; null: nothing. */
export interface Outcome {
  file: string
  kind: Published
  total: number
  findings: Finding[]
  written: Written | null
}

type ReadSource = Source & { reading: Reading }
type JudgedSource = Source & { judged: Judged }

interface Publishing {
  mediaDir: string
  /** Epoch ms. */
  now: number
  by: Publisher
  /** The operator has said yes to what asks for it. */
  consented?: boolean
  progress?: Progress
}

/** Judges files, with what they name, against what the database holds; changes nothing. */
export const checkSources = async (db: Db, sources: readonly Source[]): Promise<Outcome[]> =>
  (await judgeAll(db, await readAll(sources))).map((each) => outcome(each, null))

/**
 * Publishes all of the files or none. They are read, judged and what they name is copied before anything is locked. Under the
 * imports' lock they are judged again, as the database may have changed, rows are written and copies get their names.
 * @throws ClaimedSince
 */
export async function publishSources(
  db: Db,
  sources: readonly Source[],
  { mediaDir, now, by, consented = false, progress }: Publishing,
): Promise<Outcome[]> {
  const read = await readAll(sources)
  const media = read.map(({ reading }) => reading.media)
  // What is no good is not copied.
  const first = media.some(({ files, lessons }) => files.size + lessons.length > 0) ? await judgeAll(db, read) : []
  if (isStopped(first, consented)) return first.map((each) => outcome(each, null))
  const arriving = await bring(mediaDir, media, progress)
  try {
    return await db.transaction().execute(async (tx) => {
      await lockImports(tx)
      const judged = await judgeAll(tx, read)
      if (isStopped(judged, consented)) return judged.map((each) => outcome(each, null))
      const outcomes: Outcome[] = []
      for (const each of judged) outcomes.push(outcome(each, await each.judged.write(tx, now)))
      await claim(tx, by, judged.flatMap(claimsOf), now)
      // Last: a failure before this leaves no file.
      await arriving.place()
      return outcomes
    })
  } finally {
    await arriving.drop()
  }
}

const outcome = ({ file, kind, judged: { total, findings } }: JudgedSource, written: Written | null): Outcome => ({
  file,
  kind,
  total,
  findings,
  written,
})
const claimsOf = ({ judged: { numbers, tables = [] } }: JudgedSource): string[] => [
  ...numbers.map(({ no }) => no),
  ...tables,
]
const isStopped = (judged: readonly JudgedSource[], consented: boolean): boolean =>
  judged.some((each) => stopping(each.judged.findings, consented).length > 0)

/** In the order of their kinds; one after another: a course's files may be large. */
async function readAll(sources: readonly Source[]): Promise<ReadSource[]> {
  const read: ReadSource[] = []
  for (const [kind, { read: readOne }] of Object.entries(KINDS))
    for (const source of sources) if (source.kind === kind) read.push(await readSource(source, readOne))
  return read
}

/** Pictures on other sites are copied with what lies beside the file. */
async function readSource(source: Source, read: (typeof KINDS)[Published]['read']): Promise<ReadSource> {
  const copies = new Map<string, Buffer>()
  const json = await new ForeignPictures(copies).localised(source.json)
  const reading = await read(source.file, json, copies)
  const files = new Map([...copies, ...reading.media.files])
  return { ...source, reading: { ...reading, media: { ...reading.media, files } } }
}

/** One after another: they share a connection. */
async function judgeAll(db: Db | Tx, read: readonly ReadSource[]): Promise<JudgedSource[]> {
  const alongside = new Map<string, CourseRow>()
  const judged: JudgedSource[] = []
  for (const { reading, ...source } of read) judged.push({ ...source, judged: await reading.judge(db, alongside) })
  reportTwice(judged)
  return judged
}

/** A number stands in one file alone. */
function reportTwice(judged: readonly JudgedSource[]): void {
  const first = new Map<string, string>()
  for (const { file, judged: one } of judged)
    for (const { what, no } of one.numbers) {
      const same = first.get(no) ?? file
      const reason = `${what}编号 ${no} 在 ${same} 与 ${file} 里都有：一个编号只写在一个文件里`
      if (same !== file) one.findings.push({ file, at: 'no', level: 'fault', reason })
      else first.set(no, file)
    }
}
