import { JSONParser, TokenType } from '@streamparser/json'
import * as v from 'valibot'
import { type Bank, FileFault, type Intake, JsonBank, JsonQuestion } from './draft.ts'
import { reasonOf } from './issueWords.ts'

/** Of the whole file only the frame is kept. */
const PARTS = ['format', 'subject', 'points', 'library', 'chapters', 'questions.*']

/** The project's own JSON, piece by piece; its parts may stand in any order. @throws FileFault */
export async function readJson(pieces: AsyncIterable<string>, intake: Intake): Promise<Bank> {
  const frame: Record<string, unknown> = {}
  const questions: { i: number; json: unknown }[] = []
  const parser = new JSONParser({ paths: PARTS.map((each) => `$.${each}`), keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    if (stack.length === 1) frame[String(key)] = value
    else questions.push({ i: Number(key), json: value })
  }
  parser.onToken = arrayCalled('questions', () => (frame['questions'] = 'array'))
  parser.onError = (error) => {
    const isCut = error.message.includes('ended in the middle')
    throw new FileFault(`不是有效的 JSON：${isCut ? '文件不完整，结尾缺了一截' : error.message}`)
  }
  let isEmpty = true
  for await (const piece of pieces) {
    isEmpty &&= piece.trim() === ''
    if (piece !== '') parser.write(piece)
    for (const { i, json } of questions.splice(0)) takeQuestion(json, `questions[${i}]`, intake)
  }
  if (isEmpty) throw new FileFault('不是有效的 JSON：文件是空的')
  if (!parser.isEnded) parser.end()
  const judged = v.safeParse(JsonBank, frame)
  if (!judged.success) throw new FileFault(judged.issues.map(reasonOf).join('；'))
  const { subject, points, library, chapters } = judged.output
  return { subject, points, library, chapters }
}

function takeQuestion(json: unknown, at: string, intake: Intake): void {
  const question = v.safeParse(JsonQuestion, json)
  if (question.success)
    intake.draft({ ...question.output, at, parts: question.output.parts?.map((part) => ({ ...part, at })) })
  else for (const issue of question.issues) intake.report('fault', at, reasonOf(issue))
}

/** Calls back when a member of the outermost object is an array: an empty one has no values that would tell. */
function arrayCalled(name: string, found: () => void) {
  let depth = 0
  let last: unknown
  return ({ token, value }: { token: TokenType; value: unknown }): void => {
    if (token === TokenType.LEFT_BRACKET && depth === 1 && last === name) found()
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--
    if (token !== TokenType.COLON) last = value
  }
}
