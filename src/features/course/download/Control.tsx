import {
  IconAdjustmentsHorizontal,
  IconAlertTriangle,
  IconCloudCheck,
  IconCloudDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { clsx } from 'clsx'
import { QUALITY_OF } from '#src/domain/course/quality.ts'
import type { Activity } from '#src/offline/downloads/board.ts'
import type { ListedLesson } from '#src/offline/downloads/lessons/lessons.ts'
import { sizeOf, updateOf } from '#src/offline/downloads/lessons/media.ts'
import { seenNow } from '#src/offline/device/highestTime.ts'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { act } from './acts.ts'
import { ProgressLine } from '#src/ui/feedback/ProgressLine.tsx'
import unseen from '#src/ui/text/Unseen.module.css'
import classes from './Download.module.css'
import type { Offered } from './quality.ts'
import { type Act, ACTS, lessonView, type LessonView, updateBytes } from './view.ts'

interface ControlProps {
  wanted: Offered
  row: ListedLesson | undefined
  activity: Activity | undefined
  /** It stands where an update is told of: nothing is removed there, and that there is a new version is not said twice. */
  keeps?: boolean
}

const ICONS: Record<Act, typeof IconX> = {
  start: IconCloudDownload,
  update: IconRefresh,
  change: IconAdjustmentsHorizontal,
  pause: IconPlayerPause,
  resume: IconPlayerPlay,
  anyway: IconCloudDownload,
  spend: IconCloudDownload,
  cancel: IconX,
  remove: IconX,
}

/** The button of one lesson's download, a way out beside it, and what there is to say below. */
export function Control({ wanted, row, activity, keeps = false }: ControlProps) {
  const view = lessonView(wanted, row, activity, seenNow())
  const [first, ...others] = view.acts
  const rest = others.filter((each) => !(keeps && each === 'remove'))
  // 已下载 is what it is, not what a tap does.
  const isHere = first === 'remove'
  const Icon = view.alarm ? IconRefresh : ICONS[first]
  const tone = view.alarm ? common.wrong : common.accent
  const of = QUALITY_OF[wanted.kind ?? 'video']
  // An update weighs what the server offers now; what is removed frees what is here.
  const update = row && updateOf(row)
  const bytes = { update: update && updateBytes(update, wanted), remove: row && sizeOf(row) }
  const perform = (what: Act) =>
    act({ ...wanted, bytes: (what === 'update' || what === 'remove' ? bytes[what] : null) ?? wanted.bytes }, what)
  return (
    <div className={clsx(common.wrap, common.end, classes.control)} data-alarm={view.alarm || undefined}>
      {isHere && (
        <span className={clsx(common.inline, common.quiet, common.figures, classes.state)}>
          <IconCloudCheck size={18} className={tone} aria-hidden="true" />
          {view.text}
        </span>
      )}
      {/* One button whatever it does now: who stands on it stays there. */}
      <Button
        look="quiet"
        tone="plain"
        small={isHere}
        className={isHere ? undefined : clsx(common.figures, classes.main)}
        aria-label={labelOf(first, view, wanted.title)}
        onClick={() => perform(first)}
      >
        {isHere ? (
          '移除'
        ) : (
          <>
            <Icon size={18} className={tone} aria-hidden="true" />
            {view.text}
          </>
        )}
      </Button>
      {rest.map((each) => {
        const Other = ICONS[each]
        return (
          <IconButton
            key={each}
            aria-label={`${each === 'change' ? `换${of}` : ACTS[each]} ${wanted.title}`}
            onClick={() => perform(each)}
          >
            <Other size={18} aria-hidden="true" />
          </IconButton>
        )
      })}
      {view.part !== null && (
        <ProgressLine className={classes.progress} part={view.part} label={`${wanted.title} 下载进度`} />
      )}
      {view.note && !(keeps && first === 'update') && (
        <p className={clsx(common.caption, classes.note)}>
          {view.alarm && (
            <IconAlertTriangle size={15} className={clsx(common.fixed, classes.sign)} aria-hidden="true" />
          )}
          {view.note}
        </p>
      )}
      {/* Quarters, not every step: a screen reader must be able to finish its sentence. */}
      <span className={unseen.unseen} role="status">
        {spoken(wanted.title, view, activity)}
      </span>
    </div>
  )
}

function labelOf(first: Act, { text }: LessonView, title: string): string {
  if (first === 'start') return `下载 ${title}，${text}`
  return first === 'update' ? `${text} ${title}` : `${ACTS[first]} ${title}`
}

function spoken(title: string, { part, note, alarm }: LessonView, activity: Activity | undefined): string {
  if (!activity) return ''
  if (activity.at === 'running') return `${title} 已下载 ${Math.floor((part ?? 0) * 4) * 25}%`
  return alarm ? `${title} ${note}` : note
}
