import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { CourseHead, PackageHead } from '#src/contract/course.ts'
import type { Cover } from '#src/contract/scalar.ts'
import { Badges } from '#src/ui/list/Badges.tsx'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import listing from '#src/ui/list/Listing.module.css'
import classes from '../Courses.module.css'
import { courseShare, type Watched } from '../progress.ts'
import { factsOf, KIND_NAMES } from '../texts.ts'
import { ProgressBar } from './ProgressBar.tsx'

interface CourseCardProps {
  course: CourseHead
  /** Null until it was read. */
  watched: Watched | null
}
/** By which the way back finds the list as it was left. */
const HERE = { from: '/course/course_list' }

export function CourseCard({ course, watched }: CourseCardProps) {
  const share = watched ? courseShare(course, watched) : 0
  return (
    <Link to="/course/course_detail/$no" params={{ no: course.no }} state={HERE} className={CARD}>
      <CardBody of={course} badges={<Badges kind={KIND_NAMES[course.kind]} of={course} />}>
        <span className={listing.facts}>
          <span>{course.teacher}</span>
          {factsOf(course).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
        {share > 0 && <ProgressBar share={share} />}
      </CardBody>
    </Link>
  )
}

export function PackageCard({ of }: { of: PackageHead }) {
  return (
    <Link to="/course/course_package/$no" params={{ no: of.no }} state={HERE} className={CARD}>
      <CardBody of={of} badges={<Badges kind="套餐" of={of} />}>
        <span className={listing.facts}>{of.courses.length} 门课程一起学</span>
      </CardBody>
    </Link>
  )
}

/** A card as a whole leads to what it shows. */
export const CARD = clsx(common.card, common.link, classes.card)
interface CardBodyProps {
  of: { cover: Cover; title: string }
  badges: ReactNode
  /** They stand below the title. */
  children: ReactNode
}

/** Cover and words of a card. */
export const CardBody = ({ of: { cover, title }, badges, children }: CardBodyProps) => (
  <>
    <CoverPicture of={cover} className={classes.cover} />
    <span className={clsx(common.column, classes.body)}>
      {badges}
      <strong className={clsx(common.subheading, classes.name)}>{title}</strong>
      {children}
    </span>
  </>
)
