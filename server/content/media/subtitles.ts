/** A cue as a file has it. */
interface Cue {
  /** Where its time stands, counted from 1. */
  line: number
  /** ms from the beginning. */
  from: number
  to: number
  words: string[]
}
/** Either the subtitles as WebVTT, in UTF-8, or what is wrong with them, in Chinese. */
export type Subtitles = { vtt: string } | { fault: string }

/** A file's clock and a player's differ by a frame or two. */
const SLACK_MS = 1_000

/** Reads WebVTT or SRT, in UTF-8, UTF-16 or GBK, of a lesson so many seconds long. */
export function readSubtitles(bytes: Buffer, seconds: number): Subtitles {
  const text = decoded(bytes)
  if (text === null) return { fault: '的文字编码认不出，请存为 UTF-8' }
  const lines = text.split(/\r\n|\n|\r/)
  if (VTT_HEADER.test(lines[0] ?? '')) {
    const fault = readVtt(lines, seconds)
    return fault === null ? { vtt: text } : { fault }
  }
  if (lines.slice(0, SRT_HEAD_LINES).some((line) => SRT_TIMING.test(line))) return readSrt(lines, seconds)
  return { fault: '第1行：不是 WebVTT 或 SRT 字幕，WebVTT 的开头应为 WEBVTT' }
}

/** Editors for Windows write UTF-16 or GBK. */
function decoded(bytes: Buffer): string | null {
  const mark = bytes.toString('hex', 0, 2)
  const encodings = mark === 'fffe' ? ['utf-16le'] : mark === 'feff' ? ['utf-16be'] : ['utf-8', 'gb18030']
  for (const encoding of encodings) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes)
    } catch {
      // The next one may fit.
    }
  }
  return null
}

const VTT_HEADER = /^WEBVTT(?:[ \t].*)?$/
const VTT_TIME = String.raw`(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})`
const VTT_TIMING = new RegExp(`^${VTT_TIME}[ \\t]+-->[ \\t]+${VTT_TIME}(?:[ \\t].*)?$`)

/** Returns what is wrong with it; null where nothing is. */
function readVtt(lines: readonly string[], seconds: number): string | null {
  let [at, last, count] = [1, 0, 0]
  while (at < lines.length) {
    if (lines[at]?.trim() === '') {
      at++
      continue
    }
    let end = at
    while (end < lines.length && lines[end]?.trim() !== '') end++
    const block = lines.slice(at, end)
    if (!/^(?:NOTE|STYLE|REGION)\b/.test(block[0] ?? '') || block.some((line) => line.includes('-->'))) {
      const cue = vttCue(block, at)
      const fault = typeof cue === 'string' ? cue : (faultOf(cue, seconds) ?? orderFault(cue, last))
      if (typeof cue === 'string' || fault !== null) return fault
      last = cue.from
      count++
    }
    at = end
  }
  return count > 0 ? null : '没有一条字幕'
}

function vttCue(block: readonly string[], at: number): Cue | string {
  // A cue may have a name above its time.
  const named = block[0]?.includes('-->') ? 0 : 1
  const line = at + named + 1
  const times = VTT_TIMING.exec(block[named] ?? '')
  if (!times) return `第${line}行：时间应写成 00:01.000 --> 00:04.500`
  return { line, ...span(times), words: block.slice(named + 1) }
}

/** Reads two times from a match whose groups are hours, minutes, seconds and their fraction in ms, twice. */
function span(times: RegExpExecArray): { from: number; to: number } {
  const ms = (first: number) => {
    const [hours = 0, minutes = 0, s = 0, fraction = 0] = times.slice(first, first + 4).map((part) => Number(part ?? 0))
    return ((hours * 60 + minutes) * 60 + s) * 1000 + fraction
  }
  return { from: ms(1), to: ms(5) }
}

function faultOf({ line, from, to, words }: Cue, seconds: number): string | null {
  if (to <= from) return `第${line}行：结束时间应晚于开始时间`
  if (to > seconds * 1000 + SLACK_MS) return `第${line}行：字幕超出了课时的长度 ${seconds} 秒`
  if (words.length === 0) return `第${line}行：这条字幕没有文字`
  if (words.some((each) => each.includes('-->'))) return `第${line}行：两条字幕之间要空一行`
  return null
}
const orderFault = ({ line, from }: Cue, last: number): string | null =>
  from < last ? `第${line}行：开始时间早于上一条字幕` : null

/** A number and perhaps an empty line or two stand before the first time. */
const SRT_HEAD_LINES = 10
const SRT_TIME = String.raw`(\d{1,3}):([0-5]?\d):([0-5]?\d)[,.](\d{3})`
const SRT_TIMING = new RegExp(String.raw`^\s*${SRT_TIME}\s*-->\s*${SRT_TIME}(?:\s.*)?$`)

/** Cues begin at their times: the empty lines and numbers between them are often missing or wrong. */
function readSrt(lines: readonly string[], seconds: number): Subtitles {
  const cues: Cue[] = []
  for (const [i, line] of lines.entries()) {
    const times = SRT_TIMING.exec(line)
    if (times) cues.push({ line: i + 1, ...span(times), words: [] })
    else cues.at(-1)?.words.push(line.trim())
  }
  const worded = cues.map((cue, i) => ({ ...cue, words: wordsOf(cue.words, i < cues.length - 1) }))
  const said = worded.filter(({ words }) => words.length > 0)
  if (said.length === 0) return { fault: '没有一条字幕' }
  for (const cue of said) {
    const fault = faultOf(cue, seconds)
    if (fault !== null) return { fault }
  }
  // Some tools write them as they were added; players want them by time.
  said.sort((a, b) => a.from - b.from)
  return { vtt: `WEBVTT\n\n${said.map(vttOf).join('\n\n')}\n` }
}

/** Returns the words below a time, without the next one's number. */
function wordsOf(below: readonly string[], isFollowed: boolean): string[] {
  const last = below.findLastIndex((line) => line !== '')
  const end = isFollowed && /^\d+$/.test(below[last] ?? '') ? last : last + 1
  return below
    .slice(0, end)
    .map(plain)
    .filter((line) => line !== '')
}

/** Signs that WebVTT reads as its own are written as they look; of marks bold, italic and underlined stay. */
const plain = (line: string): string =>
  line
    .replace(/\{\\[^}]*\}/g, '')
    .replace(/<\/?font\b[^>]*>/gi, '')
    .replaceAll('&', '&amp;')
    .replace(/<(?!\/?[biu]>)/gi, '&lt;')
    .replace(/<\/?[biu]>/gi, (mark) => mark.toLowerCase())
    .replaceAll('-->', '--&gt;')
    .trim()

const vttOf = ({ from, to, words }: Cue): string => `${clock(from)} --> ${clock(to)}\n${words.join('\n')}`

function clock(ms: number): string {
  const part = (unit: number, most: number, digits: number) =>
    String(Math.floor(ms / unit) % most).padStart(digits, '0')
  return `${part(3_600_000, 1_000, 2)}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)}.${part(1, 1_000, 3)}`
}
