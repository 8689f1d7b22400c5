import type { Question } from '#src/contract/question.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { partsOf } from '#src/domain/study/study.ts'

/** Each names words that speak of something, and how it shows that this is there. */
const SPOKEN_OF: readonly { of: RegExp; isThere: RegExp; reason: string }[] = [
  {
    of: /如[左右上下]?图(?!书|谋)|(?<!图)[左右上下]图(?![书上])|(?<![地企意版试蓝])图中|图[示甲乙丙丁]|(?:see|in) (?:the )?(?:figure|picture|diagram|graph|chart)|(?:figure|picture|diagram|graph|chart) (?:above|below)/i,
    isThere: /<img\b|<svg\b/,
    reason: '说到图，但没有图片',
  },
  {
    of: /听(?:下面|下列|以下|第)?[^，。]{0,6}(?:录音|对话|独白|听力)|listen to/i,
    isThere: /<audio\b/,
    reason: '说到录音，但题目里没有录音',
  },
  {
    of: /[划画]线|underlined/i,
    isThere: /<u>|_{2,}|<menclose\b|<munder\b/,
    reason: '说到划线，但没有划线的文字',
  },
]
const MATERIAL =
  /(?:下列|下面|以下|上述|上面|所给)的?(?:材料|短文|文段|资料)(?![中里属])|(?:阅读|根据|结合|依据|分析)(?:这段|本)?(?:材料|短文|文段|资料)/
/** A text of no more characters holds no material besides its question. */
const QUESTION_ALONE = 60

/**
 * Tells what a question speaks of and does not have: it was lost on the way into the file.
 * @param warnings what has been told of it: a picture or a recording that could not be used is not told again
 */
export function missingFrom(question: Question, warnings: readonly string[]): string[] {
  const html = [question, ...partsOf(question)]
    .flatMap((each) => [each.stem, ...('options' in each ? each.options.map((option) => option.html) : [])])
    .join(' ')
  const text = plainText(html)
  const isTold = (what: string) => warnings.some((reason) => reason.startsWith(`${what}不可用`))
  const missing = SPOKEN_OF.filter(({ of, isThere }) => of.test(text) && !isThere.test(html))
    .map((each) => each.reason)
    .filter(
      (reason) =>
        !(reason.startsWith('说到图') && isTold('图片')) && !(reason.startsWith('说到录音') && isTold('录音')),
    )
  const mayLack = question.type !== 'composite' && MATERIAL.test(text) && !/<img\b|<table\b/.test(html)
  if (mayLack && plainText(question.stem).length <= QUESTION_ALONE) missing.push('说到材料，但这道题没有材料')
  return missing
}
