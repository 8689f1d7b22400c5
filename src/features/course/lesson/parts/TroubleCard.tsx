import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { SERVER_FAULT } from '#src/domain/app/failureWords.ts'
import { clockText } from '#src/domain/course/lengths.ts'
import type { Trouble } from '../media/source.ts'
import classes from './Stage.module.css'

interface TroubleCardProps {
  trouble: Trouble
  /** Where it stands, seconds. */
  at: number
  /** Its course is sold no more: there is nothing to buy. */
  withdrawn: boolean
  onRetry: () => void
  onCourse: () => void
}

const TEXTS = {
  broken: ['下载的课时不完整', '联网后会自动接着播放，并在后台补齐。'],
  away: ['没有网络，这个课时也没有下载', '联网后会自动打开；下载过的课时没有网络也能学。'],
  ended: ['课程有效期已过', '续费后联网一次即可继续，学习进度一直都在。'],
  unconfirmed: ['超过 7 天没有联网确认购买', '联网一次即可继续，学习进度一直都在。'],
  lost: ['网络断开了', '网络恢复后会自动接着播放。'],
  login: ['登录已过期', '重新登录后可以接着看，学习进度一直都在。'],
  fault: [SERVER_FAULT, '恢复后会自动接着播放。'],
  unplayable: ['这台设备播放不了这个课时', '请更新浏览器，或换一台设备再试。'],
} as const

const ACTS = clsx(common.wrap, classes.acts)
const KEPT = '你的学习进度和笔记都还在。'

/** Why a lesson does not play, and what can be done. */
export function TroubleCard({ trouble, at, withdrawn, onRetry, onCourse }: TroubleCardProps) {
  const visitor = useSession().token === ''
  if (typeof trouble === 'object')
    return (
      <section className={clsx(common.column, classes.card)} role="alert">
        <h2 className={common.subheading}>{trouble.refused}</h2>
        {withdrawn && <p className={classes.said}>{KEPT}</p>}
        <div className={ACTS}>
          <Button onClick={onCourse}>{withdrawn ? '返回课程' : '看看怎么购买'}</Button>
          {visitor && (
            <Button look="light" onClick={loginRequest.ask}>
              登录
            </Button>
          )}
        </div>
      </section>
    )
  const [title, about] = TEXTS[trouble]
  return (
    <section className={clsx(common.column, classes.card)} role="alert">
      <h2 className={common.subheading}>{title}</h2>
      <p className={classes.said}>
        {withdrawn && trouble === 'ended' ? `这门课已下架，不能续费。${KEPT}` : about}
        {trouble === 'lost' && at >= 1 && `已停在 ${clockText(at)}。`}
      </p>
      <div className={ACTS}>
        {trouble === 'login' ? (
          <Button onClick={loginRequest.ask}>重新登录</Button>
        ) : (
          <Button onClick={onRetry}>重试</Button>
        )}
        {trouble !== 'lost' && (
          <Button look="light" onClick={onCourse}>
            返回课程
          </Button>
        )}
      </div>
    </section>
  )
}
