import { Link } from '@tanstack/react-router'
import { IconFileText, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { CourseDetail } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/bytes.ts'
import { priceText } from '#src/ui/Badges.tsx'
import classes from '../Courses.module.css'

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
          <li key={title}>
            {src === null ? (
              <span>
                <IconLock size={18} aria-label="未解锁" />
                {title}
              </span>
            ) : (
              <Link to="/pdf/$url" params={{ url: src }}>
                <IconFileText size={18} aria-hidden="true" />
                {title}
              </Link>
            )}
            <small>{bytesText(bytes)}</small>
          </li>
        )}
      </Part>
      <Part title="相关题库" of={libraries}>
        {({ no, title }) => <li key={no}>{links.library(no, title)}</li>}
      </Part>
      <Part title="所在套餐" of={packages}>
        {({ no, title, price }) => (
          <li key={no}>
            {links.package(no, title)}
            <small>{priceText(price)}</small>
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
      <h2>{title}</h2>
      <ul className={classes.related}>{of.map(children)}</ul>
    </section>
  )
}
