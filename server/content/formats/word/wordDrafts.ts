import type { Draft } from '#server/content/draft.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { splitOptions } from '../options.ts'
import { numberOf } from '../paperNumbers.ts'
import { scoringPoint } from '../tableRows.ts'
import { type Placeholders, signsIn, withoutSigns } from './placeholders.ts'

/** A question as it was read, with what stood in its place in the file: HTML, warnings, and why it cannot be taken. */
export function finished(draft: Draft, held: Placeholders): Draft {
  const texts = [
    draft.stem,
    ...(draft.options ?? []),
    draft.answer,
    draft.reference,
    draft.analysis,
    ...Object.values(draft.reasons ?? {}),
    ...(draft.scoring ?? []).map(({ text }) => text),
  ]
  const whole = texts.filter((text) => text !== undefined).join('\n')
  const stem = pictureOfStem(held.html(draft.stem))
  const answer = draft.answer === undefined ? undefined : held.html(draft.answer)
  const plain = answer === undefined ? undefined : plainAnswer(answer)
  const refused = [
    ...(draft.refused === undefined ? [] : [held.words(draft.refused)]),
    ...new Set(held.in(whole, 'problem').map((place) => ('reason' in place ? place.reason : ''))),
    ...refusals({ ...draft, answer: plain }, answer ?? '', held),
  ].join('；')
  const notes = new Set([
    ...(draft.notes ?? []),
    ...held.in(whole, 'note').map((place) => ('reason' in place ? place.reason : '')),
  ])
  if (stem.note !== undefined) notes.add(stem.note)
  const tail = tailOf(stem.html)
  if (tail !== undefined) notes.add(`最后一个选项之后还有文字“${tail.slice(0, 12)}”，归入了这个选项，请核对`)
  const reference = draft.reference === undefined ? answer : held.html(draft.reference)
  return {
    ...draft,
    stem: stem.html,
    options: draft.options?.map((text) => held.html(text)),
    reasons:
      draft.reasons && Object.fromEntries(Object.entries(draft.reasons).map(([id, text]) => [id, held.html(text)])),
    answer: plain,
    ...(reference !== plain && { reference }),
    analysis: draft.analysis === undefined ? undefined : held.html(draft.analysis),
    scoring: draft.scoring
      ?.map((point) => pointOf(point, held))
      .filter(({ text, score }) => text.trim() !== '' || !Number.isNaN(score)),
    words: draft.words === undefined ? undefined : held.words(draft.words),
    points: draft.points?.map((name) => held.words(name).trim()).filter(Boolean),
    source: draft.source === undefined ? undefined : held.words(draft.source),
    chapter: draft.chapter === undefined ? undefined : held.words(draft.chapter).trim(),
    parts: draft.parts?.map((part) => finished(part, held)),
    notes: [...notes],
    refused: refused === '' ? undefined : refused,
  }
}

const BEHIND = /[（(][^（()）]*[)）][^（()）]*$/
/** A score whose marks, or whatever stands aside at the end of its line, hide it: it is read without them, and they stay. */
function pointOf({ text, score }: NonNullable<Draft['scoring']>[number], held: Placeholders) {
  const [tail = ''] = BEHIND.exec(text) ?? []
  const read = Number.isNaN(score) ? scoringPoint(withoutSigns(tail)).score : score
  const shown = Number.isNaN(read) || read === score ? text : text.slice(0, -tail.length) + signsIn(tail)
  // Marks that were around the score alone are around nothing.
  return {
    text: held
      .html(shown)
      .replaceAll(/<(\w+)><\/\1>/g, '')
      .trim(),
    score: read,
  }
}

/** Letters and gaps are answered without marks; an end of a line parts the answers of gaps. */
const plainAnswer = (html: string): string => html.split('\n').map(plainText).join('\n').trim()

function refusals({ stem, answer, type, reference }: Draft, html: string, held: Placeholders): string[] {
  const found: string[] = []
  const lines = stem.split('\n')
  const first = lines.findIndex((line) => /^\s*[（(]?A[)）]?\s?[.．、:：]/.test(line))
  const number = first < 0 ? undefined : lines.slice(first + 1).find((line) => numberOf(line.trim()) !== null)
  if (number !== undefined)
    found.push(
      `选项后面还有编号“${held.words(number).trim().slice(0, 12)}”，题号接不上：请核对题号，分段的标题请写成“二、多选题”`,
    )
  const shown = Array.from(held.peek(stem).matchAll(/<u>([^<]+)<\/u>/g), ([, text = '']) => text.trim())
  const told = (answer ?? '').split(/[;；\n|/]/).find((text) => text.trim() !== '' && shown.includes(text.trim()))
  if (/填空/.test(type ?? '') && told !== undefined)
    found.push(`题干的空里就写着答案“${told.trim().slice(0, 12)}”：请把它删去，只留下划线`)
  const looks = held.in(stem, 'look').map((place) => ('reason' in place ? place.reason : ''))
  if (!answer && looks.length > 0)
    found.push(`没有答案；选项 ${looks.join('、')} 的颜色或粗细、划线与别的文字不同，没有当作答案：请在题后写“答案：…”`)
  if (/<(?:img|table)\b/.test(reference ?? html) && /填空|单选|多选|不定项|判断|排序/.test(type ?? ''))
    found.push('答案里有图片或表格，这种题型的答案只能是文字')
  return found
}

/** Text below the last option where all others are of one line: a teacher's remark looks the same. */
function tailOf(html: string): string | undefined {
  const options = splitOptions(html)?.options ?? []
  const [last = '', ...others] = options.toReversed()
  if (others.some((option) => option.includes('\n'))) return undefined
  return plainText(last.split('\n').slice(1).join(' ')) || undefined
}

const LAST = /((?:\s*(?:<img\b[^>]*>|<table>(?:(?!<\/table>)[^])*<\/table>))+)\s*$/
/**
 * A picture that stands below the last option is the question's, where no other option has one. In a file it stands there because
 * there is room.
 */
function pictureOfStem(html: string): { html: string; note?: string } {
  const behind = LAST.exec(html)?.[1]
  const options = behind === undefined ? null : splitOptions(html)?.options
  if (behind === undefined || !options) return { html }
  const others = options.slice(0, -1)
  const own = (options.at(-1) ?? '').replace(LAST, '').trim()
  if (own === '' || others.some((option) => /<(?:img|table)\b/.test(option))) return { html }
  const asked = splitOptions(html)?.stem ?? ''
  const from = html.indexOf(asked) + asked.length
  const rest = html.slice(from).replace(LAST, '')
  return {
    html: `${html.slice(0, from)}\n${behind.trim()}${rest}`,
    note: '图片（表格）在最后一个选项之后，放进了题干，请核对',
  }
}
