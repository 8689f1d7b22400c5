const HEADER = /^﻿?WEBVTT(?:[ \t].*)?$/
const TIME = String.raw`(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})`
const TIMING = new RegExp(`^${TIME}[ \\t]+-->[ \\t]+${TIME}(?:[ \\t].*)?$`)
/** A file's clock and a player's differ by a frame or two. */
const SLACK_MS = 1_000

/** What is wrong with a text as WebVTT subtitles of a lesson so long; null: nothing. Says the line. */
export function subtitleFault(text: string, seconds: number): string | null {
  const lines = text.split(/\r\n|\n|\r/)
  if (!HEADER.test(lines[0] ?? '')) return '第1行：不是 WebVTT 字幕，开头应为 WEBVTT'
  let [at, last, cues] = [1, 0, 0]
  while (at < lines.length) {
    if (lines[at]?.trim() === '') {
      at++
      continue
    }
    const end = lines.findIndex((line, i) => i >= at && line.trim() === '')
    const block = lines.slice(at, end < 0 ? lines.length : end)
    if (!/^(?:NOTE|STYLE|REGION)\b/.test(block[0] ?? '') || block.some((line) => line.includes('-->'))) {
      const cue = readCue(block, at, last, seconds)
      if ('fault' in cue) return cue.fault
      last = cue.from
      cues++
    }
    at += block.length
  }
  return cues > 0 ? null : '没有一条字幕'
}

function readCue(block: readonly string[], at: number, last: number, seconds: number) {
  // A cue may have a name above its time.
  const named = block[0]?.includes('-->') ? 0 : 1
  const line = `第${at + named + 1}行`
  const times = TIMING.exec(block[named] ?? '')
    ?.slice(1)
    .map((part) => Number(part ?? 0))
  if (!times) return { fault: `${line}：时间应写成 00:01.000 --> 00:04.500` }
  const [from, to] = [times.slice(0, 4), times.slice(4)].map(
    ([hours = 0, minutes = 0, s = 0, ms = 0]) => ((hours * 60 + minutes) * 60 + s) * 1000 + ms,
  ) as [number, number]
  if (to <= from) return { fault: `${line}：结束时间应晚于开始时间` }
  if (from < last) return { fault: `${line}：开始时间早于上一条字幕` }
  if (to > seconds * 1000 + SLACK_MS) return { fault: `${line}：字幕超出了课时的长度 ${seconds} 秒` }
  const words = block.slice(named + 1)
  if (words.length === 0) return { fault: `${line}：这条字幕没有文字` }
  if (words.some((each) => each.includes('-->'))) return { fault: `${line}：两条字幕之间要空一行` }
  return { from }
}
