import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useSyncExternalStore } from 'react'
import { offline } from '#src/offline/index.ts'
import { useRecord } from '#src/offline/useRecord.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
import { Button } from '#src/ui/Button.tsx'
import { optional } from '#src/ui/optional.ts'
import bar from '#src/ui/Bar.module.css'
import { update } from '../swBridge.ts'

const InboxBar = optional(() => import('#src/features/inbox/InboxBar.tsx').then((m) => m.InboxBar))

const NEWS = ['notice', 'report', 'exam', 'order'] as const
const anyNews = async (): Promise<boolean> =>
  (await Promise.all(NEWS.map((kind) => offline.things(kind)))).some(({ size }) => size > 0)
const isNews = (changed: string): boolean => NEWS.some((kind) => kind === changed)

/** Its file is loaded by those alone for whom there may be news. */
export function Inbox() {
  const some = useRecord(anyNews, isNews).data
  return (
    some && (
      <Suspense>
        <InboxBar />
      </Suspense>
    )
  )
}

/** The token has expired, the student has not: studying goes on. */
export function ExpiredBar() {
  const { token, uid } = useSession()
  const client = useQueryClient()
  const leave = () => void import('#src/features/account/leave.ts').then(({ logout }) => logout(client))
  if (token !== '' || uid === null) return null
  return (
    <div className={bar.bar} role="status">
      <span>登录已过期，可以继续做题，记录会保存在这台设备上。</span>
      <Button small onClick={loginRequest.ask}>
        重新登录
      </Button>
      <Button small look="quiet" onClick={leave}>
        退出
      </Button>
    </div>
  )
}

/** A quiet bar; it never reloads by itself. */
export function UpdateBar() {
  const reason = useSyncExternalStore(update.subscribe, update.reason)
  if (!reason) return null
  return (
    <div className={bar.bar} role="status">
      <span>{reason}</span>
      <Button small onClick={update.apply}>
        更新
      </Button>
    </div>
  )
}
