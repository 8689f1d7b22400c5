import { Link } from '@tanstack/react-router'
import { IconFileText, IconLock } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { CourseDetail } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { loginRequest } from '#src/session/loginRequest.ts'
import { session } from '#src/session/session.ts'
import { feedback } from '#src/ui/feedback/feedback.ts'
import common from '#src/ui/common.module.css'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from '../Courses.module.css'
import { OFFER } from './Offer.tsx'

/** What it takes to have a handout, and the way to it. */
async function tellLocked(title: string): Promise<void> {
  const visitor = !session.loggedIn()
  const choice = await feedback.ask({
    title: '讲义未解锁',
    message: `购买课程后可以看《${title}》。${visitor ? '已经购买的，请先登录。' : ''}`,
    actions: [
      { key: 'ok', label: '知道了' },
      ...(visitor ? [{ key: 'login', label: '登录' } as const] : []),
      { key: 'buy', label: '看看怎么购买', tone: 'primary' },
    ],
  })
  if (choice === 'login') loginRequest.ask()
  if (choice === 'buy') document.getElementById(OFFER)?.scrollIntoView({ block: 'center' })
}

/** Heading of a part of a course's page. */
export const PART = clsx(common.heading, classes.part)
const THING = clsx(common.between, classes.thing)
const SIZE = clsx(common.caption, common.figures)

interface RelatedProps {
  course: CourseDetail
  links: { library: (no: string, title: string) => ReactNode; package: (no: string, title: string) => ReactNode }
}

/** What goes with a course: handouts, libraries to practise in, packages that have it. */
export function Related({ course: { handouts, libraries, packages }, links }: RelatedProps) {
  return (
    <>
      <Part title="讲义" of={handouts}>
        {({ title, src, bytes }) => (
          <li key={title} className={THING}>
            {src === null ? (
              <button type="button" className={classes.locked} onClick={() => void tellLocked(title)}>
                <IconLock size={18} aria-label="未解锁" />
                {title}
              </button>
            ) : (
              <Link to="/pdf/$url" params={{ url: src }}>
                <IconFileText size={18} aria-hidden="true" />
                {title}
              </Link>
            )}
            <small className={SIZE}>{bytesText(bytes)}</small>
          </li>
        )}
      </Part>
      <Part title="相关题库" of={libraries}>
        {({ no, title }) => (
          <li key={no} className={THING}>
            {links.library(no, title)}
          </li>
        )}
      </Part>
      <Part title="所在套餐" of={packages}>
        {({ no, title, price }) => (
          <li key={no} className={THING}>
            {links.package(no, title)}
            <small className={SIZE}>{priceText(price)}</small>
          </li>
        )}
      </Part>
    </>
  )
}

function Part<T>({ title, of, children }: { title: string; of: readonly T[]; children: (each: T) => ReactNode }) {
  if (of.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className={PART}>{title}</h2>
      <ul>{of.map(children)}</ul>
    </section>
  )
}
