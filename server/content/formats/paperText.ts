import type { Draft, Finding } from '#server/content/draft.ts'
import { difficultyOf } from '#server/content/difficulty.ts'
import { type Answers, answersAtEnd, type Line, SECTION } from './paperAnswers.ts'
import { scoringPoint } from './tableRows.ts'
import { keyOfPage } from './paperKeys.ts'
import { asPaperLines, isPage, MY_ANSWER, typeOfOwn } from './paperPages.ts'
import { hasOptions, LOOSE_NUMBER, looseNumberOf, NUMBER, numberOf, ordinary } from './paperNumbers.ts'

/** The brackets of a stem that hold its answer. */
const BRACKETS = String.raw`[（(]\s*([A-H](?:[\s、,，]*[A-H])*|√|×|✓|✗|对|错|正确|错误)\s*[)）]`
const ANSWERED = new RegExp(
  `答案|范文|评分标准|字数要求|(?:^|\\n)\\s*[一二三四五六七八九十]+、[^\\n]{0,12}(?:作文|写作|书面表达)|${BRACKETS}`,
)

/** Tells whether a text reads as a paper: numbered questions, or some with a type, and somewhere their answers. */
export const isPaper = (source: string): boolean => {
  const lines = source.split(/\r\n?|\n/).map(ordinary)
  return (lines.some((line) => BEGINS.test(line)) || isPage(lines.join('\n'))) && ANSWERED.test(source)
}
const BEGINS = /^(?:第\s*\d{1,4}\s*题|\*?\s*[【[（(]?\d{1,4}[】\])）]?\s*[.．、:：])/

/** Of questions under one heading: 一、单项选择题. */
interface Section {
  /** 一 of the heading, to find its answers at the end. */
  name: string
  type: string | undefined
  chapter: string | undefined
}
interface Asked extends Section {
  number: number
  /** The number before it, when it does not follow it. */
  after: number | undefined
  lines: Line[]
}
/** A text for the questions from one number to another. */
interface Material {
  from: number
  to: number
  lines: Line[]
}

const CHAPTER = /^第[一二三四五六七八九十百\d]+[章节篇讲单元部分课]+(?![是题])[\s：:、]*\S/
const TYPE =
  /单项选择|单选|多项选择|多选|不定项选择|不定项|选择|判断|是非|填空|简答|论述|名词解释|材料|阅读|完形|计算|解答|翻译|作文|写作|书面表达/
const SPAN = /(\d{1,4})\s*[-—–~～－至到]+\s*(\d{1,4})\s*(?:小?题)/
/** 【答案】B, 参考答案：B, 答案 B: what follows a question. */
const LABEL = new RegExp(
  String.raw`^[【[]?(参考答案|正确答案|标准答案|${MY_ANSWER}|参考范文|范文|评分标准|采分点|字数要求|答案|答|解析|答案解析|试题解析|详解|分析|考点|知识点|难度|来源|出处|年份)[】\]]?\s*(?:[:：]\s*|(?<=[】\]])\s*|\s+(?=[A-H√×✓✗对错]))`,
)
const MINE = new RegExp(`^${MY_ANSWER}$`)
/** Tells whether a line begins with what follows a question: 答案, 解析 … */
export const isLabelled = (text: string): boolean => LABEL.test(text)

const FIELD: Record<string, 'answer' | 'scoring' | 'words' | 'analysis' | 'points' | 'difficulty' | 'source' | 'year'> =
  {
    评分标准: 'scoring',
    采分点: 'scoring',
    字数要求: 'words',
    解析: 'analysis',
    答案解析: 'analysis',
    试题解析: 'analysis',
    详解: 'analysis',
    分析: 'analysis',
    考点: 'points',
    知识点: 'points',
    难度: 'difficulty',
    来源: 'source',
    出处: 'source',
    年份: 'year',
  }

/**
 * A paper as it is pasted from Word: numbered questions under headings, options in lines or side by side, 答案 and 解析 behind
 * each question, in its brackets or together at the end.
 */
