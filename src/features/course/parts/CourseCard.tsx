import type { CourseHead, PackageHead } from '#src/contract/course.ts'
import type { Cover } from '#src/contract/scalar.ts'
import { Badges } from '#src/ui/Badges.tsx'
import listing from '#src/ui/Listing.module.css'
import classes from '../Courses.module.css'
import { courseShare, type Watched } from '../progress.ts'
import { factsOf, KIND_NAMES } from '../texts.ts'
import { ProgressBar } from './ProgressBar.tsx'

interface CourseCardProps {
  course: CourseHead
  /** Null until it was read. */
  watched: Watched | null
  onOpen: () => void
}

export function CourseCard({ course, watched, onOpen }: CourseCardProps) {
  const share = watched ? courseShare(course, watched) : 0
  return (
    <button type="button" className={classes.card} onClick={onOpen}>
      <CoverPicture of={course.cover} />
      <span className={classes.body}>
        <Badges kind={KIND_NAMES[course.kind]} of={course} />
        <strong>{course.title}</strong>
        <span className={listing.facts}>
          <span>{course.teacher}</span>
          {factsOf(course).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
        {share > 0 && <ProgressBar share={share} />}
      </span>
    </button>
  )
}

export function PackageCard({ of, onOpen }: { of: PackageHead; onOpen: () => void }) {
  return (
    <button type="button" className={classes.card} onClick={onOpen}>
      <CoverPicture of={of.cover} />
      <span className={classes.body}>
        <Badges kind="套餐" of={of} />
        <strong>{of.title}</strong>
        <span className={listing.facts}>{of.courses.length} 门课程一起学</span>
      </span>
    </button>
  )
}

/** Beside its title, so it says nothing by itself. */
export const CoverPicture = ({ of: { src, width, height } }: { of: Cover }) => (
  <img className={classes.cover} src={src} width={width} height={height} alt="" loading="lazy" decoding="async" />
)
