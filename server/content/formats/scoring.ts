/** 要点（2分）. The score is NaN where none is written. */
export function scoringPoint(line: string): { text: string; score: number } {
  const [, text, score] = /^(.*?)\s*[（(]\s*(\d+(?:\.\d+)?)\s*分\s*[)）]\s*$/.exec(line.trim()) ?? []
  return { text: text ?? line.trim(), score: score === undefined ? Number.NaN : Number(score) }
}
