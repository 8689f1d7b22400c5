import path from 'node:path'
import { assembled, chosenFrom, filledIn, gap, inRightOrder, letter } from './answers.ts'
import { asksForComposition } from '#server/content/composition.ts'
import type { Draft } from '#server/content/draft.ts'
import { NotHeld } from './notHeld.ts'
import { type Element, element, elements, escaped, markup, textIn } from './xml.ts'

interface Around {
  warn: (reason: string) => void
  /** Where the item's file lies in its package, for the pictures beside it. */
  folder: string
}
/** What of an item its interactions need and add to. */
interface Item extends Around {
  responses: Map<string, Response>
  /** By the choice's identifier. */
  feedback: Map<string, string>
  parts: Draft[]
  /** Rubrics for who marks. */
  reference: string[]
}
interface Response {
  many: boolean
  /** Percent of the marks by answer. */
  earned: Map<string, number>
}

const NOT_HELD: Record<string, string> = {
  associateinteraction: '两两配对题（associateInteraction）',
  hotspotinteraction: '图上选点题（hotspotInteraction）',
  selectpointinteraction: '图上选点题（selectPointInteraction）',
  graphicorderinteraction: '图上排序题（graphicOrderInteraction）',
  graphicassociateinteraction: '图上连线题（graphicAssociateInteraction）',
  graphicgapmatchinteraction: '图上填空题（graphicGapMatchInteraction）',
  positionobjectinteraction: '图上放置题（positionObjectInteraction）',
  sliderinteraction: '滑块题（sliderInteraction）',
  mediainteraction: '媒体题（mediaInteraction）',
  drawinginteraction: '作图题（drawingInteraction）',
  uploadinteraction: '上传题（uploadInteraction）',
}

/** One item of QTI 2.1, 2.2 or 3.0, whose names differ in `qti-`, hyphens and capitals alone. @throws NotHeld */
export function item2(source: Element, around: Around): Draft {
  const item = named(source)
  if (elements(item, 'templatedeclaration').length > 0)
    throw new NotHeld('题目的数值随机生成（templateDeclaration），请改成固定数值')
  if (item.attributes['adaptive'] === 'true') throw new NotHeld('自适应题（adaptive）分步作答，请改成材料题')
  const held: Item = { ...around, responses: responsesOf(item), feedback: new Map(), parts: [], reference: [] }
  for (const each of elements(item, 'modalfeedback'))
    held.feedback.set(each.attributes['identifier'] ?? '', html(each, held))
  const body = element(item, 'itembody')
  const stem = body ? markup(body.children, (inner) => replaced(inner, held)).trim() : ''
  if (held.parts.length === 0) throw new NotHeld('题目没有作答的地方，请改成选择题、填空题或简答题')
  const head: Draft = { at: '', stem }
  const made = assembled(head, held.parts)
  const reference = held.reference.join('\n')
  if (made.type === 'essay')
    return {
      ...made,
      type: asksForComposition(stem) ? 'composition' : made.type,
      reference: reference || made.reference,
    }
  return reference === '' ? made : { ...made, analysis: [made.analysis, reference].filter(Boolean).join('\n') }
}

const short = (name: string): string => name.replace(/^\w+:/, '').replace(/^qti-/, '').replaceAll('-', '').toLowerCase()
const named = ({ name, attributes, children }: Element): Element => ({
  name: short(name),
  attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [short(key), value])),
  children: children.map((child) => (typeof child === 'string' ? child : named(child))),
})

