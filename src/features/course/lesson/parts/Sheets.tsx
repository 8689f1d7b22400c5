import type { CourseKind } from '#src/contract/course.ts'
import { bytesText } from '#src/domain/text/bytes.ts'
import { QUALITY_OF, qualityText, wishOf, wishText } from '#src/domain/course/quality.ts'
import common from '#src/ui/common.module.css'
import { Setting } from '#src/ui/Setting.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'
import { KEY_TEXTS } from '../keys.ts'
import { speedText, SPEEDS } from '../prefs.ts'
import { SLEEP_MINUTES, type Sleep, sleepAfter } from '../watch/sleep.ts'
import type { PlayedQuality } from '../media/useQuality.ts'
import classes from './Sheets.module.css'

interface SpeedSheetProps {
  speed: number
  onSpeed: (speed: number) => void
  onClose: () => void
}

export function SpeedSheet({ speed, onSpeed, onClose }: SpeedSheetProps) {
  return (
    <Dialog title="播放速度" sheet onClose={onClose}>
      <Choices
        title="选好后，这门课和新的课都用这个速度"
        options={SPEEDS.map((value) => ({ value, label: speedText(value) }))}
        chosen={[speed]}
        onPick={onSpeed}
      />
    </Dialog>
  )
}

interface QualitySheetProps {
  kind: CourseKind
  quality: PlayedQuality
  onClose: () => void
}

const AUTO = 'auto'

export function QualitySheet({ kind, quality, onClose }: QualitySheetProps) {
  const { choices, chosen, choose } = quality
  const pick = (value: string) => {
    choose(wishOf(value))
    onClose()
  }
  return (
    <Dialog title={`播放${QUALITY_OF[kind]}`} sheet onClose={onClose}>
      <Choices
        title={`联网播放时都用选好的${QUALITY_OF[kind]}；已下载的按下载时的播放`}
        options={[
          { value: AUTO, label: '自动' },
          ...choices.map((each) => ({
            value: wishText(each),
            label: qualityText(kind, each),
            note: `整课 ${bytesText(each.bytes)}`,
          })),
        ]}
        chosen={[chosen ? wishText(chosen) : AUTO]}
        onPick={pick}
      />
    </Dialog>
  )
}

interface SleepSheetProps {
  sleep: Sleep
  onSleep: (sleep: Sleep) => void
  onClose: () => void
}

/** How much is left, to the minute. */
export const sleepText = (sleep: Sleep): string =>
  sleep === 'off' ? '定时关闭' : sleep === 'end' ? '播完本课时' : `${Math.ceil(sleep.leftMs / 60_000)} 分钟后`

export function SleepSheet({ sleep, onSleep, onClose }: SleepSheetProps) {
  const options = [
    { value: 'off', label: '不定时' },
    ...SLEEP_MINUTES.map((minutes) => ({ value: String(minutes), label: `${minutes} 分钟` })),
    { value: 'end', label: '播完本课时' },
  ]
  const pick = (value: string) => {
    onSleep(value === 'off' || value === 'end' ? value : sleepAfter(Number(value)))
    onClose()
  }
  return (
    <Dialog title="定时关闭" sheet onClose={onClose}>
      <Choices
        title={typeof sleep === 'object' ? `${sleepText(sleep)}停止播放，暂停时不计时` : '到时间后声音渐低，然后暂停'}
        options={options}
        chosen={typeof sleep === 'string' ? [sleep] : []}
        onPick={pick}
      />
    </Dialog>
  )
}

interface KeysSheetProps {
  on: boolean
  onToggle: () => void
  onClose: () => void
}

export function KeysSheet({ on, onToggle, onClose }: KeysSheetProps) {
  return (
    <Dialog title="键盘快捷键" sheet onClose={onClose}>
      <Setting label="使用快捷键" checked={on} onChange={onToggle} />
      <dl>
        {KEY_TEXTS.map(([key, does]) => (
          <div key={key} className={classes.key}>
            <dt className={common.strong}>{key}</dt>
            <dd className={common.quiet}>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
