import { QUALITY_OF } from '#src/domain/course/quality.ts'
import {
  IconAdjustmentsHorizontal,
  IconCloudCheck,
  IconGauge,
  IconKeyboard,
  IconMoonStars,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from '@tabler/icons-react'
import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import { Button } from '#src/ui/Button.tsx'
import { Setting } from '#src/ui/Setting.tsx'
import { speedText } from '../prefs.ts'
import type { Sheet } from '../usePlayer.ts'
import type { PlayedQuality } from '../media/useQuality.ts'
import type { Sleep } from '../watch/sleep.ts'
import { sleepText } from './Sheets.tsx'
import classes from './ToolRow.module.css'

interface ToolRowProps {
  audio: boolean
  /** Null: it is chosen elsewhere. */
  speed: number | null
  /** What of it is chosen and what plays from this device: both null where it comes in one. */
  quality: Pick<PlayedQuality, 'text' | 'kept'>
  sleep: Sleep
  goesOn: boolean
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onGoesOn: () => void
  onSheet: (sheet: Sheet) => void
}

/** What stands under a lesson. */
export function ToolRow({ audio, speed, quality, sleep, goesOn, onPrevious, onNext, onGoesOn, onSheet }: ToolRowProps) {
  return (
    <div className={clsx(common.wrap, classes.tools)}>
      {!audio && (
        <>
          <Button look="light" small disabled={!onPrevious} onClick={onPrevious ?? undefined}>
            <IconPlayerTrackPrev size={18} aria-hidden="true" />
            上一课时
          </Button>
          <Button look="light" small disabled={!onNext} onClick={onNext ?? undefined}>
            <IconPlayerTrackNext size={18} aria-hidden="true" />
            下一课时
          </Button>
        </>
      )}
      {speed !== null && (
        <Button look="light" small onClick={() => onSheet('speed')}>
          <IconGauge size={18} aria-hidden="true" />
          倍速 {speedText(speed)}
        </Button>
      )}
      {quality.text !== null && (
        <Button look="light" small onClick={() => onSheet('quality')}>
          <IconAdjustmentsHorizontal size={18} aria-hidden="true" />
          {QUALITY_OF[audio ? 'audio' : 'video']} {quality.text}
        </Button>
      )}
      {quality.kept !== null && (
        <span className={clsx(common.inline, common.note)}>
          <IconCloudCheck size={18} aria-hidden="true" />
          已下载 {quality.kept}
        </span>
      )}
      {audio && (
        <Button
          look="light"
          small
          aria-label={sleep === 'off' ? undefined : `定时关闭：${sleepText(sleep)}`}
          onClick={() => onSheet('sleep')}
        >
          <IconMoonStars size={18} aria-hidden="true" />
          {sleepText(sleep)}
        </Button>
      )}
      <Setting inline label="自动播放下一课时" checked={goesOn} onChange={onGoesOn} />
      <span className={classes.keys}>
        <Button look="quiet" tone="plain" small onClick={() => onSheet('keys')}>
          <IconKeyboard size={18} aria-hidden="true" />
          快捷键
        </Button>
      </span>
    </div>
  )
}