function responsesOf(item: Element): Map<string, Response> {
  return new Map(
    elements(item, 'responsedeclaration').map((declared) => {
      const right = elements(element(declared, 'correctresponse') ?? declared, 'value').map((value) =>
        textIn(value).trim(),
      )
      const mapped = elements(element(declared, 'mapping') ?? declared, 'mapentry').map(
        ({ attributes }) => [(attributes['mapkey'] ?? '').trim(), Number(attributes['mappedvalue'] ?? 0)] as const,
      )
      const many = declared.attributes['cardinality'] === 'multiple'
      const most = Math.max(...mapped.map(([, value]) => value))
      // Of several answers each earns a part of the marks: which are right is all that is asked for.
      const shares = mapped.map(([key, value]) => [key, many ? (value > 0 ? 100 : 0) : (value / most) * 100] as const)
      const earned = new Map(right.length > 0 ? right.map((value) => [value, 100] as const) : shares)
      // What is written may be right in more ways than the one that is shown.
      if (declared.attributes['basetype'] === 'string')
        for (const [key, share] of shares) if (!earned.has(key) || share >= 100) earned.set(key, share)
      return [declared.attributes['identifier'] ?? '', { many, earned }]
    }),
  )
}
const responseOf = (interaction: Element, { responses }: Item): Response =>
  responses.get(interaction.attributes['responseidentifier'] ?? '') ?? { many: false, earned: new Map() }

/** What stands in the text for an element of the body; null: the element itself. */
function replaced(inner: Element, item: Item): string | null {
  if (inner.name.endsWith('interaction')) return interaction(inner, item)
  switch (inner.name) {
    case 'rubricblock': {
      const view = inner.attributes['view'] ?? 'candidate'
      if (view.includes('candidate')) return html(inner, item)
      if (/scorer|tutor|author/.test(view)) item.reference.push(html(inner, item))
      return ''
    }
    case 'feedbackblock':
    case 'feedbackinline':
      item.feedback.set(inner.attributes['identifier'] ?? '', html(inner, item))
      return ''
    case 'printedvariable':
      throw new NotHeld('题目里有算出来的数（printedVariable），请改成固定数值')
    case 'stylesheet':
    case 'style':
      return ''
    case 'img':
      return picture(inner.attributes['src'] ?? '', inner, item)
    case 'object':
      if (inner.attributes['type']?.startsWith('image/')) return picture(inner.attributes['data'] ?? '', inner, item)
      item.warn(`附件不是图片，未导入：${(inner.attributes['data'] ?? '').slice(0, 80)}`)
      return ''
    case 'audio':
    case 'video':
      item.warn('音频、视频未导入')
      return ''
    default:
      return null
  }
}
const html = (of: Element, item: Item): string => {
  const text = markup(of.children, (inner) => replaced(inner, item))
  return text.replaceAll(/<(?!img|math)[^>]*>|\s/g, '') === '' ? '' : text.trim()
}

function picture(src: string, { attributes }: Element, { folder }: Around): string {
  const at = /^(\w+:|\/)/.test(src) ? src : path.posix.join(folder, src)
  const size = ['width', 'height'].flatMap((name) =>
    /^\d+$/.test(attributes[name] ?? '') ? [` ${name}="${attributes[name]}"`] : [],
  )
  return `<img src="${escaped(at)}" alt="${escaped(attributes['alt'] ?? '')}"${size.join('')} />`
}

/** Adds what is asked to the item's parts. @returns what of it stands in the text */
function interaction(asked: Element, item: Item): string {
  const prompt = element(asked, 'prompt')
  const part: Draft = { at: '', stem: prompt ? html(prompt, item) : '' }
  const add = (made: Draft): void => void item.parts.push(made)
  switch (asked.name) {
    case 'choiceinteraction':
      add(choice(part, asked, elements(asked, 'simplechoice'), item))
      return ''
    case 'orderinteraction':
      add(ordering(part, asked, item))
      return ''
    case 'hottextinteraction': {
      add(choice(part, asked, inside(asked, 'hottext'), item))
      return markup(asked.children, (inner) => {
        if (inner.name === 'prompt') return ''
        return inner.name === 'hottext' ? `<u>${html(inner, item)}</u>` : replaced(inner, item)
      })
    }
    case 'inlinechoiceinteraction':
      add(choice(part, asked, elements(asked, 'inlinechoice'), item))
      return gap(item.parts.length)
    case 'textentryinteraction':
      add(written(part, asked, item))
      return gap(item.parts.length)
    case 'extendedtextinteraction': {
      const { earned } = responseOf(asked, item)
      add({ ...part, type: 'essay', reference: [...earned.keys()].join('\n') })
      return ''
    }
    case 'gapmatchinteraction':
      return gaps(part, asked, item)
    case 'matchinteraction':
      for (const each of matchedParts(asked, item)) add(each)
      return part.stem
    default:
      throw new NotHeld(`${NOT_HELD[asked.name] ?? asked.name}无法表示，请改成选择题或填空题`)
  }
}

