import { judgeKey } from '#src/domain/text/text.ts'
import { assembled, chosenFrom, filledIn, gap, inRightOrder, trueOrFalse } from './answers.ts'
import { asksForComposition } from '#server/content/composition.ts'
import type { Draft } from '#server/content/draft.ts'
import { NotHeld } from './notHeld.ts'
import { type Element, element, escaped, textIn } from './xml.ts'

type Warn = (reason: string) => void

const NOT_HELD: Record<string, string> = {
  calculated_question: '公式题（calculated_question）的数值随机生成，请改成固定数值的数值题',
  file_upload_question: '上传题（file_upload_question）无法表示，请改成简答题',
}

export interface Item12 {
  /** Null: a text that questions belong to, or that nobody answers. */
  draft: Draft | null
  ident: string
  /** Of the text that it belongs to. */
  parent: string
  text: string
}

/** One item of QTI 1.2, with the metadata that Canvas and others add. @throws NotHeld */
export function item12(item: Element, warn: Warn): Item12 {
  const meta = metaOf(item)
  const presentation = element(item, 'presentation') ?? item
  const text = shownIn(presentation)
  const at = { ident: item.attributes['ident'] ?? '', parent: meta.get('parent_stimulus_item_ident') ?? '', text }
  const type = meta.get('question_type') ?? ''
  const refused = NOT_HELD[type]
  if (refused) throw new NotHeld(refused)
  if (type === 'text_only_question') return { ...at, draft: null }
  const asked = responsesIn(presentation)
  if (asked.length === 0) throw new NotHeld('题目没有作答的地方，请改成选择题、填空题或简答题')
  return { ...at, draft: draft(item, { text, type, asked }, warn) }
}

function draft(
  item: Element,
  { text, type, asked }: { text: string; type: string; asked: Element[] },
  warn: Warn,
): Draft {
  const marks = marksOf(item)
  const head: Draft = { at: '', stem: text, analysis: marks.analysis }
  const parts: Draft[] = []
  for (const each of asked) {
    const name = shownIn(each)
    // A left side that nobody wrote.
    if (name === '' && type === 'matching_question') continue
    const isGap = name !== '' && head.stem.includes(`[${name}]`)
    if (isGap) head.stem = head.stem.replaceAll(`[${name}]`, gap(parts.length + 1))
    const part: Draft = { at: '', stem: isGap ? '' : name }
    parts.push(answered(part, each, { type, marks, warn }))
  }
  return assembled(head, parts)
}

function answered(
  part: Draft,
  asked: Element,
  { type, marks, warn }: { type: string; marks: Marks; warn: Warn },
): Draft {
  const id = asked.attributes['ident'] ?? ''
  const many = asked.attributes['rcardinality'] === 'Multiple'
  const labels = within(asked, 'response_label')
  if (asked.attributes['rcardinality'] === 'Ordered') return ordering(part, labels, marks.sequence(id))
  const fib = within(asked, 'render_fib')[0]
  if (fib) {
    const accepted = marks.earned(id, false)
    if (type === 'essay_question' || accepted.size === 0)
      return { ...part, type: asksForComposition(part.stem) ? 'composition' : 'essay' }
    const isNumber = /^(Decimal|Integer)$/i.test(fib.attributes['fibtype'] ?? '')
    const texts = [...accepted].map(([value, earns]) => ({ text: isNumber ? bare(value) : value, earns, feedback: '' }))
    return filledIn(part, texts, warn)
  }
  if (labels.length === 0) throw new NotHeld('图上作答或滑块题无法表示，请改成选择题')
  const earned = marks.earned(id, many)
  const options = labels.map((label) => {
    const value = label.attributes['ident'] ?? ''
    return { text: shownIn(label), earns: earned.get(value) ?? 0, feedback: marks.feedback.get(`${id} ${value}`) ?? '' }
  })
  // All that is listed is accepted, though the marks name the first alone.
  if (type === 'fill_in_multiple_blanks_question')
    return filledIn(
      part,
      options.map((each) => ({ ...each, text: unmarked(each.text), earns: 100 })),
      warn,
    )
  const keys = options.map((option) => judgeKey(unmarked(option.text)))
  const [first, second] = options
  if (
    first &&
    second &&
    options.length === 2 &&
    keys.includes('A') &&
    keys.includes('B') &&
    !/^[ab]$/i.test(first.text)
  ) {
    const [right, wrong] = keys[0] === 'A' ? [first, second] : [second, first]
    if (right.earns !== wrong.earns)
      return trueOrFalse(part, right.earns > wrong.earns, { right: right.feedback, wrong: wrong.feedback })
  }
  // Left by editors that begin with four empty ones.
  const filled = options.filter(({ text, earns }) => text !== '' || earns > 0)
  if (filled.length < options.length) warn('空的选项没有导入')
  const made = chosenFrom(part, filled, warn)
  return many ? { ...made, type: 'multiple' } : made
}

function ordering(part: Draft, labels: readonly Element[], right: readonly string[]): Draft {
  if (right.length === 0) throw new NotHeld('排序题没有写正确的顺序')
  if (right.length < labels.length) throw new NotHeld('排序题只要求排其中几项，请改成排全部各项')
  const texts = new Map(labels.map((label) => [label.attributes['ident'] ?? '', shownIn(label)]))
  return inRightOrder(
    part,
    right.map((id) => texts.get(id) ?? ''),
  )
}

const bare = (value: string): string =>
  value.trim() !== '' && Number.isFinite(Number(value)) ? String(Number(value)) : value
const unmarked = (html: string): string => html.replaceAll(/<[^>]*>/g, '').trim()

