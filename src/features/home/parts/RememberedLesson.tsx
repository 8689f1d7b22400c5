import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { offline } from '#src/offline/index.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { deviceMemory } from '#src/device/stores.ts'
import common from '#src/ui/common.module.css'
import classes from '../HomePage.module.css'

export const rememberedLesson = (): string => deviceMemory.get(OWNER_KEYS.lastLesson(offline.owner)) ?? ''

/** 继续上课. @param said where (domain/course/goOn.ts) */
export function RememberedLesson({ said = rememberedLesson() }) {
  const [, to, title] = said.split('\n')
  return to ? (
    <Link to={to} className={clsx(common.ellipsis, common.link, classes.lesson)}>
      继续上课 {title}
    </Link>
  ) : null
}
