import { onlineManager } from '@tanstack/react-query'
import { loginRequest } from '#src/session/loginRequest.ts'
import { feedback, NOTICE_TITLE } from '#src/ui/feedback/feedback.ts'

/** Says something, and offers the login beside it. Resolves to whether the student takes it. */
export async function sayWithLogin(message: string, label: string, without = '知道了'): Promise<boolean> {
  const choice = await feedback.ask({
    title: NOTICE_TITLE,
    message,
    actions: [
      { key: 'ok', label: without },
      { key: 'login', label, tone: 'primary' },
    ],
  })
  return choice === 'login'
}

const GUARD = '您还未登录哦，请登录后访问。'

/** The guard's words (spec §6), and the way on: to what was wanted. No code comes to a phone without a network, so it is not asked for. */
export async function offerLogin(wanted: string): Promise<void> {
  if (!onlineManager.isOnline()) return feedback.warn(`${GUARD}现在没有网络，联网后再登录。`)
  if (await sayWithLogin(GUARD, '去登录', '返回')) loginRequest.askFor(wanted)
}