interface Marks {
  /** Percent of the marks by answer. */
  earned: (response: string, many: boolean) => Map<string, number>
  /** The answers to a response in the order that earns most. */
  sequence: (response: string) => string[]
  /** By response and answer. */
  feedback: Map<string, string>
  analysis: string
}

const GENERAL = ['general_fb', 'correct_fb', 'general_incorrect_fb']

function marksOf(item: Element): Marks {
  const said = new Map(within(item, 'itemfeedback').map((each) => [each.attributes['ident'] ?? '', shownIn(each)]))
  const feedback = new Map<string, string>()
  const scores = new Map<string, Map<string, number>>()
  const sequences = new Map<string, { score: number; values: string[] }>()
  for (const condition of within(item, 'respcondition')) {
    const named = answersIn(condition)
    const score = Math.max(0, ...within(condition, 'setvar').map(givenBy))
    for (const [response, values] of sequencesIn(named))
      if (score > (sequences.get(response)?.score ?? 0)) sequences.set(response, { score, values })
    for (const { response, value } of named) {
      const own = scores.get(response) ?? new Map<string, number>()
      scores.set(response, own.set(value, Math.max(score, own.get(value) ?? 0)))
    }
    const [only] = named
    if (only && named.length === 1)
      for (const each of within(condition, 'displayfeedback')) {
        const link = each.attributes['linkrefid'] ?? ''
        if (!GENERAL.includes(link)) feedback.set(`${only.response} ${only.value}`, said.get(link) ?? '')
      }
  }
  const earned = (response: string, many: boolean): Map<string, number> => {
    const own = [...(scores.get(response) ?? [])].filter(([, score]) => score > 0)
    const most = Math.max(...own.map(([, score]) => score))
    return new Map(own.map(([value, score]) => [value, many ? 100 : (score / most) * 100]))
  }
  const analysis = [...new Set(GENERAL.map((id) => said.get(id) ?? ''))].filter(Boolean).join('\n')
  return { earned, sequence: (response) => sequences.get(response)?.values ?? [], feedback, analysis }
}

/** The answers to each response by the place that the condition asks them to be at, else as they are written. */
function sequencesIn(named: readonly Asked[]): Map<string, string[]> {
  const byResponse = Map.groupBy(named, ({ response }) => response)
  return new Map(
    [...byResponse].map(([response, all]) => [
      response,
      all.toSorted((a, b) => a.index - b.index).map(({ value }) => value),
    ]),
  )
}

/** What a condition adds to the score, and what it takes off as a number below 0. */
function givenBy(setvar: Element): number {
  const score = Number(textIn(setvar)) || 0
  return /^subtract$/i.test(setvar.attributes['action'] ?? '') ? -score : score
}

interface Asked {
  response: string
  value: string
  /** The place in an order, from 1; 0: not said. */
  index: number
}

/** What a condition asks an answer to be: not what it must not be. Of a span of numbers its middle. */
function answersIn(condition: Element): Asked[] {
  const found: Asked[] = []
  const bounds = new Map<string, number[]>()
  const walk = (of: Element): void => {
    for (const child of of.children) {
      if (typeof child === 'string' || child.name === 'not') continue
      const response = child.attributes['respident'] ?? ''
      const value = textIn(child).trim()
      if (child.name === 'varequal') found.push({ response, value, index: Number(child.attributes['index']) || 0 })
      else if (/^var[gl]te?$/.test(child.name)) bounds.set(response, [...(bounds.get(response) ?? []), Number(value)])
      else walk(child)
    }
  }
  walk(element(condition, 'conditionvar') ?? condition)
  for (const [response, [low, high = low]] of bounds)
    if (low !== undefined && high !== undefined && !found.some((each) => each.response === response))
      found.push({ response, value: String((low + high) / 2), index: 0 })
  return found
}

const metaOf = (item: Element): Map<string, string> =>
  new Map(
    within(item, 'qtimetadatafield').map((each) => [
      textIn(element(each, 'fieldlabel')).trim(),
      textIn(element(each, 'fieldentry')).trim(),
    ]),
  )

const ASKED = /^response_(lid|str|num)$/
const responsesIn = (of: Element): Element[] =>
  of.children.flatMap((child) =>
    typeof child === 'string' ? [] : ASKED.test(child.name) ? [child] : responsesIn(child),
  )

/** The material in it as HTML, without that of what is asked or chosen in it. */
function shownIn(of: Element): string {
  const shown = of.children.map((child) => {
    if (typeof child === 'string' || ASKED.test(child.name) || child.name.startsWith('render_')) return ''
    return child.name === 'material' ? material(child) : shownIn(child)
  })
  return shown.filter(Boolean).join('\n')
}
const material = ({ children }: Element): string =>
  children
    .map((child) => {
      if (typeof child === 'string') return ''
      if (child.name === 'matimage') return `<img src="${escaped(child.attributes['uri'] ?? '')}" alt="" />`
      if (!/^mat(em)?text$/.test(child.name)) return ''
      // Common Cartridge's name of its folder: not a formula.
      const text = textIn(child)
        .replaceAll(/(\$|%24)IMS[-_]CC[-_]FILE_?BASE\1\/?/g, '')
        .trim()
      return child.attributes['texttype'] === 'text/html' ? text : escaped(text)
    })
    .join('')

const within = (of: Element, name: string): Element[] =>
  of.children.flatMap((child) => (typeof child === 'string' ? [] : child.name === name ? [child] : within(child, name)))

export const isItem12 = (source: string): boolean => /<(?:\w+:)?questestinterop[\s>]/.test(source)
