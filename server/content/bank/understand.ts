import { createHash } from 'node:crypto'
import * as v from 'valibot'
import {
  type ListedType,
  type PlainQuestion,
  PlainQuestion as PlainSchema,
  type Question,
} from '#src/contract/question.ts'
import { isChoice } from '#src/domain/question/choice.ts'
import { ordinaryCharacters } from '#src/domain/text/text.ts'
import { areAll } from '#src/domain/question/order.ts'
import { seeded, shuffled } from '#src/domain/question/shuffle.ts'
import type { Draft } from '#server/content/draft.ts'
import { areGrades, lengthGiven, lengthIn } from '#server/content/composition.ts'
import { gapsMissed } from './gaps.ts'
import { keyIn, withoutLabel } from './answerKey.ts'
import { guessedType, saysRightOrWrong } from './guessedType.ts'
import { judgement } from './judgement.ts'
import { typeCalled } from './typeNames.ts'
import { missingFrom } from './missing.ts'
import {
  lettersInOrder,
  splitOptions,
  twoReadings,
  withoutMarkers,
  withoutNumber,
} from '#server/content/formats/options.ts'
import { type Pictures, richText } from '#server/content/formats/richText.ts'

export interface Surroundings {
  libraryNo: string
  /** Point by number and by name. */
  points: ReadonlyMap<string, { no: string; name: string }>
  pictures: Pictures
  /** Gets what formulae were written in, by their MathML. */
  formulae: { set: (mathml: string, latex: string) => unknown }
}
export interface Understood {
  question: Question
  warnings: string[]
}
/** The question cannot be taken; the message says why, in Chinese. */
export class DraftFault extends Error {
  override readonly name = 'DraftFault'
}

/** @throws DraftFault when the draft is no question that a student could answer. */
export function understand(draft: Draft, around: Surroundings): Understood {
  if (draft.refused !== undefined) throw new DraftFault(draft.refused)
  const warnings = [draft, ...(draft.parts ?? [])].flatMap(({ notes = [] }) => notes)
  const question = draft.parts?.length ? composite(draft, around, warnings) : plain(draft, around, warnings, null)
  return { question, warnings: [...warnings, ...missingFrom(question, warnings)] }
}

function composite(draft: Draft, around: Surroundings, warnings: string[]): Question {
  const head = common(draft, draft.stem, around, warnings, null)
  const parts = (draft.parts ?? []).map((part, i) => {
    const inherited = {
      ...part,
      no: part.no ?? `${head.no}_${i + 1}`,
      points: part.points ?? draft.points,
      difficulty: part.difficulty ?? draft.difficulty,
    }
    return namingPart(i + 1, () => plain(inherited, around, warnings, head.no))
  })
  if (hasReasons(draft)) warnings.push(NO_OPTIONS)
  const kind = typeCalled((draft.type ?? '').trim())
  return { ...head, type: 'composite', ...((kind === 'reading' || kind === 'cloze') && { kind }), parts }
}

/** Says in which 小题 a fault is: a draft has one place in the file for all of them. */
function namingPart(n: number, part: () => PlainQuestion): PlainQuestion {
  try {
    return part()
  } catch (error) {
    throw error instanceof DraftFault ? new DraftFault(`第${n}小题：${error.message}`) : error
  }
}

function plain(given: Draft, around: Surroundings, warnings: string[], parent: string | null): PlainQuestion {
  const bare = given.answer === undefined ? given : { ...given, answer: withoutLabel(given.answer) }
  if (given.refused !== undefined) throw new DraftFault(given.refused)
  const name = (given.type ?? '').trim()
  const called = typeCalled(name)
  if (given.type?.trim() && !called) throw new DraftFault(unknownType(given.type, given.typeColumn))
  if (called === 'composite' || called === 'reading' || called === 'cloze')
    throw new DraftFault('材料题需要小题（parts）')
  const type = called ?? guessedType(bare)
  // A reference is told as it is written.
  const draft = type === 'essay' || type === 'composition' ? given : bare
  const stem = withoutNumber(draft.stem)
  if (stem === '') throw new DraftFault('题干为空')
  const made = build(type, { ...draft, stem }, around, warnings, parent)
  const checked = v.safeParse(PlainSchema, made)
  if (!checked.success) throw new DraftFault(`内容不合要求：${checked.issues[0].message}`)
  if (hasReasons(draft) && !isChoice(checked.output)) warnings.push(NO_OPTIONS)
  return checked.output
}

