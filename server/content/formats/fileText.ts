import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { FileFault } from '#server/content/draft.ts'

/** Done and all of it, in whatever it is counted. */
export type Counted = (done: number, all: number) => void

/**
 * A text file piece by piece, whatever its encoding: by its byte order mark, else UTF-8 where all of it is, else GB18030, which
 * holds GBK and GB2312. NUL, which no database holds, is left out.
 * @param counted bytes
 */
export async function* textPieces(file: string, counted: Counted = () => {}): AsyncGenerator<string> {
  const { size } = await stat(file)
  const decode = await decoderOf(file)
  let done = 0
  for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
    yield decode(bytes).replaceAll('\0', '')
    done += bytes.length
    counted(done, size)
  }
  yield decode()
}

type Decode = (bytes?: Uint8Array) => string

async function decoderOf(file: string): Promise<Decode> {
  const name = await encodingOf(file)
  if (name === null) {
    const { default: iconv } = await import('iconv-lite')
    const decoder = iconv.getDecoder('gb18030')
    return (bytes) => (bytes ? decoder.write(Buffer.from(bytes)) : (decoder.end() ?? ''))
  }
  const decoder = new TextDecoder(name)
  return (bytes) => decoder.decode(bytes, { stream: bytes !== undefined })
}

/** Null: none that says of itself what it is. */
async function encodingOf(file: string): Promise<'utf-8' | 'utf-16le' | 'utf-16be' | null> {
  const strict = new TextDecoder('utf-8', { fatal: true })
  let first = true
  try {
    for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
      const mark = first ? bytes.subarray(0, 2).toString('hex') : ''
      if (mark === 'fffe') return 'utf-16le'
      if (mark === 'feff') return 'utf-16be'
      first = false
      strict.decode(bytes, { stream: true })
    }
    strict.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

const MB = 1024 * 1024

/** @param most MB that may be read whole @throws FileFault */
export async function refuseLarge(file: string, most: number): Promise<void> {
  const { size } = await stat(file)
  if (size > most * MB)
    throw new FileFault(
      `文件有 ${Math.ceil(size / MB)} MB，这种格式要整个读进内存，最多 ${most} MB：请分成几个文件，或改用 .csv、.json、.gift`,
    )
}

/** @param most MB @throws FileFault when it is larger. */
export async function wholeText(file: string, most: number): Promise<string> {
  await refuseLarge(file, most)
  let text = ''
  for await (const piece of textPieces(file)) text += piece
  return text
}

/** Its first characters, to tell what it is. */
export async function startOf(file: string): Promise<string> {
  const START = 65_536
  let start = ''
  for await (const piece of textPieces(file)) {
    start += piece
    if (start.length >= START) break
  }
  return start.slice(0, START)
}

const LINE_END = /\r\n|\r|\n/
const LONGEST_LINE = 1_000_000

/** Each line without its end. @throws FileFault when one is longer than any text. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + piece
    // An end of two characters may stand in two pieces.
    const held = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - held.length).split(LINE_END)
    rest = `${lines.pop() ?? ''}${held}`
    if (rest.length > LONGEST_LINE) throw new FileFault('有一行超过 100 万字，不是题目文件')
    yield* lines
  }
  yield* rest.split(LINE_END)
}
