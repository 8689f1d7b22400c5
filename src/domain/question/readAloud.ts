import type { CompositeQuestion, PlainQuestion } from '#src/contract/question.ts'
import { TYPE_NAMES } from '#src/contract/question.ts'
import { breaths, type Speech, spokenText } from '../text/speech.ts'
import { isChoice } from './choice.ts'
import { namedType } from './listedType.ts'
import { keyText } from './types.ts'

interface Spoken extends Speech {
  isMaterial?: true
}
/** A step of reading a question out: something to say, or silence in which the listener answers. */
export type Step = Spoken | 'think'

interface Asked {
  part: PlainQuestion
  /** Read before it; null: there is none, or it was read with another of its questions. */
  material: CompositeQuestion | null
  /** From 1. */
  place: number
  analysis: string
}

/**
 * A question in the order in which one reads it to a comrade: what is asked, time to think, the answer, and why.
 * @param withAnalysis else it ends with the answer
 */
export function readAloud({ part, material, place, analysis }: Asked, withAnalysis: boolean): Step[] {
  const why = withAnalysis ? spokenText(analysis) : ''
  return [
    ...breaths(`第${place}题，${TYPE_NAMES[namedType(part)]}。`),
    ...(material ? materialLines(material) : []),
    ...breaths(spokenText(part.stem)),
    ...optionLines(part).flatMap(breaths),
    'think',
    ...breaths(answerLine(part)),
    ...(why ? breaths(`解析。${why}`) : []),
  ]
}

const materialLines = ({ stem }: CompositeQuestion): Step[] =>
  breaths(`材料。${spokenText(stem)}`).map((piece) => ({ ...piece, isMaterial: true }))

const letterAt = (at: number): string => String.fromCharCode(65 + at)

/** 对 and 错 are known. */
function optionLines(part: PlainQuestion): string[] {
  if (!('options' in part) || part.type === 'judge') return []
  return part.options.map(({ html }, at) => `${letterAt(at)}，${spokenText(html)}。`)
}

function answerLine(part: PlainQuestion): string {
  if (part.type === 'blank')
    return part.blanks
      .map(([first = ''], at) =>
        part.blanks.length > 1 ? `第${at + 1}空，${spokenText(first)}。` : `答案，${spokenText(first)}。`,
      )
      .join('')
  if (part.type === 'essay') return `参考答案。${spokenText(part.reference)}`
  if (part.type === 'order') return `正确顺序，${keyText(part).replaceAll('→', '、')}。`
  const letters = Array.from(keyText(part)).join('、')
  const texts = isChoice(part) && part.type !== 'judge' ? part.options.filter(({ id }) => part.key.includes(id)) : []
  return `正确答案，${letters}。${texts.map(({ html }) => `${spokenText(html)}。`).join('')}`
}
