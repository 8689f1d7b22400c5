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

/** The guard's words (spec §6), and the way on: to what was wanted. */
export async function offerLogin(wanted: string): Promise<void> {
  if (await sayWithLogin('您还未登录哦，请登录后访问。', '去登录', '返回')) loginRequest.askFor(wanted)
}
