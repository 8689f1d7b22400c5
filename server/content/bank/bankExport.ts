import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '#server/db/open.ts'
import { asDraft, type Format, type Leaving, nameOf } from '#server/content/formats/asDraft.ts'
import { type Bank, FileFault } from '#server/content/draft.ts'
import { countPlaced, readFrame, readPlaced } from './exportStore.ts'
import { latexIn } from './formulaStore.ts'
import type { Progress } from '#server/content/progress.ts'
import { writeGift } from '#server/content/formats/giftExport.ts'
import { writeCsv, writeXlsx } from '#server/content/formats/tableExport.ts'

export interface Exported {
  questions: number
  pictures: number
  /** What the format has no place for, in Chinese. */
  left: string[]
}
export interface Giving {
  mediaDir: string
  progress: Progress
}
type Writer = (frame: Bank, leaving: AsyncIterable<Leaving>) => Format

const FORMATS: Record<string, Writer> = {
  '.json': writeJson,
  '.csv': writeCsv,
  '.xlsx': writeXlsx,
  '.gift': writeGift,
}

/**
 * Writes a library to a file by its ending, a few questions in memory at a time (but .xlsx), with its pictures beside it. Imported
 * again, the JSON changes nothing.
 * @returns null: there is no such library.
 * @throws FileFault in Chinese when the file cannot be such a one.
 */
export async function exportBank(
  db: Db,
  no: string,
  file: string,
  { mediaDir, progress }: Giving,
): Promise<Exported | null> {
  const frame = await readFrame(db, no)
  if (!frame) return null
  const format = FORMATS[path.extname(file).toLowerCase()]
  if (!format) throw new FileFault('题库导出到文件，按扩展名写成：.json、.csv、.xlsx、.gift')
  const folder = `${path.basename(file, path.extname(file))}-图片`
  const pictures = new Set<string>()
  const pictureOf = besideIn(folder, pictures)
  const all = await countPlaced(db, no)
  let questions = 0
  async function* leaving(): AsyncGenerator<Leaving> {
    for await (const some of readPlaced(db, no)) {
      const latexOf = await latexIn(db, some)
      for (const each of some) yield { ...each, outside: { latexOf, pictureOf } }
      questions += some.length
      progress('导出', questions, all)
    }
  }
  const { chunks, left } = format(frame, leaving())
  const coming = `${file}.part`
  try {
    await pipeline(Readable.from(chunks), createWriteStream(coming))
    await givePictures(pictures, mediaDir, path.join(path.dirname(file), folder))
    await rename(coming, file)
  } finally {
    await rm(coming, { force: true })
  }
  return { questions, pictures: pictures.size, left: left() }
}

const besideIn = (folder: string, pictures: Set<string>) => (address: string) => {
  const name = nameOf(address)
  if (name === '') return ''
  pictures.add(name)
  return `${folder}/${name}`
}

async function givePictures(names: ReadonlySet<string>, mediaDir: string, folder: string): Promise<void> {
  if (names.size > 0) await mkdir(folder, { recursive: true })
  for (const name of names) await copyFile(path.join(mediaDir, name), path.join(folder, name))
}

function writeJson(frame: Bank, leaving: AsyncIterable<Leaving>): Format {
  async function* chunks() {
    const head = JSON.stringify({ format: 'lijian/1', ...frame }, null, 2)
    yield `${head.slice(0, -2)},\n  "questions": [`
    let between = '\n    '
    for await (const each of leaving) {
      yield between + JSON.stringify(asDraft(each))
      between = ',\n    '
    }
    yield '\n  ]\n}\n'
  }
  return { chunks: chunks(), left: () => [] }
}
