import type { Located } from '#src/contract/question.ts'
import type { StudyState, Thing } from '#src/contract/study.ts'
import { partsOf } from '#src/domain/study/study.ts'
import { plainText } from '#src/domain/text/plainText.ts'
import { shortened } from '#src/domain/text/text.ts'
import { STATUS_NAMES } from '#src/player/marks/reasons.ts'
import { moneyText } from '#src/sale/money.ts'
import type { Message, MessageOf } from './messages.ts'

/** What is known of a question and of the student's answers to it. */
export interface About {
  state: StudyState | undefined
  located: Located | undefined
}

/** Says a message in one sentence. */
export function headline(message: Message, about: About): string {
  switch (message.of) {
    case 'notice':
      return `答案更正：${meaningOf(message, about)}`
    case 'report':
      return `纠错${STATUS_NAMES[message.report.status]}`
    case 'exam':
      return `“${message.title}”成绩已出`
    case 'order':
      return orderText(message.order)
  }
}

/** All that is unread, in one line: how many of each kind, and of one alone what it is. */
export function summary(unread: readonly Message[], aboutFirst: About): string {
  const [first] = unread
  const of = (kind: Message['of']) => unread.filter((each) => each.of === kind)
  const [notices, replies, exams, orders] = [of('notice'), of('report'), of('exam'), of('order')].map(
    (some) => some.length,
  )
  const parts = [
    notices && `${notices} 道做过的题答案已更正`,
    replies && `你的纠错有 ${replies} 条新回复`,
    exams && `${exams} 场考试出了成绩`,
    orders && `${orders} 个订单有新进展`,
  ].filter(Boolean)
  if (!first || unread.length > 1) return parts.join('，')
  if (first.of === 'notice') return `${parts.join()}：${meaningOf(first, aboutFirst)}`
  return first.of === 'report' ? `${parts.join()}：${STATUS_NAMES[first.report.status]}` : headline(first, aboutFirst)
}

/** Students answer most questions by choosing; these verbs are for the others. */
const VERBS: Record<string, string> = { blank: '填', order: '排' }
/** By their texts: the letters that options stand under on the screen are another batch's, or none. */
function meaningOf({ questionNo, notice: { chosen, right } }: MessageOf<'notice'>, { state, located }: About): string {
  const now = right ? '现在算对' : '现在算错'
  const own = (text: string) => `你之前${VERBS[state?.type ?? ''] ?? '选'}的“${text}”${now}`
  if (chosen.length > 0 && state?.type === 'blank') return own(chosen.map((text) => text || '（空）').join('；'))
  if (chosen.length > 0 && state?.type === 'judge') return own(chosen[0] === 'A' ? '对' : '错')
  const part = located && partsOf(located.question).find(({ no }) => no === questionNo)
  const options =
    part && 'options' in part ? chosen.flatMap((each) => part.options.find(({ id }) => id === each) ?? []) : []
  const texts = options.map(({ html }) => shortened(plainText(html), TEXT_MAX))
  // A picture has no words, and a question that is not here has none either.
  return texts.length > 0 && !texts.includes('')
    ? own(texts.join(state?.type === 'order' ? ' → ' : '；'))
    : `你之前的作答${now}`
}

function orderText({ event, title, lines, refunded }: Thing<'order'>): string {
  const what = `“${shortened(title, TEXT_MAX)}”${lines > 1 ? `等 ${lines} 件` : ''}`
  switch (event) {
    case 'ship':
      return `${what}已发货`
    case 'decline':
      return `${what}的退款申请没有通过`
    case 'refund':
      return `${what}已退款 ${moneyText(refunded)}`
  }
}

const TEXT_MAX = 24
