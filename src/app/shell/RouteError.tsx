import { IconRefresh } from '@tabler/icons-react'
import { onlineManager } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'
import { isCallError, OfflineError, ServerFaultError } from '#src/api/errors.ts'
import { wordsOf } from '#src/domain/app/failureWords.ts'
import { NoExamError } from '#src/features/structural/startup.ts'
import common from '#src/ui/common.module.css'
import card from '#src/ui/ErrorCard.module.css'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Button } from '#src/ui/Button.tsx'
import { reload } from '#src/ui/dialog/newPage.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { hasMissingChunk, type WhyMissing, whyMissing } from '../missingChunk.ts'
import classes from './Page.module.css'

const BROKEN = '刷新页面再试一次；做过的题都已保存。'

/** A route could not be shown: no network and nothing stored, no direction configured, a file of the app missing, or a fault of ours. */
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
  if (error instanceof NoExamError) return <Refresh title="未配置考试">{wordsOf(error)}</Refresh>
  if (hasMissingChunk() || !onlineManager.isOnline()) return <MissingChunk />
  return <Refresh title="这个页面出错了">{wordsOf(error, BROKEN)}</Refresh>
}

/** A file of the app that is fetched when it is first used. What failed to load once is loaded again by a new page only. */
function MissingChunk() {
  const [why, setWhy] = useState<WhyMissing | null>(() => (onlineManager.isOnline() ? null : 'away'))
  useEffect(() => {
    if (why === null) void whyMissing().then(setWhy)
  }, [why])
  // A new page while the server is away might be none at all: a browser without our worker shows its own error.
  const retry = () =>
    void whyMissing().then((now) => {
      if (now === 'away' || now === 'faulty') setWhy(now)
      else reload()
    })
  if (why === null) return <Skeleton />
  if (why === 'gone') return <Refresh title="功能已更新，请刷新页面" />
  return <ErrorCard error={why === 'away' ? new OfflineError() : new ServerFaultError(503)} onRetry={retry} />
}

const Refresh = ({ title, children }: { title: string; children?: ReactNode }) => (
  <section className={card.card} role="alert">
    <IconRefresh size={44} stroke={1.4} aria-hidden="true" />
    <h1 className={clsx(common.heading, classes.title)}>{title}</h1>
    {children && <p className={classes.told}>{children}</p>}
    <Button onClick={reload}>刷新页面</Button>
  </section>
)
