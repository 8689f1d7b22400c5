import { IconUserCircle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { NO_TIME } from '#src/domain/study/days.ts'
import { accuracyOf, streakOf } from '#src/domain/study/stats.ts'
import { maskMobile } from '#src/domain/text/text.ts'
import { percentText, timeText } from '#src/features/stats/texts.ts'
import type { Figures } from '#src/offline/record/figures.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { useSession } from '#src/session/useSession.ts'
import { Chevron } from '#src/ui/Chevron.tsx'
import common from '#src/ui/common.module.css'
import classes from './Hub.module.css'

/** Portrait and name, days in a row, and today's figures. */
export const Who = ({ figures }: { figures: Figures | null }) => (
  <section className={clsx(common.card, classes.who)} aria-label="我">
    <Name days={figures && streakOf(figures.days, figures.today)} />
    <Today figures={figures} />
  </section>
)

const nameLook = clsx(common.row, common.link, classes.name)

function Name({ days }: { days: number | null }) {
  const { token, userinfo } = useSession()
  if (token === '' || !userinfo)
    return (
      <button type="button" className={nameLook} onClick={loginRequest.ask}>
        <IconUserCircle size={52} stroke={1.2} className={clsx(common.fixed, common.quiet)} aria-hidden="true" />
        <span className={clsx(common.column, common.grow)}>
          <b className={common.subheading}>登录</b>
          <span className={common.note}>记录在这台设备上，登录后同步</span>
        </span>
        <Chevron />
      </button>
    )
  return (
    <Link to="/user/my_userinfo" className={nameLook}>
      {userinfo.portrait ? (
        <img src={userinfo.portrait} className={clsx(common.fixed, classes.portrait)} width="52" height="52" alt="" />
      ) : (
        <i className={clsx(common.fixed, common.heading, classes.portrait)} aria-hidden="true">
          {userinfo.nickname.slice(0, 1)}
        </i>
      )}
      <span className={clsx(common.column, common.grow)}>
        <b className={clsx(common.subheading, common.ellipsis)}>{userinfo.nickname}</b>
        <span className={clsx(common.note, common.figures)}>{maskMobile(userinfo.mobile)}</span>
      </span>
      {Boolean(days) && <span className={clsx(common.small, common.figures, classes.streak)}>连续 {days} 天</span>}
      <Chevron />
    </Link>
  )
}

function Today({ figures }: { figures: Figures | null }) {
  const day = figures?.days.get(figures.today) ?? NO_TIME
  return (
    <dl className={classes.today} aria-label="今日学习" aria-busy={!figures}>
      <Figure name="今日答题" value={figures && `${day.answered}/${figures.settings.dayGoal} 题`} />
      <Figure name="今日正确率" value={figures && percentText(accuracyOf(day))} />
      <Figure name="今日用时" value={figures && timeText(day.spentMs)} />
    </dl>
  )
}

const Figure = ({ name, value }: { name: string; value: string | null }) => (
  <div className={classes.figure}>
    <dt className={common.caption}>{name}</dt>
    <dd className={clsx(common.strong, common.figures)}>{value ?? '—'}</dd>
  </div>
)
