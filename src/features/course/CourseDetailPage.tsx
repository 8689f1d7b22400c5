import { useQuery } from '@tanstack/react-query'
import { IconPlayerPlay } from '@tabler/icons-react'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { CourseDetail, Lesson } from '#src/contract/course.ts'
import { goesOnAt, lastWatched, lessonsOf, mineOf } from '#src/domain/course/goOn.ts'
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
import { PART, Related } from './parts/Related.tsx'
import { courseShare, lessonShare, type Watched } from './progress.ts'
import { courseQuery } from './queries.ts'
import { factsOf, KIND_NAMES, TRIAL_NAMES } from './texts.ts'

/** What is opened of a course. */
export interface Opened {
  course: Pick<CourseDetail, 'no' | 'kind' | 'open'>
  lesson: Lesson
}
interface CourseDetailPageProps {
  no: string
  onLesson: (opened: Opened) => void
  onLeave: () => void
  slots: CatalogueSlots
  /** Links out of the course, which only routes know. */
  links: { library: (no: string, title: string) => ReactNode; package: (no: string, title: string) => ReactNode }
}

/** A course: what it is, its lessons with how far the student has come, and what goes with it. */
export function CourseDetailPage({ no, onLesson, onLeave, slots, links }: CourseDetailPageProps) {
  const { data: course, error, isPending, refetch } = useQuery(courseQuery(no))
  const watched = useThings('lesson')
  if (isPending) return <Skeleton />
  if (!course) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  const open = (lesson: Lesson) => onLesson({ course, lesson })
  return (
    <div className={listing.page}>
      <AllCourses onLeave={onLeave} />
      <div className={clsx(common.stack, classes.head)}>
        <CoverPicture of={course.cover} className={classes.cover} />
        <div className={clsx(common.column, classes.about)}>
          <Badges kind={KIND_NAMES[course.kind]} of={course} />
          <h1 className={clsx(listing.pageTitle, classes.title)}>{course.title}</h1>
          <p className={listing.facts}>
            <span>主讲 {course.teacher}</span>
            {factsOf(course).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
          {watched && <Standing course={course} watched={watched} />}
          {watched && <Start course={course} watched={watched} onLesson={open} />}
        </div>
      </div>
      <Offer kind="course" of={course} trials={course.trials} trial={TRIAL_NAMES[course.kind]} />
      <div className={classes.parts}>
        <section aria-labelledby="catalogue">
          <h2 id="catalogue" className={PART}>
            目录
          </h2>
          <Catalogue course={course} watched={watched} slots={slots} />
        </section>
        <div>
          <section aria-labelledby="about">
            <h2 id="about" className={PART}>
              课程介绍
            </h2>
            <div className={listing.intro}>
              <RichText html={course.intro} />
            </div>
          </section>
          {course.aboutTeacher && (
            <section aria-labelledby="teacher">
              <h2 id="teacher" className={PART}>
                主讲 {course.teacher}
              </h2>
              <div className={listing.intro}>
                <RichText html={course.aboutTeacher} />
              </div>
            </section>
          )}
          <Related course={course} links={links} />
        </div>
      </div>
    </div>
  )
}

interface OfCourse {
  course: CourseDetail
  watched: Watched
}

function Standing({ course, watched }: OfCourse) {
  const share = courseShare(course, watched)
  if (share === 0) return null
  const lessons = lessonsOf(course)
  const whole = lessons.filter((lesson) => lessonShare(lesson, watched) === 1).length
  return (
    <div className={clsx(common.column, common.caption, classes.standing)}>
      <ProgressBar share={share} />
      <span>
        学完 {whole}/{lessons.length} 课时
      </span>
    </div>
  )
}

function Start({ course, watched, onLesson }: OfCourse & { onLesson: (lesson: Lesson) => void }) {
  const mine = mineOf(course)
  const next = goesOnAt(mine, watched)
  // Who has watched all of it may do so again.
  const lesson = next ?? mine[0]
  if (!lesson) return null
  const begun = lastWatched(watched, course.lessons) !== null
  const name = !course.open ? `免费${TRIAL_NAMES[course.kind]}` : !next ? '重新学习' : begun ? '继续学习' : '开始学习'
  return (
    <Button className={classes.start} onClick={() => onLesson(lesson)}>
      <IconPlayerPlay size={18} aria-hidden="true" />
      {name}：{lesson.title}
    </Button>
  )
}
