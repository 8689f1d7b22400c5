import type { ChoiceQuestion, PlainQuestion } from '#src/contract/question.ts'
import { asDraft, type Format, type Leaving } from './asDraft.ts'
import { asksForComposition } from '#server/content/composition.ts'
import type { Bank, Draft } from '#server/content/draft.ts'
import { pathsOf } from './tableExport.ts'

/** Moodle GIFT. What it has no place for is left out and told: materials, several blanks, what is known about a question. */
export function writeGift(frame: Bank, leaving: AsyncIterable<Leaving>): Format {
  let materials = 0
  let severalBlanks = 0
  let orders = 0
  let lengths = 0
  async function* chunks() {
    const pathOf = pathsOf(frame)
    let category = ''
    for await (const each of leaving) {
      const { question } = each
      if (question.type === 'composite') materials++
      else if (question.type === 'order') orders++
      else if (question.type === 'blank' && question.blanks.length > 1) severalBlanks++
      else {
        const path = pathOf(each.chapterNo)
        if (path !== category) yield `$CATEGORY: $course$/${path.replaceAll('\n', ' ')}\n\n`
        category = path
        const draft = asDraft(each)
        // An essay whose stem asks for a composition is one again when it is read.
        if (question.type === 'essay' && question.composition && !asksForComposition(question.stem)) lengths++
        yield `${commentOf(question)}::${escaped(question.no)}::[html]${escaped(draft.stem)}${answersOf(question, draft)}\n\n`
      }
    }
  }
  return {
    chunks: chunks(),
    left: () => [
      ...(materials > 0 ? [`材料题 ${materials} 道没有导出：GIFT 没有材料题`] : []),
      ...(severalBlanks > 0 ? [`多空填空题 ${severalBlanks} 道没有导出：GIFT 的填空题只有一个空`] : []),
      ...(orders > 0 ? [`排序题 ${orders} 道没有导出：GIFT 没有排序题`] : []),
      '难度、来源、年份、采分点没有导出：GIFT 没有放它们的地方',
      ...(lengths > 0 ? [`作文 ${lengths} 道的字数要求没有写在题干里，没有导出；再导入时是简答题`] : []),
    ],
  }
}

/** As Moodle and others keep them in a comment. */
const commentOf = ({ no, points }: PlainQuestion): string =>
  `// ${[`[id:${no}]`, ...points.map(({ name }) => `[tag:${name.replace(/[\]\r\n]/g, ' ')}]`)].join(' ')}\n`

/** The signs of the format, and a line's end: an empty line would end the question. */
const escaped = (text: string): string => text.replace(/[~=#{}:\\]/g, '\\$&').replaceAll('\n', '\\n')

function answersOf(question: Exclude<PlainQuestion, { type: 'order' }>, draft: Omit<Draft, 'at' | 'parts'>): string {
  const { reasons = {} } = draft
  const analysis = draft.analysis ? `####${escaped(draft.analysis)}` : ''
  if (question.type === 'essay') return `{####${escaped(draft.reference ?? '')}}`
  if (question.type === 'blank') {
    const [accepted = []] = question.blanks
    return `{${accepted.map((text) => `=${escaped(text)}`).join(' ')}${analysis}}`
  }
  if (question.type === 'judge') {
    const [right, wrong] = question.key[0] === 'A' ? (['A', 'B'] as const) : (['B', 'A'] as const)
    // By the format the first is told to who answers wrong.
    const shown = draft.reasons ? `#${escaped(reasons[wrong] ?? '')}#${escaped(reasons[right] ?? '')}` : ''
    return `{${right === 'A' ? 'T' : 'F'}${shown}${analysis}}`
  }
  const sign = signsOf(question)
  const options = draft.options ?? []
  const lines = options.map((text, i) => {
    const letter = String.fromCharCode(65 + i)
    const why = reasons[letter] ? `#${escaped(reasons[letter])}` : ''
    return `\n${sign(letter)}${escaped(text)}${why}`
  })
  return `{${lines.join('')}${analysis}\n}`
}

function signsOf({ type, key }: ChoiceQuestion): (letter: string) => string {
  if (type === 'single') return (letter) => (key.includes(letter) ? '=' : '~')
  const share = String(Number((100 / key.length).toFixed(5)))
  return (letter) => (key.includes(letter) ? `~%${share}%` : '~%-100%')
}