export function readPaper(source: string, file: string): { drafts: Draft[]; findings: Finding[] } {
  return readPaperLines(
    source
      .replace(/\r\n?/g, '\n')
      .split('\n')
      .map((text, i) => ({ text, n: i + 1 })),
    file,
  )
}

export function readPaperLines(written: readonly Line[], file: string): { drafts: Draft[]; findings: Finding[] } {
  const lines = asPaperLines(written.map((line) => ({ ...line, text: ordinary(line.text) })))
  const end = lines.findIndex(({ text }, i) => i > 0 && beginsAnswers(text, lines.slice(i + 1)))
  const atEnd = end < 0 ? null : answersAtEnd(answerLines(lines.slice(end)))
  const { asked, materials, stray } = divided(end < 0 ? lines : lines.slice(0, end))
  const drafts = asked.map((each) => draft(each, atEnd))
  const warnings = [
    ...stray.map(({ text, n }) => ({ n, reason: `不属于任何题目，未导入：${text.slice(0, 30)}` })),
    ...asked.flatMap(({ number, after, lines: [first] }) =>
      after === undefined || !first
        ? []
        : [{ n: first.n, reason: `题号从 ${after} 跳到 ${number}，请核对有没有漏题、或两题连在一起` }],
    ),
    ...(atEnd?.left() ?? []),
  ]
  const findings = warnings.map(({ n, reason }): Finding => ({ file, at: `第${n}行`, level: 'warning', reason }))
  return { drafts: grouped(asked, drafts, materials), findings }
}

/** A list of answers that begins behind its name. */
const ANSWERS_BEHIND =
  /^[【[]?(?:参考|标准|正确)?答案[】\]]?\s*[:：]?\s*(?=1\s*[-—–~～－至到]+\s*\d+\s*[.．、:：]?\s*[A-H√×])/
const beginsAnswers = (text: string, after: readonly Line[]): boolean =>
  ANSWERS_BEHIND.test(text) || (ANSWERS_BELOW.test(text) && isList(after))
const answerLines = ([first, ...others]: readonly Line[]): Line[] =>
  first && ANSWERS_BEHIND.test(first.text)
    ? [{ text: first.text.replace(ANSWERS_BEHIND, ''), n: first.n }, ...others]
    : others

const ANSWERS_BELOW = /^[【[]?(?:参考|标准|正确)?答案(?:与|和|及)?(?:详?解析?)?[】\]]?\s*[:：]?$/
/** A lone 答案 before a numbered or lettered line begins the list of all; before anything else it is one question's. */
const isList = (after: readonly Line[]): boolean => {
  const next = after.find(({ text }) => text !== '')?.text ?? ''
  return NUMBER.test(next) || SECTION.test(next) || /^\d{1,4}\s*[-—–~～－至到]/.test(next)
}

interface Divided {
  asked: Asked[]
  materials: Material[]
  /** What belongs to no question: the first line of each such run. */
  stray: Line[]
}

