import type { QueryClient } from '@tanstack/react-query'
import { call } from '#src/api/client.ts'
import { login } from '#src/contract/login.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { countedKinds } from '#src/domain/record/opNames.ts'
import { offline } from '#src/offline/index.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import { openAnew } from '#src/ui/dialog/newPage.ts'
import { forgetStudent } from './forgetStudent.ts'

const LOGOUT = '确定要退出吗？退出后可能会清空与您相关的部分本地数据哦。'

/** Everything of this student that the server has not answered for, in numbers and words. */
async function unsynced(): Promise<{ count: number; words: string }> {
  const ops = await offline.waiting().then(
    (all) => all.filter(({ acked }) => acked === 0),
    () => null,
  )
  return ops
    ? { count: ops.length, words: `${ops.length} 条未同步（${countedKinds(ops)}）` }
    : { count: offline.status().waiting, words: `${offline.status().waiting} 条未同步` }
}

/** Lessons leave with their student; '' when there are none, or nobody knows. */
async function downloaded(): Promise<string> {
  const { count, bytes } = await import('#src/offline/downloads/lessons/lessons.ts')
    .then(({ lessons }) => lessons.taken())
    .catch(() => ({ count: 0, bytes: 0 }))
  return count > 0 ? `已下载的 ${count} 个课时（${bytesText(bytes)}）会移除。` : ''
}

/** Asks, says what still waits, and leaves the phone ready for the next student. False when the student stays. */
export async function logout(client: QueryClient): Promise<boolean> {
  const [{ count, words }, lessons] = await Promise.all([unsynced(), downloaded()])
  const choice = await feedback.ask({
    title: '退出登录',
    message: `${LOGOUT}${lessons}${count > 0 ? `还有 ${words}。` : ''}`,
    actions:
      count > 0
        ? [
            { key: 'cancel', label: '取消' },
            { key: 'discard', label: '放弃并退出' },
            { key: 'keep', label: '保留记录并退出' },
            { key: 'send', label: '立即同步并退出', tone: 'primary' },
          ]
        : [
            { key: 'cancel', label: '取消' },
            { key: 'keep', label: '退出', tone: 'primary' },
          ],
  })
  if (choice !== 'send' && choice !== 'keep' && choice !== 'discard') return false
  if (choice === 'discard' && !(await sure(`${words}的记录将被删除，无法恢复。`, '删除并退出', 'danger'))) return false
  if (choice === 'send' && !(await sent())) return false
  await leave(client, choice === 'discard' ? 'discard' : 'keep')
  return true
}

/** False when something is left and the student would rather stay. */
async function sent(): Promise<boolean> {
  await offline.sendSoon()
  const { count, words } = await unsynced()
  return (
    count === 0 || sure(`还有 ${words}，没有同步成功，会保留在这台设备上，下次登录后自动同步。`, '仍要退出', 'primary')
  )
}

/** Asks nothing: what waits stays for the next login, or goes. */
export async function leave(client: QueryClient, waiting: 'keep' | 'discard'): Promise<void> {
  await offline.logout(waiting)
  // Without a network the token ends on this device alone; the server forgets it when it expires.
  await call(login.logout, {}, { timeoutMs: 3_000 }).catch(() => {})
  forgetStudent(client)
  openAnew('/')
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
