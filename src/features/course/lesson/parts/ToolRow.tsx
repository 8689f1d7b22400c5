import { IconGauge, IconKeyboard, IconMoonStars, IconPlayerTrackNext, IconPlayerTrackPrev } from '@tabler/icons-react'
import { Button } from '#src/ui/Button.tsx'
import { speedText } from '../prefs.ts'
import type { Sleep } from '../sleep.ts'
import { sleepText } from './Sheets.tsx'
import classes from './ToolRow.module.css'

interface ToolRowProps {
  audio: boolean
  /** Null: it is chosen elsewhere. */
  speed: number | null
  sleep: Sleep
  goesOn: boolean
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  onGoesOn: () => void
  onSheet: (sheet: 'speed' | 'sleep' | 'keys') => void
}

/** What stands under a lesson. */
export function ToolRow({ audio, speed, sleep, goesOn, onPrevious, onNext, onGoesOn, onSheet }: ToolRowProps) {
  return (
    <div className={classes.row}>
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
      <label className={classes.switch}>
        <input type="checkbox" checked={goesOn} onChange={onGoesOn} />
        自动播放下一课时
      </label>
      <span className={classes.keys}>
        <Button look="quiet" tone="plain" small onClick={() => onSheet('keys')}>
          <IconKeyboard size={18} aria-hidden="true" />
          快捷键
        </Button>
      </span>
    </div>
  )
}