function choice(part: Draft, asked: Element, choices: readonly Element[], item: Item): Draft {
  const { many, earned } = responseOf(asked, item)
  const options = choices.map((each) => {
    const id = each.attributes['identifier'] ?? ''
    const text = html(each, item)
    return { text, earns: earned.get(id) ?? 0, feedback: item.feedback.get(id) ?? '' }
  })
  const made = chosenFrom(part, options, item.warn)
  return many && asked.attributes['maxchoices'] !== '1' ? { ...made, type: 'multiple' } : made
}

function ordering(part: Draft, asked: Element, item: Item): Draft {
  const choices = elements(asked, 'simplechoice')
  const right = [...responseOf(asked, item).earned.keys()]
  if (right.length === 0) throw new NotHeld('排序题没有写正确的顺序（correctResponse）')
  if (right.length < choices.length) throw new NotHeld('排序题只要求排其中几项，请改成排全部各项')
  const texts = new Map(choices.map((each) => [each.attributes['identifier'] ?? '', html(each, item)]))
  return inRightOrder(
    part,
    right.map((id) => texts.get(id) ?? ''),
  )
}

function written(part: Draft, asked: Element, item: Item): Draft {
  const { earned } = responseOf(asked, item)
  if (asked.attributes['patternmask']) item.warn('填空的格式要求（patternMask）没有保留')
  return filledIn(
    part,
    [...earned].map(([text, earns]) => ({ text, earns, feedback: '' })),
    item.warn,
  )
}

/** Pairs as `left right`, of those that earn something. */
const pairsOf = ({ earned }: Response): string[][] =>
  [...earned].filter(([, share]) => share > 0).map(([pair]) => pair.split(/\s+/))

function gaps(part: Draft, asked: Element, item: Item): string {
  const words = asked.children.filter(
    (child) => typeof child !== 'string' && /^gap(text|img)$/.test(child.name),
  ) as Element[]
  const options = words.map((word) => html(word, item))
  const pairs = pairsOf(responseOf(asked, item))
  const text = markup(asked.children, (inner) => {
    if (inner.name === 'prompt' || words.includes(inner)) return ''
    if (inner.name !== 'gap') return replaced(inner, item)
    const right = pairs.find(([, to]) => to === inner.attributes['identifier'])?.[0]
    const answer = words.findIndex(({ attributes }) => attributes['identifier'] === right)
    item.parts.push({ at: '', stem: '', type: 'single', options, answer: answer < 0 ? '' : letter(answer) })
    return gap(item.parts.length)
  })
  return [part.stem, text].filter(Boolean).join('\n')
}

/** Each of the first set becomes a choice among all of the second. */
function matchedParts(asked: Element, item: Item): Draft[] {
  const [lefts = [], rights = []] = elements(asked, 'simplematchset').map((set) =>
    elements(set, 'simpleassociablechoice'),
  )
  const pairs = pairsOf(responseOf(asked, item))
  const options = rights.map((right) => html(right, item))
  return lefts.map((left) => {
    const own = pairs.filter(([from]) => from === left.attributes['identifier']).map(([, to]) => to)
    const answer = rights
      .flatMap(({ attributes }, i) => (own.includes(attributes['identifier']) ? [letter(i)] : []))
      .join('')
    return { at: '', stem: html(left, item), type: own.length > 1 ? 'multiple' : 'single', options, answer }
  })
}

const inside = (of: Element, name: string): Element[] =>
  of.children.flatMap((child) => (typeof child === 'string' ? [] : child.name === name ? [child] : inside(child, name)))
