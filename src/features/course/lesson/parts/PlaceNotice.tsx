import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import { clockText } from '#src/domain/course/lengths.ts'
import type { LessonHandle } from '../useLesson.ts'
import classes from './Stage.module.css'

const WAY = clsx(common.strong, classes.way)

interface PlaceNoticeProps {
  lesson: LessonHandle
}

/** 从 12:34 继续; or that another device is further on, or further back. */
export function PlaceNotice({ lesson: { place, source, startOver, takePlace, leavePlace } }: PlaceNoticeProps) {
  if (!place || source.trouble !== null) return null
  const other = place.is === 'other'
  return (
    <div className={clsx(common.wrap, classes.notice)} role="status">
      <span>{other ? `另一台设备看到 ${clockText(place.at)}` : `从 ${clockText(place.at)} 继续`}</span>
      {other ? (
        <button type="button" className={WAY} onClick={takePlace}>
          去那里
        </button>
      ) : (
        <button type="button" className={WAY} onClick={startOver}>
          从头播放
        </button>
      )}
      {other && (
        <button type="button" className={WAY} onClick={leavePlace}>
          留在这里
        </button>
      )}
    </div>
  )
}
