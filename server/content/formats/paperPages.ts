import { letter } from './answers.ts'
import type { Line } from './paperAnswers.ts'
import { hasOptions } from './paperNumbers.ts'

/** Pages of 学习通, 超星, 雨课堂 and 问卷星 as they are copied: the type stands at the question, results stand behind it. */

const NAMES =
  '单选题?|单项选择题?|多选题?|多项选择题?|不定项选择题|不定项|判断题?|填空题?|简答题?|论述题|名词解释|计算题|排序题|问答题|主观题|作文题?|写作题?|书面表达'
const SCORE = String.raw`(?:[（([【]\s*[\d.]+\s*分\s*[)）\]】]|[\d.]+\s*分(?![\p{L}\p{N}]))`
/** 【单选题】, (单选题, 2分), [判断题](2分) */
const TYPE_BEFORE = new RegExp(
  String.raw`^[【[(（]\s*(${NAMES})\s*(?:[,，、]?\s*共?\s*[\d.]+\s*分)?\s*[】\])）]\s*(?:${SCORE})?\s*\*?\s*`,
  'u',
)
const TYPE_ALONE = new RegExp(String.raw`^(${NAMES})\s*(?:${SCORE}\s*|$)`, 'u')
const SCORE_ALONE = new RegExp(String.raw`^${SCORE}$`, 'u')
const TYPE_BEHIND = new RegExp(String.raw`(?<!\s)\s*[【[(（]\s*(${NAMES})\s*[】\])）]\s*\*?$`)

export const MY_ANSWER = '(?:我|你|您|学生|考生)的?(?:答案|作答|回答|选择|选项)'
const KEY = '(?:正确|参考|标准)答案'
const MARKS_OF_PAGES = String.raw`${MY_ANSWER}\s*[:：]|正确率\s*[:：]|[（(]\s*正确答案\s*[)）]|分值\s*[:：]`
const NUMBER_BEFORE = String.raw`(?:第?\s*\d+\s*[题.．、]?|\d+\s*/\s*\d+\s*[.．、]?)?`
const PAGE = new RegExp(
  String.raw`${MARKS_OF_PAGES}|^${NUMBER_BEFORE}\s*(?:[【[(（]\s*(?:${NAMES})|(?:${NAMES})\s*(?:${SCORE}|$))`,
  'mu',
)
/** Tells whether a text is such a page, or a paper that names types in its way. */
export const isPage = (text: string): boolean => PAGE.test(text)
/** A question may begin with its type alone. */
const isTyped = (text: string): boolean => TYPE_BEFORE.test(text)

const RESULT = new RegExp(
  String.raw`(?:${MY_ANSWER}|${KEY}|本题得分|得分|分数|正确率|答案解析|知识点|难度|答题时间|答题时长|用时)\s*[:：]`,
)
/** Matches between two results: answers and figures may be glued to the one before, words are set off by a space. */
const NEXT_RESULT = new RegExp(
  [
    String.raw`[\s;；,，]*(?=(?:${MY_ANSWER}|${KEY})\s*[:：])`,
    String.raw`[\s;；,，]*(?=(?:本题得分|(?<!本题)得分|分数|正确率|答题时间|答题时长|用时)\s*[:：]\s*\d)`,
    String.raw`\s+(?=(?:答案解析|知识点|难度)\s*[:：])`,
  ].join('|'),
)
const BEGINS_RESULT = new RegExp(String.raw`^(?:${MY_ANSWER}|${KEY}|(?:本题)?得分|正确率)\s*[:：]`)
const FIGURES =
  /^(?:(?:本题)?得分|分数|满分|(?:本题|全站|班级)?正确率|用时|答题(?:时间|时长|用时)|(?:答题|作答|参与|答对|答错)人数)[\d.:：/%％年月日时小分秒钟人次\s-]*$/
/** Words of the page's buttons and marks, each in a line of its own. */
const BUTTONS =
  /^(?:(?:收起|展开|查看|隐藏|显示)(?:全部|更多|答案|解析|答案解析)|上一题|下一题|(?:取消)?收藏|标记|(?:我要)?纠错|AI\s*(?:讲解|解析)|回答(?:正确|错误)|(?:本题)?(?:未作答|未答|已作答))$/
const PERSON = /^(?:学生|姓名|学号|班级|提交时间|作答时间)\s*[:：].{0,20}$/

/** Leaves out what a page says of the student, and writes the rest as a paper has it. */
export function asPaperLines(lines: readonly Line[]): Line[] {
  if (!isPage(lines.map(({ text }) => text).join('\n'))) return [...lines]
  const results = lines.flatMap(({ text, n }) => separated(unmarked(text)).map((each) => ({ text: each, n })))
  const asked = joined(withoutResults(results.filter(({ text }) => text !== '')))
  return lettered(signed(numbered(headed(asked))))
}

