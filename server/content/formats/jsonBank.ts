import { JSONParser, TokenType } from '@streamparser/json'
import * as v from 'valibot'
import { type Bank, FileFault, type Intake, JsonBank, JsonQuestion } from '#server/content/draft.ts'
import { unread, unreadFields } from './fileShape.ts'
import { reasonOf } from '#server/content/issueWords.ts'
import { withHoldableTexts } from './jsonText.ts'

/** Of the whole file only the frame is kept. */
const PARTS = ['format', 'subject', 'points', 'library', 'chapters', 'questions.*']

/** The project's own JSON, piece by piece; its parts may stand in any order. @throws FileFault */
export async function readJson(pieces: AsyncIterable<string>, intake: Intake): Promise<Bank> {
  const frame: Record<string, unknown> = {}
  const questions: { i: number; json: unknown }[] = []
  const parser = new JSONParser({ paths: PARTS.map((each) => `$.${each}`), keepStack: false })
  parser.onValue = ({ value, key, stack }) => {
    const read = withHoldableTexts(value)
    if (stack.length === 1) frame[String(key)] = read
    else questions.push({ i: Number(key), json: read })
  }
  parser.onToken = membersOf({
    name: (name) => {
      if (!Object.hasOwn(JsonBank.entries, name)) intake.report('warning', '文件', unread(name))
    },
    array: (name) => {
      if (name === 'questions') frame[name] = 'array'
    },
  })
  parser.onError = (error) => {
    if (error instanceof FileFault) throw error
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
  for (const { at, reason } of unreadFields(JsonBank, frame)) intake.report('warning', at, reason)
  const { subject, points, library, chapters } = judged.output
  return { subject, points, library, chapters }
}

function takeQuestion(json: unknown, at: string, intake: Intake): void {
  const question = v.safeParse(JsonQuestion, json)
  for (const each of unreadFields(JsonQuestion, json, at)) intake.report('warning', each.at, each.reason)
  if (question.success)
    intake.draft({ ...question.output, at, parts: question.output.parts?.map((part) => ({ ...part, at })) })
  else for (const issue of question.issues) intake.report('fault', at, reasonOf(issue))
}

/** No bank has a tenth of these levels; the parser takes the square of their number. */
const DEEPEST = 100

/** Tells of the outermost object each member's name, and which of them are arrays: an empty one has no values that would. */
function membersOf(tell: { name: (name: string) => void; array: (name: string) => void }) {
  let depth = 0
  let [last, name] = ['', '']
  return ({ token, value }: { token: TokenType; value: unknown }): void => {
    if (depth === 1 && token === TokenType.COLON) tell.name((name = last))
    if (depth === 1 && token === TokenType.LEFT_BRACKET) tell.array(name)
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--
    if (depth > DEEPEST) throw new FileFault('JSON 套了太多层')
    if (token === TokenType.STRING) last = String(value)
  }
}
