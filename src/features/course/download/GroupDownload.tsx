import { IconCloudCheck, IconCloudDownload, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useEffect } from 'react'
import type { Lesson } from '#src/contract/course.ts'
import { useLessons } from '#src/offline/useLessons.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { followLessons, pause, resume, start } from './acts.ts'
import classes from './Download.module.css'
import { useWish } from './quality.ts'
import { QualityChoice } from './QualityChoice.tsx'
import { UpdateAll } from './UpdateAll.tsx'
import { type CourseOf, groupView, wantedOf } from './view.ts'

interface GroupDownloadProps {
  course: CourseOf
  /** Those that the student may have. */
  lessons: readonly Lesson[]
  /** What they are: 本单元, 整门课程. */
  name: string
  /** Only what can be begun; what is under way is told elsewhere. */
  brief?: boolean
}

/** 下载 of a unit or of a whole course: what is missing, what it weighs, and one button for all of it. */
export function GroupDownload({ course, lessons, name, brief = false }: GroupDownloadProps) {
  const state = useLessons()
  const { rows, activities } = state
  const wish = useWish()
  useEffect(followLessons, [])
  if (!rows || lessons.length === 0) return null
  const offered = lessons.map((lesson) => wantedOf(course, lesson, wish))
  const view = groupView(offered, rows, activities)
  const { open } = view
  if (brief && open.length === 0) return null
  const [running, resting] = brief ? [[], []] : [view.running, view.resting]
  return (
    <div className={clsx(common.wrap, classes.group)} role="group" aria-label={`${name}下载`}>
      {open.length > 0 && (
        <Button look="light" small onClick={() => start(open)}>
          <IconCloudDownload size={18} aria-hidden="true" />
          下载{name}
        </Button>
      )}
      {!brief && <UpdateAll list={offered} state={state} />}
      {running.length > 0 && (
        <Button look="quiet" small onClick={() => pause(running)}>
          <IconPlayerPause size={18} aria-hidden="true" />
          全部暂停
        </Button>
      )}
      {running.length === 0 && resting.length > 0 && (
        <Button look="quiet" small onClick={() => resume(resting)}>
          <IconPlayerPlay size={18} aria-hidden="true" />
          全部继续
        </Button>
      )}
      {!brief && <QualityChoice kind={course.kind} lessons={open.length > 0 ? open : offered} />}
      <small className={clsx(common.inline, common.caption, common.figures)}>
        {open.length + running.length + resting.length === 0 && (
          <IconCloudCheck size={16} className={common.accent} aria-hidden="true" />
        )}
        {brief ? view.sum : view.text}
      </small>
    </div>
  )
}
