import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { CourseHead } from '#src/contract/course.ts'
import { useThings } from '#src/offline/useThings.ts'
import { Button } from '#src/ui/Button.tsx'
import { Empty } from '#src/ui/Empty.tsx'
import { dateText, timeText } from '#src/ui/dates.ts'
import { useEntryChoice } from '#src/ui/list/entry.ts'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import { Listed } from '#src/ui/list/Listed.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import common from '#src/ui/common.module.css'
import listing from '#src/ui/list/Listing.module.css'
import classes from './Courses.module.css'
import { CARD, CardBody } from './parts/CourseCard.tsx'
import { ProgressBar } from './parts/ProgressBar.tsx'
import { courseShare, lastOf, type Watched } from './progress.ts'
import { courseListQuery, myCoursesQuery } from './queries.ts'
import { KIND_NAMES, TRIAL_NAMES } from './texts.ts'

const TABS = {
  全部: () => true,
  学习中: (share: number) => share < 1,
  已学完: (share: number) => share === 1,
} satisfies Record<string, (share: number) => boolean>
type Tab = keyof typeof TABS
const NAMES = Object.keys(TABS) as Tab[]

interface MyCoursesPageProps {
  onList: () => void
  /** What is on this phone; `quiet`: of which nothing is said when it is nothing. */
  here: (quiet: boolean) => ReactNode
}

/** 我的课程: bought or begun, with how far the student has come; what was begun without a network is among them at once. */
export function MyCoursesPage({ onList, here }: MyCoursesPageProps) {
  const { data, error, isPending, refetch } = useQuery(myCoursesQuery())
  const { data: listed = [] } = useQuery(courseListQuery())
  const watched = useThings('lesson')
  const [tab, setTab] = useEntryChoice<Tab>('tab', NAMES, '全部')
  if (isPending || !watched) return <Skeleton />
  const mine = begunLast(merged(data ?? [], listed, watched), watched)
  const shown = mine.filter((course) => TABS[tab](courseShare(course, watched)))
  return (
    <>
      <h1 className={clsx(common.title, classes.mine)}>我的课程</h1>
      {mine.length === 0 ? (
        <>
          {here(true)}
          {data ? <Nothing onList={onList} /> : <ErrorCard error={error} onRetry={() => void refetch()} />}
        </>
      ) : (
        <>
          <Chips
            label="学习状态"
            options={NAMES.map((name) => ({ value: name, label: name }))}
            chosen={tab}
            onPick={setTab}
          />
          <Listed name={tab} label="我的课程" rows={shown} keyOf={({ no }) => no}>
            {(course) => <MyCourse course={course} watched={watched} />}
          </Listed>
          <div className={classes.apart}>{here(false)}</div>
        </>
      )}
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

const Nothing = ({ onList }: { onList: () => void }) => (
  <Empty of="course" title="还没有购买或学过的课程">
    <p>挑一门开始，看到哪里都会记住。</p>
    <Button onClick={onList}>去选课程</Button>
  </Empty>
)

function MyCourse({ course, watched }: { course: CourseHead; watched: Watched }) {
  const last = lastOf(course.lessons, watched)
  return (
    <Link to="/course/course_detail/$no" params={{ no: course.no }} className={CARD}>
      <CardBody
        of={course}
        badges={
          <span className={listing.badges}>
            <span className={listing.badge}>{KIND_NAMES[course.kind]}</span>
            {!course.open && (
              <span className={listing.badge} data-look="locked">
                {course.withdrawn ? '已下架' : TRIAL_NAMES[course.kind]}
              </span>
            )}
          </span>
        }
      >
        <span className={listing.facts}>
          {last && <span>上次学习 {timeText(last.at)}</span>}
          {course.until !== null && <span>有效期至 {dateText(course.until)}</span>}
        </span>
        <ProgressBar share={courseShare(course, watched)} />
      </CardBody>
    </Link>
  )
}
