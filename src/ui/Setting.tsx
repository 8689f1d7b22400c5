import { clsx } from 'clsx'
import { useId } from 'react'
import common from './common.module.css'
import classes from './Setting.module.css'

interface SettingProps {
  label: string
  /** A line that says what it does. */
  hint?: string
  checked: boolean
  onChange: (on: boolean) => void
  /** Within a row of other things: the switch stands right before its words. */
  inline?: boolean
}

/** A setting that is on or off, and counts at once. The whole row is the target. */
export function Setting({ label, hint, checked, onChange, inline = false }: SettingProps) {
  const id = useId()
  return (
    <label className={clsx(classes.setting, inline && classes.inline)}>
      <span className={classes.words}>
        <span id={`${id}n`}>{label}</span>
        {/* It describes the setting, and is no part of its name. */}
        {hint !== undefined && (
          <small id={`${id}h`} className={clsx(common.quiet, classes.hint)}>
            {hint}
          </small>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={classes.switch}
        aria-labelledby={`${id}n`}
        aria-describedby={hint === undefined ? undefined : `${id}h`}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}
