import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { CourseDetail } from '#src/contract/course.ts'
import { lengthText } from '#src/domain/course/lengths.ts'
import { useThings } from '#src/offline/useThings.ts'
import { Badges } from '#src/ui/list/Badges.tsx'
import { Button } from '#src/ui/Button.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { RichText } from '#src/ui/text/RichText.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import listing from '#src/ui/list/Listing.module.css'
import classes from './Courses.module.css'
import { AllCourses } from './parts/AllCourses.tsx'
import { Catalogue, type CatalogueSlots } from './parts/Catalogue.tsx'
import { Offer } from './parts/Offer.tsx'
import { ProgressBar } from './parts/ProgressBar.tsx'
import { courseShare, type Watched } from './progress.ts'
import { packageQuery } from './queries.ts'
import { factsOf, KIND_NAMES, TRIAL_NAMES } from './texts.ts'

interface PackagePageProps {
  no: string
  onCourse: (no: string) => void
  onLeave: () => void
  slots: CatalogueSlots
}

/** 课程套餐: courses that are sold together, each with its lessons. */
export function PackagePage({ no, onCourse, onLeave, slots }: PackagePageProps) {
  const { data: of, error, isPending, refetch } = useQuery(packageQuery(no))
  const watched = useThings('lesson')
  if (isPending) return <Skeleton />
  if (!of) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  // What cannot be bought has no price to compare with.
  const isOffered = [of, ...of.courses].every(({ withdrawn }) => !withdrawn)
  const alone = isOffered ? of.courses.reduce((sum, { price }) => sum + price, 0) : 0
  const heard = of.courses.every(({ kind }) => kind === 'audio')
  return (
    <div className={listing.page}>
      <AllCourses onLeave={onLeave} />
      <div className={clsx(common.stack, classes.head)}>
        <CoverPicture of={of.cover} className={classes.cover} />
        <div className={clsx(common.column, classes.about)}>
          <Badges kind="套餐" of={of} />
          <h1 className={clsx(listing.pageTitle, classes.title)}>{of.title}</h1>
          <p className={listing.facts}>
            <span>{of.courses.length} 门课程</span>
            <span>{lengthText(of.courses.map(({ seconds }) => seconds))}</span>
            {alone > of.price && <span>比单独购买省 ¥{((alone - of.price) / 100).toFixed(2)}</span>}
          </p>
        </div>
      </div>
      <Offer
        kind="package"
        of={of}
        trials={of.courses.reduce((sum, { trials }) => sum + trials, 0)}
        trial={TRIAL_NAMES[heard ? 'audio' : 'video']}
      />
      <div className={listing.intro}>
        <RichText html={of.intro} />
      </div>
      {of.courses.map((course, i) => (
        <PackagedCourse
          key={course.no}
          course={course}
          first={i === 0}
          watched={watched}
          // What is the student's goes on through the courses of the package, one after another.
          pack={of.open ? no : undefined}
          onCourse={() => onCourse(course.no)}
          slots={slots}
        />
      ))}
    </div>
  )
}

interface PackagedCourseProps {
  course: CourseDetail
  first: boolean
  watched: Watched | null
  pack: string | undefined
  onCourse: () => void
  slots: CatalogueSlots
}

function PackagedCourse({ course, first, watched, pack, onCourse, slots }: PackagedCourseProps) {
  const share = watched ? courseShare(course, watched) : 0
  return (
    <details className={clsx(common.card, classes.packaged)} open={first}>
      <summary className={classes.summary}>
        <h2 className={common.subheading}>{course.title}</h2>
        <span className={listing.facts}>
          <span>{KIND_NAMES[course.kind]}</span>
          {factsOf(course).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
        {share > 0 && <ProgressBar share={share} />}
      </summary>
      <Catalogue course={course} watched={watched} pack={pack} slots={slots} />
      <Button look="light" small onClick={onCourse} aria-label={`课程详情 ${course.title}`}>
        课程详情
      </Button>
    </details>
  )
}
