import { loginGate } from '#src/session/loginGate.ts'
import { feedback } from '#src/ui/feedback.ts'

/** The guard's words (spec §6), and the way on: to what was wanted. */
export async function offerLogin(wanted: string): Promise<void> {
  const choice = await feedback.ask({
    title: '提示信息',
    message: '您还未登录哦，请登录后访问。',
    actions: [
      { key: 'ok', label: '知道了' },
      { key: 'login', label: '去登录', tone: 'primary' },
    ],
  })
  if (choice === 'login') loginGate.askFor(wanted)
}