function divided(lines: readonly Line[]): Divided {
  const { asked, materials, stray }: Divided = { asked: [], materials: [], stray: [] }
  let section: Section = { name: '', type: undefined, chapter: undefined }
  let before = 0
  /** The highest number so far: what was taken for a heading must not swallow what comes after it. */
  let highest = 0
  /** Lines since a heading, of which a question or a material may still make something. */
  let loose: Line[] | null = []
  const begin = (next: Section) => {
    if (!materials.some((each) => each.lines === loose)) stray.push(...(loose ?? []).slice(0, 1))
    section = next
    loose = []
    before = 0
  }
  /** The first under a heading; behind a material only its own: its text may hold lines that begin with a number. */
  const mayBegin = (number: number): boolean => {
    const material = materials.findLast((each) => each.lines === loose)
    return before === 0 && number === (material?.from ?? number) && number > 0
  }
  for (const [i, line] of lines.entries()) {
    const { text, isWithin = false, isBegin = false } = line
    const heading = headed(text, section, loose === null)
    const next = () => before > 0 && loose === null && mayFollow(asked.at(-1), before, lines.slice(i))
    const strict = isWithin ? null : numberOf(text)
    const number = isWithin ? null : (strict ?? looseNumberOf(text))
    const follows =
      number !== null &&
      (isBegin ||
        (strict !== null
          ? number === before + 1 ||
            number === highest + 1 ||
            mayBegin(number) ||
            (number > before + 1 && number < before + FURTHEST && next())
          : number === before + 1 && next()))
    if (heading) begin(heading)
    else if (isSpan(text)) {
      loose = [...(loose ?? []), line]
      materials.push({ ...spanOf(text), lines: loose })
    } else if (number !== null && follows) {
      // A list within a stem counts from one, too: a question's number goes on from the last, or begins after a heading.
      const after = before > 0 && number > before + 1 && number !== highest + 1 ? before : undefined
      begin(section)
      before = number
      highest = Math.max(highest, number)
      loose = null
      const rest = text.replace(strict === null ? LOOSE_NUMBER : NUMBER, '')
      asked.push({ ...section, number, after, lines: [{ text: rest, n: line.n }] })
    } else if (loose === null) asked.at(-1)?.lines.push(line)
    else if (text !== '') loose.push(line)
  }
  begin(section)
  return { asked, materials, stray }
}

/** 第一章 军史, or 一、单项选择题; within a question only what names a type is a heading. */
function headed(text: string, section: Section, isWithin: boolean): Section | null {
  if (CHAPTER.test(text) && text.length <= 40) return { name: '', type: undefined, chapter: text }
  const heading = SECTION.exec(text)
  const type = TYPE.exec(text)?.[0]
  return heading && (type !== undefined || !isWithin) ? { ...section, name: heading[1] ?? '', type } : null
}

/** A number may be left out by a slip; what is further away is a figure of the text. */
const FURTHEST = 6
/**
 * Whether a line whose number has another style, or leaves one out, begins a question: the one before it has its options already,
 * and options follow before the next number. Statements are told by their heading.
 */
function mayFollow(open: Asked | undefined, before: number, rest: readonly Line[]): boolean {
  if (!open) return false
  if (open.type === '判断' || open.type === '是非') return true
  const end = rest.findIndex(({ text }, i) => i > 0 && (numberOf(text) ?? 0) > before)
  return hasOptions(open.lines) && hasOptions(end < 0 ? rest : rest.slice(0, end))
}

const isSpan = (text: string): boolean => SPAN.test(text) && /材料|资料|回答|完成|短文|阅读|根据/.test(text)
function spanOf(text: string): { from: number; to: number } {
  const [, from, to] = SPAN.exec(text) ?? []
  return { from: Number(from), to: Number(to) }
}

/** Sorts the lines of a question by what their labels say: its stem, its answer, 解析 … */
function fieldsOf(lines: readonly Line[]): (name: string) => string | undefined {
  const fields = new Map<string, string[]>([['stem', []]])
  let field = 'stem'
  for (const { text } of lines) {
    const label = LABEL.exec(text)
    const name = label?.[1] ?? ''
    if (label) field = MINE.test(name) ? 'mine' : (FIELD[name] ?? 'answer')
    const rest = label ? text.slice(label[0].length) : text
    fields.set(field, [...(fields.get(field) ?? []), rest])
  }
  return (name) => fields.get(name)?.join('\n').trim()
}

function draft({ number, name, type, chapter, lines }: Asked, atEnd: Answers | null): Draft {
  const own = typeOfOwn(lines)
  const given = fieldsOf(own.lines)
  const textOf = (field: string) => given(field) || undefined
  const answered = atEnd?.of(name, number)
  const asked = inBrackets(textOf('stem') ?? '', textOf('answer') ?? answered?.answer)
  return {
    at: `第${lines[0]?.n}行`,
    chapter,
    type: own.type ?? (type && TYPES[type]),
    ...withScoring(keyOfPage(asked.stem, asked.answer, given('mine') !== undefined), textOf('scoring')),
    words: textOf('words'),
    analysis: textOf('analysis') ?? answered?.analysis,
    points: textOf('points')
      ?.split(/[;；,，、\n]/)
      .map((each) => each.trim())
      .filter(Boolean),
    difficulty: difficulty(textOf('difficulty')),
    source: textOf('source'),
    year: textOf('year') === undefined ? undefined : Number.parseInt(textOf('year') ?? '', 10) || undefined,
  }
}

