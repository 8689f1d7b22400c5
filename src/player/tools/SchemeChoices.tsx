import { clsx } from 'clsx'
import { useState } from 'react'
import { Choices } from '#src/ui/Choices.tsx'
import common from '#src/ui/common.module.css'
import { TimeField } from '#src/ui/forms/TimeField.tsx'
import { type Night, scheme, useNight, useSchemeChoice } from '#src/ui/scheme.ts'
import classes from './Tools.module.css'

const SCHEMES = [
  { value: 'system', label: '跟随系统' },
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'time', label: '按时间' },
] as const

/** 外观: light or dark, as the phone has it, or by the clock. */
export function SchemeChoices() {
  const chosen = useSchemeChoice()
  return (
    <>
      <Choices title="外观" options={SCHEMES} chosen={[chosen]} onPick={scheme.set} />
      {chosen === 'time' && <NightTimes />}
    </>
  )
}

const faultOf = ({ from, to }: Night): string | null => {
  if (from === '' || to === '') return '开始和结束时间都要填。'
  return from === to ? '开始和结束不能是同一时间。' : null
}

/** A night that cannot be is not kept, and what was kept before goes on. */
function NightTimes() {
  const night = useNight()
  const [typed, setTyped] = useState(night)
  const fault = faultOf(typed)
  const change = (part: Partial<Night>) => {
    const next = { ...typed, ...part }
    setTyped(next)
    if (faultOf(next) === null) scheme.setNight(next)
  }
  return (
    <div className={clsx(common.stack, classes.night)}>
      <TimeField label="深色从" value={typed.from} onChange={(from) => change({ from })} />
      <TimeField label="深色到" value={typed.to} onChange={(to) => change({ to })} />
      {fault === null ? (
        <p className={clsx(common.note, classes.whole)}>每天按这台设备的时间自动切换，没有网络也一样。</p>
      ) : (
        <p role="alert" className={clsx(common.small, common.wrong, classes.whole)}>
          {fault}
        </p>
      )}
    </div>
  )
}
