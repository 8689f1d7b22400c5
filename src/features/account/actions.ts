import { user } from '#src/contract/user.ts'
import { login } from '#src/contract/login.ts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#src/api/client.ts'
import { query } from '#src/api/query.ts'
import { forgetBoot } from '#src/offline/cache.ts'
import { offline } from '#src/offline/index.ts'
import { forgetView } from '#src/session/lastView.ts'
import { session } from '#src/session/session.ts'
import { feedback } from '#src/ui/feedback.ts'
import { tabMemory } from '#src/ui/memory.ts'

export const userinfoQuery = () => query(user.getUserInfo, {})

const LOGOUT = '确定要退出吗？退出后可能会清空与您相关的部分本地数据哦。'

/** Asks, says what still waits, and leaves the phone ready for the next student. False when the student stays. */
export async function logout(client: QueryClient): Promise<boolean> {
  const { waiting } = offline.status()
  const choice = await feedback.ask({
    title: '退出登录',
    message: waiting > 0 ? `${LOGOUT}还有 ${waiting} 条未同步。` : LOGOUT,
    actions:
      waiting > 0
        ? [
            { key: 'cancel', label: '取消' },
            { key: 'discard', label: '放弃并退出' },
            { key: 'keep', label: '保留在本机并退出' },
            { key: 'send', label: '立即同步并退出', tone: 'primary' },
          ]
        : [
            { key: 'cancel', label: '取消' },
            { key: 'keep', label: '退出', tone: 'primary' },
          ],
  })
  if (choice !== 'send' && choice !== 'keep' && choice !== 'discard') return false
  if (choice === 'discard' && !(await sure(`${waiting} 条未同步的记录将被删除，无法恢复。`, '删除并退出', 'danger')))
    return false
  if (choice === 'send') {
    await offline.sendSoon()
    const left = offline.status().waiting
    if (
      left > 0 &&
      !(await sure(`还有 ${left} 条没有同步成功，会保留在本机，下次登录后自动同步。`, '仍要退出', 'primary'))
    )
      return false
  }
  await offline.logout(choice === 'discard' ? 'discard' : 'keep')
  // Without a network the token ends on this device alone; the server forgets it when it expires.
  await call(login.logout, {}, { timeoutMs: 3_000 }).catch(() => {})
  client.clear()
  session.logout()
  forgetBoot()
  forgetView()
  window.location.replace('/')
  return true
}

const sure = async (message: string, label: string, tone: 'primary' | 'danger'): Promise<boolean> =>
  (await feedback.ask({
    title: '退出登录',
    message,
    actions: [
      { key: 'cancel', label: '取消' },
      { key: 'sure', label, tone },
    ],
  })) === 'sure'

/** What was answered before logging in: once asked, the answer is kept by where the ops are. */
export async function offerVisitorAnswers(): Promise<void> {
  if (!session.loggedIn()) return
  const waiting = await offline.visitorWaiting().catch(() => 0)
  if (waiting === 0 || tabMemory.get('jk-visitor-left')) return
  const choice = await feedback.ask({
    title: '登录前的答题记录',
    message: `这台设备上有 ${waiting} 条未登录时的答题记录，要合并到当前账号吗？`,
    actions: [
      { key: 'leave', label: '留在本机' },
      { key: 'merge', label: '合并到账号', tone: 'primary' },
    ],
  })
  if (choice !== 'merge') return tabMemory.set('jk-visitor-left', '1')
  feedback.toast(`已合并 ${await offline.adoptVisitor()} 条记录`)
}