/** A standard whose lines do not all say a score is for reading: it stands below the reference. */
function withScoring<T extends { answer?: string | undefined }>(
  keyed: T,
  standard: string | undefined,
): T & Pick<Draft, 'scoring' | 'reference' | 'notes'> {
  const lines = standard?.split('\n').filter((line) => line.trim() !== '')
  // A Word file's marks are signs of private use until its drafts are finished.
  const isScored = lines?.every((line) => scoringPoint(line.replaceAll(/\p{Co}/gu, '')).score >= 0)
  if (!lines || isScored) return { ...keyed, scoring: lines?.map(scoringPoint) }
  const reference = [keyed.answer, `评分标准：${standard}`].filter(Boolean).join('\n')
  return {
    ...keyed,
    reference,
    notes: ['评分标准不是每条都有分值，已放进参考答案；要让学生按点自评，请写成“要点（2分）”，一条一行'],
  }
}

const TYPES: Record<string, string> = {
  单项选择: '单选',
  单选: '单选',
  多项选择: '多选',
  多选: '多选',
  不定项选择: '不定项',
  不定项: '不定项',
  判断: '判断',
  是非: '判断',
  填空: '填空',
  作文: '作文',
  写作: '作文',
  书面表达: '作文',
}
/** They name a material under such a heading. */
const MATERIALS: Record<string, string> = { 阅读: '阅读理解', 完形: '完形填空' }

/** A paper's 难度 may say more behind it; one that nobody can read is left out, as it was not asked for. */
function difficulty(text: string | undefined): number | undefined {
  const level = difficultyOf(text?.split(/[\s（(，,；;。]/)[0] ?? '')
  return [1, 2, 3, 4, 5].includes(level) ? level : undefined
}

/** “……的是（ B ）。” holds its own answer. */
const BRACKETED = new RegExp(String.raw`${BRACKETS}(?=[^（()）]*$|\s*[。.]?\s*\n)`)
function inBrackets(stem: string, answer: string | undefined): { stem: string; answer: string | undefined } {
  if (answer !== undefined) return { stem, answer }
  const beforeOptions = /\n\s*[（(]?A[)）]?\s*[.．、:：]/.exec(stem)?.index ?? stem.length
  const asked = stem.slice(0, beforeOptions)
  const found = BRACKETED.exec(asked)
  if (!found) return { stem, answer }
  return {
    stem:
      asked.slice(0, found.index) + '（　）' + asked.slice(found.index + found[0].length) + stem.slice(beforeOptions),
    answer: found[1],
  }
}

/** Questions on one text become its 小题. */
function grouped(asked: readonly Asked[], drafts: readonly Draft[], materials: readonly Material[]): Draft[] {
  const whole = new Map<Material, Draft>()
  return drafts.flatMap((each, i) => {
    const at = asked[i]?.lines[0]?.n ?? 0
    const number = asked[i]?.number ?? 0
    const of = materials.findLast(({ from, to, lines }) => (lines[0]?.n ?? 0) < at && from <= number && number <= to)
    if (!of) return [each]
    const known = whole.get(of)
    if (known) {
      known.parts?.push(each)
      return []
    }
    const text = of.lines.map(({ text: line }) => line).join('\n')
    const made: Draft = {
      at: `第${of.lines[0]?.n}行`,
      chapter: each.chapter,
      type: MATERIALS[asked[i]?.type ?? ''] ?? '材料题',
      stem: text,
      parts: [each],
    }
    whole.set(of, made)
    return [made]
  })
}