const unknownType = (type: string, column: string | undefined): string =>
  `题型“${type}”无法识别${column === undefined ? '' : `；“${column}”列若不是题型，请加 --map ${column}=备注，不读这一列`}`

function build(
  type: ListedType,
  draft: Draft,
  around: Surroundings,
  warnings: string[],
  parent: string | null,
): unknown {
  if (type === 'judge') return judge(draft, around, warnings, parent)
  if (type === 'blank') return blank(draft, around, warnings, parent)
  if (type === 'essay') return essay(draft, around, warnings, parent)
  if (type === 'composition') return composition(draft, around, warnings, parent)
  if (type === 'order') return order(draft, around, warnings, parent)
  return choice(type, draft, around, warnings, parent)
}

function choice(
  type: ListedType,
  draft: Draft,
  around: Surroundings,
  warnings: string[],
  parent: string | null,
): unknown {
  const { texts, stem } = listed(draft)
  if (texts.length < 2 && saysRightOrWrong(draft.answer ?? ''))
    return warned(warnings, '没有选项而答案为对错，按判断题导入', () => judge(draft, around, warnings, parent))
  if (texts.length < 2) throw withoutOptions(draft, '选择题至少需要两个选项')
  const options = lettered(texts, around, warnings)
  const named = keyIn(draft.answer ?? '', texts)
  if (!named)
    throw new DraftFault(
      draft.answer?.trim() ? `答案“${draft.answer.slice(0, 20)}”不是选项字母，也不是选项的内容` : '缺少答案',
    )
  if ('fault' in named) throw new DraftFault(named.fault)
  const key = named.letters
  const outside = key.filter((letter) => !options.some(({ id }) => id === letter))
  if (outside.length > 0) throw new DraftFault(`答案 ${outside.join('')} 不在选项中`)
  if (type === 'single' && key.length > 1) throw new DraftFault('单选题有多个答案，请改为多选题')
  const kind =
    type === 'multiple' && key.length === 1
      ? warned(warnings, '多选题只有一个答案，按不定项导入', () => 'indefinite')
      : type
  const head = common(draft, stem, around, warnings, parent)
  return { ...head, type: kind, options: withReasons(options, draft, around, warnings), key }
}

/** The texts of the options, and the stem without those that stand in it. */
function listed(draft: Draft): { texts: string[]; stem: string } {
  const given = draft.options?.map((option) => option.trim()) ?? []
  while (given.at(-1) === '') given.pop()
  const glued = given.length >= 2 ? null : splitOptions(draft.stem)
  return { texts: glued?.options ?? given, stem: glued?.stem ?? draft.stem }
}

/** Options that can be told apart in two ways were not taken out of where they stand: then both ways are shown. */
const withoutOptions = ({ options = [], stem }: Draft, reason: string): DraftFault =>
  new DraftFault([...options, stem].map(twoReadings).find((unclear) => unclear !== undefined) ?? reason)

function lettered(texts: readonly string[], around: Surroundings, warnings: string[]): { id: string; html: string }[] {
  if (texts.length > 26) throw new DraftFault('选项超过26个')
  if (texts.some((text) => text === '')) throw new DraftFault('有空的选项')
  const options = withoutMarkers(texts).map((text, i) => ({
    id: String.fromCharCode(65 + i),
    html: rich(text, around, warnings, true),
  }))
  // The HTML, not its text: 3 and √3 read the same without their markup.
  if (new Set(options.map(({ html }) => html)).size < options.length) throw new DraftFault('有内容相同的选项')
  return options
}

