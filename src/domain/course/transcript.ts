import { fold } from '../text/searchText.ts'

/** What is said in a lesson from a second on, as plain text. */
export interface SaidLine {
  at: number
  text: string
}
/** All that is said in a lesson, ready to be searched: the lines folded behind one another, and where each of them begins. */
export interface Folded {
  folded: string
  starts: readonly number[]
}
export interface Transcript extends Folded {
  lines: readonly SaidLine[]
}
/** Lines that hold what was asked for: `count` of them from this one on, because words often lie across two. */
export interface FoundLine {
  line: number
  count: 1 | 2
}

const TIMING = /^\s*(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)\s+-->/
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', ' '],
  ['lrm', ''],
  ['rlm', ''],
])
const LAST_CODE = 0x10_ff_ff

/** As one line: a break inside a cue, and a space that does not break, are spaces. */
export const spokenText = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The words of a cue as WebVTT writes them. A mark that is not closed reaches to the end, as in a browser. */
const wordsOf = (cue: string): string =>
  spokenText(
    cue
      .replace(/<[^>]*(?:>|$)/g, '')
      .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name = '') => {
        const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : null
        if (code === null) return NAMED.get(name) ?? whole
        return code > 0 && code <= LAST_CODE ? String.fromCodePoint(code) : ''
      }),
  )

/** What WebVTT says and when, by its own order; what is no cue of it is passed over. */
export function readTranscript(vtt: string): SaidLine[] {
  const said: SaidLine[] = []
  for (const block of vtt.split(/(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/)) {
    const lines = block.split(/\r\n|\n|\r/)
    const timed = lines.findIndex((line) => TIMING.test(line))
    const [, hours = 0, minutes = 0, seconds = 0] = TIMING.exec(lines[timed] ?? '') ?? []
    const text = timed < 0 ? '' : wordsOf(lines.slice(timed + 1).join('\n'))
    if (text !== '') said.push({ at: (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds), text })
  }
  return said
}

/** No text has it, and folding leaves it: all lines are folded at once, which takes a third of the time. */
const BREAK = '\u0001'

export function foldLines(lines: readonly SaidLine[]): Folded {
  const folded = fold(lines.map(({ text }) => text.replaceAll(BREAK, '')).join(BREAK)).split(BREAK)
  let at = 0
  const starts = lines.map((_, i) => (at += folded[i - 1]?.length ?? 0))
  return { folded: folded.join(''), starts }
}

export const transcriptOf = (lines: readonly SaidLine[]): Transcript => ({ lines, ...foldLines(lines) })

/** @param terms as `termsOf` gives them; all must be said within two lines @param most that are wanted */
export function findLines(transcript: Folded, terms: readonly string[], most = Infinity): FoundLine[] {
  const [first = ''] = terms
  const found = new Map<number, FoundLine>()
  if (first === '') return []
  const { folded } = transcript
  for (let at = folded.indexOf(first); at >= 0 && found.size < most; at = folded.indexOf(first, at + 1)) {
    const line = lineAt(transcript.starts, at)
    const hit = [span(line, 1), span(line, 2), span(line - 1, 2)].find((each) => holds(transcript, each, terms))
    if (hit && !found.has(hit.line)) found.set(hit.line, hit)
  }
  return [...found.values()]
}
const span = (line: number, count: 1 | 2): FoundLine => ({ line, count })

function holds({ folded, starts }: Folded, { line, count }: FoundLine, terms: readonly string[]): boolean {
  const from = starts[line]
  if (from === undefined) return false
  const said = folded.slice(from, starts[line + count])
  return terms.every((term) => said.includes(term))
}

/** The last line that begins there or before. */
function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** The found lines as they are said. */
export function spokenAt(lines: readonly SaidLine[], { line, count }: FoundLine): SaidLine {
  const spoken = lines.slice(line, line + count)
  return { at: spoken[0]?.at ?? 0, text: spoken.map(({ text }) => text).join(' ') }
}

/** Of several subtitles the ones that a lesson shows: Chinese ones, else the first. */
export const shownSubtitles = <T extends { lang: string }>(subtitles: readonly T[]): T | undefined =>
  subtitles.find(({ lang }) => lang.startsWith('zh')) ?? subtitles[0]
