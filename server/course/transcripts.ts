import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  findLines,
  type Folded,
  foldLines,
  readTranscript,
  type SaidLine,
  shownSubtitles,
  spokenAt,
} from '#src/domain/course/transcript.ts'
import type { Db } from '#server/db/open.ts'
import { readSubtitleFiles } from './store.ts'

/** Characters that are kept: two thousand lessons of an hour, in 100 MB. */
const MOST_KEPT = 50_000_000
/** A lesson as it is searched; its words as they are said are read from its file when something is found in it. */
interface Kept extends Folded {
  /** Null: it has no subtitles. */
  file: string | null
}

/**
 * What lessons say, by the rev of their files: whatever has a rev never changes, so it is folded once and kept until there is too
 * much of it. What was not asked for longest leaves first.
 */
export function createTranscripts(db: Db, mediaDir: string, most = MOST_KEPT) {
  const kept = new Map<string, Kept>()
  let size = 0
  const keep = (rev: string, said: Kept): void => {
    // Asked for last, it leaves last.
    if (!kept.delete(rev)) size += sizeOf(said)
    kept.set(rev, said)
    for (const [oldest, each] of kept) {
      if (size <= most) break
      kept.delete(oldest)
      size -= sizeOf(each)
    }
  }
  /** Where each of these lessons says all of these words, one lesson after another. @param mostOf of one lesson */
  return async function* find(
    revs: readonly string[],
    terms: readonly string[],
    mostOf: number,
  ): AsyncGenerator<[rev: string, SaidLine[]]> {
    // What leaves while this goes on is needed here all the same.
    const here = new Map(kept)
    const files = await filesOf(
      db,
      mediaDir,
      revs.filter((rev) => !here.has(rev)),
    )
    for (const rev of revs) {
      const said = here.get(rev) ?? (await foldFile(files.get(rev) ?? null))
      // A file that is not there may come yet: another machine's import copies it.
      if (!said) continue
      keep(rev, said)
      const found = findLines(said, terms, mostOf)
      const lines = found.length > 0 ? await readLines(said.file) : null
      if (lines) yield [rev, found.map((each) => spokenAt(lines, each))]
    }
  }
}
export type FindSaid = ReturnType<typeof createTranscripts>

const sizeOf = ({ folded, starts }: Kept): number => folded.length + starts.length + 1

async function filesOf(db: Db, mediaDir: string, revs: readonly string[]): Promise<Map<string, string>> {
  const rows = await readSubtitleFiles(db, revs)
  return new Map(
    rows.flatMap(({ rev, subtitles }) => {
      const name = shownSubtitles(subtitles)?.name
      return name === undefined ? [] : [[rev, path.join(mediaDir, 'lesson', rev, name)] as const]
    }),
  )
}

async function foldFile(file: string | null): Promise<Kept | null> {
  const lines = await readLines(file)
  return lines && { file, ...foldLines(lines) }
}

/** Null: it is gone. */
async function readLines(file: string | null): Promise<SaidLine[] | null> {
  if (file === null) return []
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : readTranscript(text)
}
