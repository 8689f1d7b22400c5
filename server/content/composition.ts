import type { EssayQuestion, Length } from '#src/contract/question.ts'
import { plainText } from '#src/domain/text/plainText.ts'

const N = String.raw`(\d{2,5})(?!\d)`
const UNIT = String.raw`个?(字|词|单词|words?)`
/** A number before these counts no words. */
const COUNTS = String.raw`(?:${UNIT}|(?!分|个|页|处|句|段|题|点|秒|小时|天|元|minutes|hours|pages|points))`
const TO = String.raw`(?:[-—–~～至到]+|to)`
const LEAST = new RegExp(
  String.raw`(?:不少于|不低于|不得少于|不能少于|至少|(?<!不|不得|不能)多于|no(?:t)?(?:less|fewer)than|atleast|(?<!no|not)morethan)${N}${COUNTS}|${N}${UNIT}?以上`,
  'i',
)
const MOST = new RegExp(
  String.raw`(?:不超过|不多于|不得多于|不能多于|不得超过|不能超过|最多|no(?:t)?morethan|atmost|(?<!no|not)lessthan|upto)${N}${COUNTS}|${N}${UNIT}?(?:以内|以下)`,
  'i',
)
const RANGE = new RegExp(
  String.raw`${N}${UNIT}?${TO}${N}${UNIT}|(?:[字词]数|between)[^\d]{0,4}${N}${UNIT}?(?:${TO}|and)${N}`,
  'i',
)
const ABOUT = new RegExp(
  String.raw`(?:约|大约|about|around|approximately)${N}${UNIT}|${N}${UNIT}?左右|${N}${UNIT}?上下|[字词]数[^\d]{0,4}${N}`,
  'i',
)

/** Reads how long a composition shall be: 不少于800字, 词数 80～110, 100词左右. Returns undefined where a text does not say. */
export function lengthIn(source: string): Length | undefined {
  const text = plainText(source).normalize('NFKC').replace(/\s+/g, '')
  const unit = unitIn(text)
  const range = numbersOf(RANGE, text)
  if (range.length === 2 && range[0] && range[1] && range[0] <= range[1])
    return { unit, least: range[0], most: range[1] }
  const [least] = numbersOf(LEAST, text)
  const [most] = numbersOf(MOST, text)
  if (least || most) return { unit, ...(least && { least }), ...(most && { most }) }
  const [about] = numbersOf(ABOUT, text)
  return about ? { unit, about } : undefined
}

/** A field that says nothing but a number means at least so much. */
export const lengthGiven = (source: string): Length | undefined =>
  lengthIn(/^\s*\d+\s*$/.test(source) ? `不少于${source}字` : source)

const numbersOf = (pattern: RegExp, text: string): number[] =>
  (pattern.exec(text) ?? []).slice(1).flatMap((group) => (/^\d+$/.test(group ?? '') ? Number(group) : []))

const unitIn = (text: string): Length['unit'] =>
  /\d(?:个?单?词|words?)|词数|单词数|\bwords\b/i.test(text) ? 'words' : 'characters'

/** Asks for a text of the student's own. */
const WRITES =
  /作文|写作|书面表达|写一[篇封则]|为题[^。]{0,20}写|write (?:a|an) (?:passage|letter|essay|composition|article|speech|notice|email)/i

/** Tells by its stem alone whether an essay is a composition: it is to be written, and so long. */
export const asksForComposition = (stem: string): boolean =>
  WRITES.test(plainText(stem)) && lengthIn(stem) !== undefined

/** 一类文, 二等, 第三档, A 级: of these a composition reaches one. */
const GRADE = /^\s*(?:第?[一二三四五六1-6][类等档级]|[A-E][类等档级])/

/** Grades are told by their names, and by scores that fall from one to the next. */
export const areGrades = (scoring: EssayQuestion['scoring']): boolean =>
  scoring.length > 1 &&
  scoring.every(({ html, score }, i) => GRADE.test(plainText(html)) && score < (scoring[i - 1]?.score ?? Infinity))
