import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { CourseDetail } from '#src/contract/course.ts'
import { goOnText, lastWatched, lessonsOf, soldAlone } from '#src/domain/course/goOn.ts'
import { offline } from '#src/offline/index.ts'
import { OWNER_KEYS } from '#src/device/keys.ts'
import { useThings } from '#src/offline/useThings.ts'
import { Button } from '#src/ui/Button.tsx'
import { Lost } from '#src/ui/Empty.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { deviceMemory } from '#src/device/stores.ts'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import type { LessonWay } from '../lessonWay.ts'
import { courseQuery, packageQuery } from '../queries.ts'
import type { KeptLesson } from './media/doors.ts'
import { keptCourse } from './media/kept.ts'
import { LessonPlayer, type LessonPlayerProps } from './LessonPlayer.tsx'
import { placed } from './lessons.ts'
import type { Quiz } from './parts/EndCard.tsx'
import type { FromSecond } from './useLesson.ts'

interface LessonPageProps {
  /** Of the course, or of the package that it was opened from. */
  no: string
  of: 'course' | 'package'
  lessonNo: string
  kept?: ((lessonNo: string) => Promise<KeptLesson | null>) | undefined
  quizOf: (courseNo: string, unitNo: string) => Quiz | null
  /** Where another lesson of it plays, and how to get there without a step back for each. */
  wayTo: (lessonNo: string) => LessonWay
  onLesson: (lessonNo: string) => void
  onQuiz: (no: string) => void
  onCourse: () => void
  update: LessonPlayerProps['update']
  /** The second to open it at, as far as the address says one. */
  from: FromSecond
}
interface Sold {
  title: string
  open: boolean
  courses: readonly CourseDetail[]
}

/** 视频课 and 音频课: what a course or a package is made of, and one lesson of it. */
export function LessonPage(props: LessonPageProps) {
  const { no, of, lessonNo, kept, onLesson, onCourse, ...rest } = props
  const { sold, error, isPending, refetch } = useSold(no, of, lessonNo)
  const lessons = useMemo(() => sold && placed(sold.courses, sold.open), [sold])
  const found = lessons?.find((each) => each.no === lessonNo)
  useRemembering(sold, no, of)
  if (!found && isPending) return <Skeleton />
  if (!sold || !lessons || (!found && error))
    return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onCourse} />
  if (!found)
    return (
      <Lost title="这门课里没有这个课时">
        <p>它可能已经调整或移除。你的学习进度和笔记都还在。</p>
        <Button onClick={onCourse}>返回课程</Button>
      </Lost>
    )
  return (
    <LessonPlayer
      // Picture and voice are elements of different kinds.
      key={found.course.kind}
      lesson={found}
      lessons={lessons}
      title={sold.title}
      kept={kept}
      onLesson={(each) => onLesson(each.no)}
      onCourse={onCourse}
      {...rest}
    />
  )
}

/** Where the home page says to go on: known here with each word of the record. */
function useRemembering(sold: Sold | undefined, no: string, of: 'course' | 'package'): void {
  const watched = useThings('lesson')
  useEffect(() => {
    const last = watched && lastWatched(watched)
    const course = sold?.courses.find((each) => each.no === last?.courseNo)
    if (!last || !course) return
    const alone = soldAlone(course)
    const here = of === 'package' ? { no, type: of, lessons: sold?.open ? lessonsOf(course) : alone.lessons } : alone
    deviceMemory.set(OWNER_KEYS.lastLesson(offline.owner), goOnText(last, here, watched))
  }, [sold, watched, no, of])
}

/** What is opened, as the server says it; until it answers, and when it does not, the course of a downloaded lesson. */
function useSold(no: string, of: 'course' | 'package', lessonNo: string) {
  const asCourse = useQuery({ ...courseQuery(no), enabled: of === 'course' })
  const asPackage = useQuery({ ...packageQuery(no), enabled: of === 'package' })
  const { error, isPending, refetch } = of === 'course' ? asCourse : asPackage
  const told = useMemo<Sold | undefined>(
    () => asPackage.data ?? (asCourse.data && byItself(asCourse.data)),
    [asCourse.data, asPackage.data],
  )
  const kept = useKeptCourse(no, lessonNo, told)
  const sold = told ?? kept.sold
  return { sold, error: told ? null : error, isPending: !told && (isPending || !kept.read), refetch }
}
const byItself = (course: CourseDetail): Sold => ({ title: course.title, open: course.open, courses: [course] })

function useKeptCourse(no: string, lessonNo: string, told: Sold | undefined) {
  const [kept, setKept] = useState<{ read: boolean; sold?: Sold | undefined }>({ read: false })
  useEffect(() => {
    if (told) return
    let left = false
    void keptCourse(lessonNo, no).then(
      (course) => !left && setKept({ read: true, sold: course ? byItself(course) : undefined }),
      () => !left && setKept({ read: true }),
    )
    return () => {
      left = true
    }
  }, [told, no, lessonNo])
  return kept
}
