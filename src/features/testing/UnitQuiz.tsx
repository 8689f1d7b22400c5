import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconWriting } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { pastOf, useProgress } from '#src/sitting/useProgress.ts'
import { scoreText } from '#src/sitting/texts.ts'
import common from '#src/ui/common.module.css'
import { testingListQuery } from './queries.ts'
import classes from './Testings.module.css'

/** 单元测验 that ends a unit of a course, with the last result; nothing where there is none. */
export function UnitQuiz({ course, unit }: { course: string; unit: string }) {
  const { data = [] } = useQuery(testingListQuery())
  const progress = useProgress()
  return data
    .filter((each) => each.unit?.course === course && each.unit.no === unit)
    .map(({ no, title, count }) => {
      const last = progress && pastOf(progress, no)[0]
      return (
        <Link
          key={no}
          to="/testing/testing_detail/$no/$itemNo"
          params={{ no, itemNo: '0' }}
          state={{ from: window.location.pathname }}
          className={clsx(common.wrap, common.accent, classes.unitQuiz)}
        >
          <IconWriting size={20} aria-hidden="true" />
          <span>{title}</span>
          <small className={clsx(common.quiet, common.end)}>
            {count} 题{last && `，上次 ${scoreText(last)}`}
          </small>
        </Link>
      )
    })
}

/** What a download of lessons leaves out, and how it is had: said where it is begun. */
export function NotAlong({ course, handouts }: { course: string; handouts: boolean }) {
  const { data = [] } = useQuery(testingListQuery())
  const quizzes = data.some(({ unit }) => unit?.course === course)
  const names = [handouts && '讲义', quizzes && '单元测验'].filter(Boolean).join('和')
  return (
    names && (
      <p className={clsx(common.note, classes.hint)}>下载的是课时。{names}要另外联网打开一次，以后没有网络也能用。</p>
    )
  )
}
