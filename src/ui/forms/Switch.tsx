import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Switch as MantineSwitch } from '@mantine/core'
import classes from './Switch.module.css'

interface SwitchProps {
  label: string
  /** A line that says what it does. */
  hint: string
  checked: boolean
  onChange: (on: boolean) => void
}

/** A setting that is on or off, and counts at once. The whole row is the target. It stands within `Forms`. */
export const Switch = ({ label, hint, checked, onChange }: SwitchProps) => (
  <MantineSwitch
    // The line below describes it, and is no part of its name.
    aria-label={label}
    label={label}
    description={hint}
    labelPosition="left"
    size="md"
    withThumbIndicator={false}
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
    classNames={{
      body: classes.body,
      labelWrapper: classes.labelWrapper,
      label: classes.label,
      description: classes.description,
      track: classes.track,
      thumb: classes.thumb,
      input: classes.input,
    }}
  />
)
