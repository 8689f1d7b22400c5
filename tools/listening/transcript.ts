import { hash } from 'node:crypto'

/** A line of a recording: what a man (M) or a woman (W) says without a pause. */
export interface Line {
  speaker: 'M' | 'W'
  text: string
}

const TITLE = '听力原文\n'
const LINE = /^([MW]): (.+)$/

/**
 * Reads what is said in a question's recording: it stands at the head of the analysis, one line a speaker, and is what the recording is
 * made of.
 * @returns no line where the analysis begins otherwise
 */
export function transcriptOf(analysis: string): Line[] {
  if (!analysis.startsWith(TITLE)) return []
  const lines: Line[] = []
  for (const line of analysis.slice(TITLE.length).split('\n')) {
    const [, speaker, text] = LINE.exec(line) ?? []
    if ((speaker !== 'M' && speaker !== 'W') || text === undefined) break
    lines.push({ speaker, text })
  }
  return lines
}

export const written = (lines: readonly Line[]): string =>
  lines.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')

/** Stands in the tags of a recording, so that a test sees one that says something else than its transcript. */
export const markOf = (lines: readonly Line[]): string =>
  `transcript-${hash('sha256', written(lines), 'hex').slice(0, 16)}`

/** The name of the recording that a stem holds; null: none. */
export const recordingIn = (stem: string): string | null => /<audio src="([^"]+)">/.exec(stem)?.[1] ?? null
