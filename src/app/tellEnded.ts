import { takeEnded } from '#src/features/account/endedMark.ts'
import { loginGate } from '#src/session/loginGate.ts'
import { feedback } from '#src/ui/feedback.ts'

/** Says, once, why a student who was logged in is a visitor now. */
export async function tellEnded(): Promise<void> {
  if (!takeEnded()) return
  const choice = await feedback.ask({
    title: '提示信息',
    message: '这台设备已在别处被退出登录。还没有同步的记录保存在本机，你重新登录后会自动同步。',
    actions: [
      { key: 'ok', label: '知道了' },
      { key: 'login', label: '重新登录', tone: 'primary' },
    ],
  })
  if (choice === 'login') loginGate.ask()
}