const OF_ALL = new RegExp(String.raw`^(\d{1,4})\s*/\s*\d{1,4}\s*[.．、]?\s*(?=[【[(（]?\s*(?:${NAMES}))`)
/** Leaves out the marks of 问卷星, `*1.` for what must be answered and `[分值：2]`, and the sum in `3/20 单选题`. */
const unmarked = (text: string): string =>
  text
    .replace(/^\*\s*(?=\d)/, '')
    .replace(/\s*[[【(（]\s*分值\s*[:：]\s*[\d.]+\s*分?\s*[\]】)）]/, '')
    .replace(OF_ALL, '$1. ')

const BEHIND_OPTIONS = new RegExp(String.raw`\s(?:${MY_ANSWER}|${KEY})\s*[:：]`)
/** Parts results that stand in one line: 我的答案:B 正确答案:C 得分:0.0. An 解析 may name them, so it is left whole. */
function separated(text: string): string[] {
  const behind = hasOptions([{ text, n: 0 }]) ? text.search(BEHIND_OPTIONS) : -1
  if (behind >= 0) return [text.slice(0, behind), ...separated(text.slice(behind).trim())]
  if (!BEGINS_RESULT.test(text)) return [text]
  const parts = text.split(NEXT_RESULT).filter(Boolean)
  const why = parts.findIndex((part) => part.startsWith('答案解析'))
  if (why < 0) return parts
  return [...parts.slice(0, why), text.slice(text.indexOf(parts[why] ?? ''))]
}

const BEGINS_ANSWER = new RegExp(String.raw`^(?:${MY_ANSWER}|${KEY})\s*[:：]`)
const isQuestion = (text: string): boolean => OWN_NUMBER.test(text) || isTyped(text)
const isOfPage = (text: string): boolean =>
  [FIGURES, BUTTONS, PERSON, SCORE_ALONE].some((each) => each.test(text)) && !BEGINS_ANSWER.test(text)
/**
 * Leaves out figures, buttons and names of a page. A stem or an option may have a line 得分：85 or 收藏, too: so they go only above all
 * questions, behind an answer, right above one, and right below the type.
 */
function withoutResults(lines: readonly Line[]): Line[] {
  let isBehind = true
  return lines.filter(({ text }, i) => {
    if (!isOfPage(text)) {
      if (BEGINS_ANSWER.test(text)) isBehind = true
      else if (isQuestion(text)) isBehind = false
      return true
    }
    const before = lines[i - 1]?.text ?? ''
    const next = lines.slice(i + 1).find((line) => !isOfPage(line.text))?.text ?? ''
    const isAbove = BEGINS_ANSWER.test(next) && !/^[A-H]\s*[.．、]?$/.test(before)
    const isBelowHead =
      /\d/.test(text) && TYPE_BEFORE.exec(before.replace(OWN_NUMBER, ''))?.[0] === before.replace(OWN_NUMBER, '')
    return !(isBehind || isAbove || isBelowHead)
  })
}

/** A number alone belongs to the type below it, 正确答案： alone to the answer below it: that is no list of all answers. */
function joined(lines: readonly Line[]): Line[] {
  const all: Line[] = []
  for (const line of lines) {
    const before = all.at(-1)
    if (before && /^\d{1,4}$/.test(before.text) && isTyped(line.text)) before.text += `. ${line.text}`
    else if (before && /^正确答案\s*[:：]$/.test(before.text) && !RESULT.test(line.text)) before.text += line.text
    else all.push({ ...line })
  }
  return all
}

const OWN_NUMBER = /^第?\s*\d{1,4}\s*[题.．、:：]\s*/
const FIGURES_OF_SECTIONS = '一二三四五六七八九十'
/** Makes of a type in a line of its own above numbered questions the heading that a paper has. */
function headed(asked: readonly Line[]): Line[] {
  let sections = 0
  return asked.map((line, i) => {
    const type = TYPE_BEFORE.exec(line.text)
    if (type?.[0] !== line.text || !OWN_NUMBER.test(asked[i + 1]?.text ?? '')) return line
    return { ...line, text: `${FIGURES_OF_SECTIONS[sections++] ?? '十'}、${type[1]}` }
  })
}

/**
 * Says which lines begin a question of a page: those with a type. One that has no number gets the next; where none has, what has a
 * number is a list within a question.
 */
function numbered(lines: readonly Line[]): Line[] {
  const isTypedNumber = (text: string, i: number): boolean => {
    if (!OWN_NUMBER.test(text)) return false
    const rest = text.replace(OWN_NUMBER, '')
    return isTyped(rest || (lines[i + 1]?.text ?? ''))
  }
  const begins = lines.map(({ text }, i) => isTypedNumber(text, i))
  const isNumbered = begins.includes(true)
  if (!isNumbered && !lines.some(({ text }) => isTyped(text))) return [...lines]
  let number = 0
  return lines.map((line, i) => {
    if (begins[i]) {
      number = Number(/\d+/.exec(line.text)?.[0] ?? 0)
      return { ...line, isBegin: true }
    }
    const isTail = begins[i - 1] && lines[i - 1]?.text.replace(OWN_NUMBER, '') === ''
    if (isTyped(line.text) && !isTail) return { ...line, text: `${++number}. ${line.text}`, isBegin: true }
    return isNumbered ? line : { ...line, isWithin: true }
  })
}