/**
 * The letters of the answer stand in the right order. A file that lists its options in that order, as most formats do, would show
 * it: they are shuffled, alike at every import.
 */
function order(draft: Draft, around: Surroundings, warnings: string[], parent: string | null): unknown {
  const { texts, stem } = listed(draft)
  if (texts.length < 2) throw withoutOptions(draft, '排序题至少需要两项')
  const options = lettered(texts, around, warnings)
  const ids = options.map(({ id }) => id)
  const key = lettersInOrder(draft.answer ?? '')
  if (key.length === 0) throw new DraftFault(`缺少答案；选项已按正确的顺序列出的，答案写 ${ids.join('')}`)
  if (!areAll(key, ids))
    throw new DraftFault(`排序题的答案要把每一项的字母按正确的顺序各写一次，如“${[...ids].reverse().join('')}”`)
  const head = { ...common(draft, stem, around, warnings, parent), type: 'order' as const }
  if (key.join('') !== ids.join('')) return { ...head, options, key }
  const mixed = mixedUp(options, head.no)
  const letterOf = new Map(mixed.map(({ id }, i) => [id, ids[i] ?? id]))
  if (/[A-Z]\s*[、,，→]\s*[A-Z]|选?项\s*[A-Z]|[A-Z]\s*选?项/.test(head.analysis))
    warnings.push('选项按正确的顺序列出，已打乱；解析里写的字母请核对')
  return {
    ...head,
    options: mixed.map(({ html }, i) => ({ id: ids[i], html })),
    key: ids.map((id) => letterOf.get(id)),
  }
}

/** Another order of the same list, the same for the same seed. */
function mixedUp<T>(list: readonly T[], seed: string): T[] {
  const random = seeded(seed)
  for (;;) {
    const mixed = shuffled(list, random)
    if (mixed.some((each, i) => each !== list[i])) return mixed
  }
}

const NO_OPTIONS = '逐项解析只用于有选项的题，未导入'
const hasReasons = ({ reasons = {} }: Draft): boolean => Object.values(reasons).some((text) => text.trim() !== '')

/** What the analysis says word for word is not said again below an option. */
function withReasons(
  options: { id: string; html: string }[],
  { reasons = {}, analysis = '' }: Draft,
  around: Surroundings,
  warnings: string[],
): { id: string; html: string; why?: string }[] {
  const told = Object.entries(reasons).filter(([, text]) => !['', analysis.trim()].includes(text.trim()))
  if (told.length === 0) return options
  const why = new Map(told.map(([letter, text]) => [letter.trim().normalize('NFKC').toUpperCase(), text]))
  const outside = [...why.keys()].filter((letter) => !options.some(({ id }) => id === letter))
  if (outside.length > 0) throw new DraftFault(`逐项解析 ${outside.join('、')} 不在选项中`)
  return options.map((option) => {
    const html = rich(why.get(option.id) ?? '', around, warnings)
    return html === '' ? option : { ...option, why: html }
  })
}

function judge(given: Draft, around: Surroundings, warnings: string[], parent: string | null): unknown {
  const read = judgement(given)
  if ('fault' in read) throw new DraftFault(read.fault)
  const draft = { ...given, ...read }
  const options = [
    { id: 'A', html: '对' },
    { id: 'B', html: '错' },
  ]
  const head = common(draft, draft.stem, around, warnings, parent)
  return { ...head, type: 'judge', options: withReasons(options, draft, around, warnings), key: [read.key] }
}

