import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CourseHead } from '#src/contract/course.ts'
import { useThings } from '#src/offline/useThings.ts'
import { Button } from '#src/ui/Button.tsx'
import { dateText, timeText } from '#src/ui/dates.ts'
import { useEntryChoice } from '#src/ui/entry.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Listed } from '#src/ui/Listed.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import listing from '#src/ui/Listing.module.css'
import classes from './Courses.module.css'
import { CoverPicture } from './parts/CourseCard.tsx'
import { ProgressBar } from './parts/ProgressBar.tsx'
import { courseShare, lastOf, type Watched } from './progress.ts'
import { courseListQuery, myCoursesQuery } from './queries.ts'
import { KIND_NAMES } from './texts.ts'

const TABS = {
  全部: () => true,
  学习中: (share: number) => share < 1,
  已学完: (share: number) => share === 1,
} satisfies Record<string, (share: number) => boolean>
type Tab = keyof typeof TABS
const NAMES = Object.keys(TABS) as Tab[]

interface MyCoursesPageProps {
  onCourse: (no: string) => void
  onList: () => void
  /** What is on this phone. */
  here: ReactNode
}

/** 我的课程: bought or begun, with how far the student has come; what was begun without a network is among them at once. */
export function MyCoursesPage({ onCourse, onList, here }: MyCoursesPageProps) {
  const { data, error, isPending, refetch } = useQuery(myCoursesQuery())
  const { data: listed = [] } = useQuery(courseListQuery())
  const watched = useThings('lesson')
  const [tab, setTab] = useEntryChoice<Tab>('tab', NAMES, '全部')
  if (isPending || !watched) return <Skeleton />
  const mine = begunLast(merged(data ?? [], listed, watched), watched)
  const shown = mine.filter((course) => TABS[tab](courseShare(course, watched)))
  return (
    <>
      <h1 className={classes.heading}>我的课程</h1>
      {!data && mine.length === 0 ? (
        <ErrorCard error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <div className={listing.tabs} role="group" aria-label="学习状态">
            {NAMES.map((name) => (
              <button key={name} type="button" aria-pressed={name === tab} onClick={() => setTab(name)}>
                {name}
              </button>
            ))}
          </div>
          <Listed
            name={tab}
            label="我的课程"
            rows={shown}
            keyOf={({ no }) => no}
            empty={<Nothing any={mine.length > 0} onList={onList} />}
          >
            {(course) => <MyCourse course={course} watched={watched} onOpen={() => onCourse(course.no)} />}
          </Listed>
        </>
      )}
      <div className={classes.apart}>{here}</div>
    </>
  )
}

/** The server's word, and what this device knows to be begun since. */
function merged(mine: readonly CourseHead[], listed: readonly CourseHead[], watched: Watched): CourseHead[] {
  const known = new Set(mine.map(({ no }) => no))
  return [...mine, ...listed.filter((course) => !known.has(course.no) && lastOf(course.lessons, watched))]
}

function begunLast(courses: readonly CourseHead[], watched: Watched): CourseHead[] {
  const at = (course: CourseHead) => lastOf(course.lessons, watched)?.at ?? 0
  return [...courses].sort((a, b) => at(b) - at(a))
}

function Nothing({ any, onList }: { any: boolean; onList: () => void }) {
  if (any) return <p className={listing.empty}>暂无更多...</p>
  return (
    <div className={listing.empty}>
      <p>还没有学过课程。挑一门开始，看到哪里都会记住，没有网络也能接着看下载好的课时。</p>
      <Button onClick={onList}>去选课程</Button>
    </div>
  )
}

function MyCourse({ course, watched, onOpen }: { course: CourseHead; watched: Watched; onOpen: () => void }) {
  const last = lastOf(course.lessons, watched)
  return (
    <button type="button" className={classes.card} onClick={onOpen}>
      <CoverPicture of={course.cover} />
      <span className={classes.body}>
        <span className={listing.badges}>
          <span>{KIND_NAMES[course.kind]}</span>
          {!course.open && <span data-look="locked">试看</span>}
        </span>
        <strong>{course.title}</strong>
        <span className={listing.facts}>
          {last && <span>上次学习 {timeText(last.at)}</span>}
          {course.until !== null && <span>有效期至 {dateText(course.until)}</span>}
        </span>
        <ProgressBar share={courseShare(course, watched)} />
      </span>
    </button>
  )
}
