import { clockText } from '#src/domain/course/lengths.ts'
import type { LessonHandle } from '../useLesson.ts'

interface PlaceNoticeProps {
  lesson: LessonHandle
  className: string | undefined
}

/** 从 12:34 继续; or that another device is further on, or further back. */
export function PlaceNotice({
  lesson: { place, source, startOver, takePlace, leavePlace },
  className,
}: PlaceNoticeProps) {
  if (!place || source.trouble !== null) return null
  const other = place.is === 'other'
  return (
    <div className={className} role="status">
      <span>{other ? `另一台设备看到 ${clockText(place.at)}` : `从 ${clockText(place.at)} 继续`}</span>
      {other ? (
        <button type="button" onClick={takePlace}>
          去那里
        </button>
      ) : (
        <button type="button" onClick={startOver}>
          从头播放
        </button>
      )}
      {other && (
        <button type="button" onClick={leavePlace}>
          留在这里
        </button>
      )}
    </div>
  )
}
