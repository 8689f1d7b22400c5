import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import common from '#src/ui/common.module.css'
import classes from './Offers.module.css'

interface PartProps {
  title: string
  /** Where all of it is; left out, this is all. */
  to?: '/exam/exam_list' | '/course/course_list' | '/news/news_list' | '/store/store_list'
  /** Its content was known at this time; given where it may be old. */
  asOf: string
  children: ReactNode
}

/** A part of the page, with the way to all of it. */
export const Part = ({ title, to, asOf, children }: PartProps) => (
  <section className={classes.part} aria-label={title}>
    <div className={clsx(common.between, classes.head)}>
      <div className={clsx(common.wrap, classes.name)}>
        <h2 className={common.subheading}>{title}</h2>
        {asOf && <p className={clsx(common.caption, common.figures)}>{asOf}</p>}
      </div>
      {to && (
        <Link to={to} className={clsx(common.inline, common.note, classes.all)} aria-label={`全部${title}`}>
          全部
          <IconChevronRight size={18} aria-hidden="true" />
        </Link>
      )}
    </div>
    {children}
  </section>
)
