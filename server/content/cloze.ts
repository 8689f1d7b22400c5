import { chosenFrom, filledIn, letter } from './answers.ts'
import type { Draft } from './draft.ts'

type Warn = (reason: string) => void

/** `{1:SHORTANSWER:=count~%50%n#Nearly}`: docs.moodle.org, “Embedded Answers (Cloze) question type”. */
const FIELD = /\{\d*:([A-Z_]+):((?:\\.|[^}\\])*)\}/g
const WRITTEN = /^(SHORTANSWER|SA|MW|SHORTANSWER_C|SAC|MWC|NUMERICAL|NM)$/
const CHOSEN = /^(MULTICHOICE|MC|MULTIRESPONSE|MR)(_?[HVS]+)?$/

interface Answer {
  text: string
  earns: number
  told: string
}
interface Field {
  chosen: boolean
  answers: Answer[]
}

/** A gap for each field. Gaps that are all written in make a 填空题; otherwise each becomes a 小题. */
export function clozeParts(head: Draft, warn: Warn): Draft {
  const fields: Field[] = []
  const stem = head.stem.replaceAll(FIELD, (whole, kind: string, answers: string) => {
    if (!WRITTEN.test(kind) && !CHOSEN.test(kind)) return whole
    const numeric = kind.startsWith('N')
    fields.push({
      chosen: CHOSEN.test(kind),
      answers: answersOf(answers).map((each) => (numeric ? centred(each, warn) : each)),
    })
    return gap(fields.length)
  })
  if (fields.length > 0 && fields.every(({ chosen }) => !chosen)) {
    const filled = fields.map(({ answers }) => filledIn(head, answers, warn))
    const told = [...new Set([head.analysis ?? '', ...filled.map(({ analysis = '' }) => analysis)])].filter(Boolean)
    return {
      ...head,
      stem,
      analysis: told.join('\n'),
      type: 'blank',
      blanks: filled.flatMap(({ blanks = [] }) => blanks),
    }
  }
  const parts = fields.map(({ chosen, answers }, i) => {
    const part = { at: '', stem: `第（${i + 1}）空` }
    return chosen ? chosenFrom(part, answers, warn) : filledIn(part, answers, warn)
  })
  return { ...head, stem, type: 'composite', parts }
}

/** `[[2]]` is a gap whose right word is the second; the other words of its group mislead. */
export function gapParts(head: Draft, words: readonly { text: string; group: string }[]): Draft {
  const parts: Draft[] = []
  const stem = head.stem.replaceAll(/\[\[(\d+)\]\]/g, (whole, n: string) => {
    const right = words[Number(n) - 1]
    if (!right) return whole
    const options = [...new Set(words.filter(({ group }) => group === right.group).map(({ text }) => text))]
    const answer = letter(options.indexOf(right.text))
    parts.push({ at: '', type: 'single', stem: `第（${parts.length + 1}）空`, options, answer })
    return gap(parts.length)
  })
  return { ...head, stem, type: 'composite', parts }
}

const gap = (n: number): string => `（${n}）____`

/** `=right~wrong#feedback~%50%half`, where a backslash keeps a sign. */
function answersOf(source: string): Answer[] {
  const kept = source.replaceAll(/\\(.)/g, (_, sign: string) => `\\${sign.charCodeAt(0)};`)
  const given = (text: string) =>
    text.replaceAll(/\\(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).trim()
  return kept
    .replace(/^~/, '')
    .split('~')
    .map((each) => {
      const [, share, sure, text = '', told = ''] = /^\s*(?:%(-?[\d.]+)%|(=))?([^#]*)#?([^]*)$/.exec(each) ?? []
      return { text: given(text), earns: share === undefined ? (sure ? 100 : 0) : Number(share), told: given(told) }
    })
}

/** `3.14:0.01`: what a number may differ by is not kept. */
function centred(answer: Answer, warn: Warn): Answer {
  const [text = '', margin = '0'] = answer.text.split(':')
  if (Number(margin) > 0) warn('数值题的误差范围没有保留，只收中心值')
  return { ...answer, text: text.trim() }
}