const BARE_LETTER = /^([A-H])(?:\s+(?=\S)|$)/
/** Gives letters of options that stand alone, or before a space, their sign: they run A, B … between a stem and its results. */
function signed(lines: readonly Line[]): Line[] {
  const marks = new Set<Line>()
  let run: Line[] = []
  let isAsked = false
  const end = () => {
    if (run.length > 1) for (const line of run) marks.add(line)
    run = []
  }
  for (const line of lines) {
    if (OWN_NUMBER.test(line.text) && !line.isWithin) {
      end()
      isAsked = true
    } else if (BEGINS_ANSWER.test(line.text)) isAsked = false
    else if (isAsked && BARE_LETTER.exec(line.text)?.[1] === letter(run.length)) run.push(line)
  }
  end()
  return lines.map((line) => (marks.has(line) ? { ...line, text: line.text.replace(BARE_LETTER, '$1. ') } : line))
}

const BULLETS = [/(?:^|\s)[○◯●◉⦿◎]\s*/, /(?:^|\s)[□■☐☑☒]\s*/]
const LABELLED = /^[【[]?(?:答案|解析|分析|考点|知识点|难度)[】\]]?\s*[:：]?/
/** Texts of the options in a line that begins with a circle or a box; null: it begins with none, or the text holds other such signs. */
function bulleted(text: string): string[] | null {
  const bullet = BULLETS.find((each) => text.search(each) === 0)
  if (!bullet) return null
  const options = text.split(new RegExp(bullet, 'g')).filter(Boolean)
  return options.some((option) => /[○◯●◉⦿◎□■☐☑☒]/.test(option)) ? null : options
}

const VERDICT = /^(对|错|正确|错误)(?:\s*[（(]\s*正确答案\s*[)）])?$/
/** Gives 对 above 错 their letters. */
function verdicts(lines: readonly Line[]): Line[] {
  const own = lines.map(({ text }) => VERDICT.exec(text)?.[1])
  return lines.map((line, i) => {
    if (own[i] === undefined) return line
    const isSecond = own[i - 1] !== undefined && own[i - 1] !== own[i]
    const isFirst = own[i + 1] !== undefined && own[i + 1] !== own[i]
    return isFirst || isSecond ? { ...line, text: `${letter(isSecond ? 1 : 0)}. ${line.text}` } : line
  })
}

/**
 * Gives options that have a circle or a box before them their letters: the lines between a stem and its results, the only such lines
 * of their question. A stem may have such signs, too; then none is an option, and the question is refused for want of them.
 */
function lettered(lines: readonly Line[]): Line[] {
  const all = verdicts(lines)
  const begins = (line: Line | undefined) =>
    line === undefined || (line.isWithin !== true && (line.isBegin === true || OWN_NUMBER.test(line.text)))
  for (let from = 0; from < all.length;) {
    let end = from + 1
    while (!begins(all[end])) end++
    const found = all.slice(from, end).map((line) => bulleted(line.text))
    const first = found.findIndex((options) => options !== null)
    const behind = first < 0 ? -1 : found.findIndex((options, i) => i > first && options === null)
    const last = behind < 0 ? found.length : behind
    const next = all[from + last]
    const isWhole = found.slice(last).every((options) => options === null)
    const isClosed = from + last === end || BEGINS_RESULT.test(next?.text ?? '') || LABELLED.test(next?.text ?? '')
    if (first >= 0 && isWhole && isClosed) {
      let count = 0
      for (let i = first; i < last; i++) {
        const texts = found[i]?.map((text) =>
          /^[A-H]\s*[)）.．、:：]/.test(text) ? text : `${letter(count++)}. ${text}`,
        )
        const line = all[from + i]
        if (line && texts) all[from + i] = { ...line, text: texts.join('  ') }
      }
    }
    from = end
  }
  return all
}

/** Names that are the same to us as another. */
const SAME: Record<string, string> = { 问答题: '简答题', 主观题: '简答题', 单项选择: '单选题', 多项选择: '多选题' }
/** Takes the type from the lines of one question, if it names its own, and its score below it. */
export function typeOfOwn(lines: readonly Line[]): { type: string | undefined; lines: readonly Line[] } {
  const at = lines.findIndex(({ text }) => text.trim() !== '')
  const first = lines[at]
  const found = first && [TYPE_BEFORE, TYPE_ALONE, TYPE_BEHIND].map((each) => each.exec(first.text)).find(Boolean)
  const type = found?.[1]
  if (!first || !found || type === undefined) return { type: undefined, lines }
  const text = first.text.replace(found[0], '')
  const others = lines.slice(at + 1)
  const score = text === '' && SCORE_ALONE.test(others[0]?.text ?? '') ? 1 : 0
  return { type: SAME[type] ?? type, lines: [{ ...first, text }, ...others.slice(score)] }
}
