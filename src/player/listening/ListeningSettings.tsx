import { clsx } from 'clsx'
import { Setting } from '#src/ui/Setting.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import common from '#src/ui/common.module.css'
import { type ListeningPrefs, PAUSES, RATES } from './prefs.ts'
import classes from './Listening.module.css'

interface ListeningSettingsProps {
  prefs: ListeningPrefs
  onChange: (prefs: ListeningPrefs) => void
}

/** Sets how it is read; each choice counts at once, and stays on this device. */
export const ListeningSettings = ({ prefs, onChange }: ListeningSettingsProps) => (
  <details>
    <summary className={clsx(common.strong, classes.fold)}>朗读设置</summary>
    <Choices title="语速" options={RATES} chosen={[prefs.rate]} onPick={(rate) => onChange({ ...prefs, rate })} />
    <Choices
      title="思考时间"
      options={PAUSES}
      chosen={[prefs.pause]}
      onPick={(pause) => onChange({ ...prefs, pause })}
    />
    <Setting
      label="读完答案接着读解析"
      checked={prefs.withAnalysis}
      onChange={(withAnalysis) => onChange({ ...prefs, withAnalysis })}
    />
  </details>
)