function blank(draft: Draft, around: Surroundings, warnings: string[], parent: string | null): unknown {
  const blanks =
    draft.blanks ??
    (draft.answer ?? '')
      .split(/[;；\n]/)
      .filter((text) => text.trim() !== '')
      .map((text) => text.split(/\s*(?:\/\/|\|)\s*/))
  const cleaned = blanks.map((accepted) => accepted.map((text) => text.trim()).filter(Boolean))
  if (cleaned.length === 0 || cleaned.some((accepted) => accepted.length === 0)) throw new DraftFault('填空题缺少答案')
  const missed = gapsMissed(draft.stem, cleaned)
  if (missed !== null) warnings.push(missed)
  return {
    ...common(draft, draft.stem, around, warnings, parent),
    type: 'blank',
    blanks: cleaned,
    unordered: draft.unordered ?? false,
  }
}

function essay(draft: Draft, around: Surroundings, warnings: string[], parent: string | null) {
  const reference = rich(draft.reference ?? draft.answer ?? '', around, warnings)
  const scoring = (draft.scoring ?? []).map((point) => {
    const score = Math.round(point.score * 100)
    if (!(score >= 0) || Math.abs(score - point.score * 100) > 1e-6)
      throw new DraftFault('采分点要写明分值，如“要点（2分）”；最多两位小数，不能为负')
    return { html: rich(point.text, around, warnings), score }
  })
  if (reference === '' && scoring.length === 0) warnings.push('没有参考答案，由学生自行判断')
  return { ...common(draft, draft.stem, around, warnings, parent), type: 'essay', reference, scoring }
}

/** Its length is read in its stem where its own field does not say it. */
function composition(draft: Draft, around: Surroundings, warnings: string[], parent: string | null): unknown {
  const made = essay(draft, around, warnings, parent)
  const length = draft.words?.trim() ? lengthGiven(draft.words) : lengthIn(draft.stem)
  if (!length && draft.words?.trim())
    throw new DraftFault(`字数要求“${draft.words.slice(0, 20)}”无法识别，请写成“不少于800字”“80～110词”“100词左右”`)
  const graded = areGrades(made.scoring)
  return { ...made, composition: { ...(length && { length }), ...(graded && { graded }) } }
}

function common(draft: Draft, stem: string, around: Surroundings, warnings: string[], parent: string | null) {
  const difficulty = draft.difficulty ?? 3
  if (!Number.isInteger(difficulty) || difficulty < 1 || difficulty > 5)
    throw new DraftFault('难度应为1到5的整数（也可写 易、中、难 或 ★）')
  const points = (draft.points ?? []).map((name) => {
    const point = around.points.get(name)
    if (!point) throw new DraftFault(`知识点“${name}”不存在`)
    return { no: point.no, name: point.name }
  })
  const html = rich(stem, around, warnings)
  if (html === '') throw new DraftFault('题干为空')
  if (!draft.analysis?.trim() && !hasReasons(draft) && parent === null && !draft.parts) warnings.push('没有解析')
  return {
    no: draft.no ?? derivedNo(draft, around.libraryNo),
    stem: html,
    analysis: rich(draft.analysis ?? '', around, warnings),
    points,
    difficulty,
    source: (draft.source ?? '').trim().slice(0, 100),
    year: draft.year && draft.year >= 1900 && draft.year <= 2100 ? Math.trunc(draft.year) : 0,
  }
}

/**
 * From the content alone, so that the same file read twice gives the same numbers. Every sign counts: 6*2 and 6/2 are two
 * questions.
 */
function derivedNo(draft: Draft, libraryNo: string): string {
  const content = [draft.stem, ...(draft.options ?? []), ...(draft.parts ?? []).map((part) => part.stem)]
    .map((text) => ordinaryCharacters(text).replace(/\s+/g, ''))
    .join('|')
  return `q${createHash('sha256').update(`${libraryNo}|${content}`).digest('hex').slice(0, 16)}`
}

function rich(source: string, around: Surroundings, warnings: string[], isOption = false): string {
  const made = richText(source, around.pictures, isOption)
  warnings.push(...made.warnings)
  for (const [mathml, latex] of made.formulae) around.formulae.set(mathml, latex)
  return made.html
}

function warned<T>(warnings: string[], reason: string, value: () => T): T {
  warnings.push(reason)
  return value()
}
