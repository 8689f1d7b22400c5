import { assembled, chosenFrom, filledIn, gap, letter } from './answers.ts'
import type { Draft } from '#server/content/draft.ts'

type Warn = (reason: string) => void

/** `{1:SHORTANSWER:=count~%50%n#Nearly}`: docs.moodle.org, “Embedded Answers (Cloze) question type”. */
const FIELD = /\{\d*:([A-Z_]+):((?:\\.|[^}\\])*)\}/g
const WRITTEN = /^(SHORTANSWER|SA|MW|SHORTANSWER_C|SAC|MWC|NUMERICAL|NM)$/
const CHOSEN = /^(MULTICHOICE|MC|MULTIRESPONSE|MR)(_?[HVS]+)?$/

interface Answer {
  text: string
  earns: number
  feedback: string
}
const GAP: Draft = { at: '', stem: '' }

export function clozeParts(head: Draft, warn: Warn): Draft {
  const parts: Draft[] = []
  const stem = head.stem.replaceAll(FIELD, (whole, kind: string, source: string) => {
    const answers = answersOf(source)
    if (CHOSEN.test(kind)) parts.push(chosenFrom(GAP, answers, warn))
    else if (WRITTEN.test(kind))
      parts.push(filledIn(GAP, kind.startsWith('N') ? answers.map((each) => centred(each, warn)) : answers, warn))
    else return whole
    return gap(parts.length)
  })
  return assembled({ ...head, stem }, parts)
}

/** `[[2]]` is a gap whose right word is the second; the other words of its group mislead. */
export function gapParts(head: Draft, words: readonly { text: string; group: string }[]): Draft {
  const parts: Draft[] = []
  const stem = head.stem.replaceAll(/\[\[(\d+)\]\]/g, (whole, n: string) => {
    const right = words[Number(n) - 1]
    if (!right) return whole
    const options = [...new Set(words.filter(({ group }) => group === right.group).map(({ text }) => text))]
    parts.push({ ...GAP, type: 'single', options, answer: letter(options.indexOf(right.text)) })
    return gap(parts.length)
  })
  return assembled({ ...head, stem }, parts)
}

/** `=right~wrong#feedback~%50%half`, where a backslash keeps a sign. */
function answersOf(source: string): Answer[] {
  const kept = source.replaceAll(/\\(.)/g, (_, sign: string) => `\\${sign.charCodeAt(0)};`)
  const given = (text: string) =>
    text.replaceAll(/\\(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).trim()
  return kept
    .replace(/^~/, '')
    .split('~')
    .map((each) => {
      const [, share, sure, text = '', feedback = ''] = /^\s*(?:%(-?[\d.]+)%|(=))?([^#]*)#?([^]*)$/.exec(each) ?? []
      return {
        text: given(text),
        earns: share === undefined ? (sure ? 100 : 0) : Number(share),
        feedback: given(feedback),
      }
    })
}

/** `3.14:0.01`: what a number may differ by is not kept. */
function centred(answer: Answer, warn: Warn): Answer {
  const [text = '', margin = '0'] = answer.text.split(':')
  if (Number(margin) > 0) warn('数值题的误差范围没有保留，只收中心值')
  return { ...answer, text: text.trim() }
}
