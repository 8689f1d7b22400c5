import { onlineManager } from '@tanstack/react-query'
import { use, useEffect, useEffectEvent } from 'react'
import { isAway, SERVER_FAULT, wordsOf } from '#src/domain/app/failureWords.ts'
import { AvailableContext } from './available.ts'
import { Button } from './Button.tsx'
import { Drawing } from './Empty.tsx'
import { LoginContext } from './login.ts'
import classes from './ErrorCard.module.css'

interface ErrorCardProps {
  error: unknown
  onRetry: () => void
  onLeave?: () => void
  /** Told when it is not on this device and nobody answers. */
  away?: string
}

/** Why a screen has nothing to show, and what the student can do. Told apart by the error's class name. */
export function ErrorCard({ error, onRetry, onLeave, away }: ErrorCardProps) {
  const name = error instanceof Error ? error.name : ''
  const offline = isAway(error)
  const available = use(AvailableContext)
  const login = use(LoginContext)
  const loginLabel =
    name === 'UnauthorizedError' && error instanceof Error && 'login' in error ? String(error.login) : ''
  const again = useEffectEvent(onRetry)
  useEffect(() => onlineManager.subscribe((online) => online && again()), [])
  const told = offline ? (away ?? '此内容尚未下载，联网后可查看') : wordsOf(error, SERVER_FAULT)
  return (
    <section className={classes.card} role="alert">
      <Drawing of={offline ? 'away' : 'lost'} />
      <h2 className={classes.title}>{told}</h2>
      {offline && (
        <p>网络恢复后会自动打开。{!away && '打开过或下载过的内容没有网络也能用，作答自动保存在这台设备上。'}</p>
      )}
      <div className={classes.actions}>
        {login && loginLabel ? <Button onClick={login}>{loginLabel}</Button> : <Button onClick={onRetry}>重试</Button>}
        {onLeave && (
          <Button look="light" onClick={onLeave}>
            返回
          </Button>
        )}
      </div>
      {offline && !away && available}
    </section>
  )
}
