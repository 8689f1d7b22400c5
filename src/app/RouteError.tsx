import { IconRefresh } from '@tabler/icons-react'
import { onlineManager } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isCallError, OfflineError } from '#src/api/errors.ts'
import { NoExamError } from '#src/features/structural/startup.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Button } from '#src/ui/Button.tsx'
import classes from './Page.module.css'

/** A route could not be shown: no network and nothing stored, no direction configured, or code of another version. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  useEffect(() => {
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  })
  if (isCallError(error)) return <ErrorCard error={error} onRetry={retry} />
  const unconfigured = error instanceof NoExamError
  // A file of the app that is fetched when it is first used; what failed to load once is loaded again by a new page only.
  if (!unconfigured && !onlineManager.isOnline()) return <ErrorCard error={new OfflineError()} onRetry={reload} />
  return (
    <section className={classes.centre} role="alert">
      <IconRefresh size={44} stroke={1.4} aria-hidden="true" />
      <h1>{unconfigured ? '未配置考试' : '功能已更新，请刷新页面'}</h1>
      {unconfigured && <p>还没有可以报考的方向，请联系管理员配置后重试。</p>}
      <Button onClick={reload}>刷新页面</Button>
    </section>
  )
}

const reload = () => window.location.reload()
