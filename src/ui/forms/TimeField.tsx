import common from '../common.module.css'
import fields from '../Field.module.css'

interface TimeFieldProps {
  label: string
  /** HH:MM; empty while it is not whole. */
  value: string
  onChange: (value: string) => void
}

/** A time of the day, picked as the phone has it. */
export const TimeField = ({ label, value, onChange }: TimeFieldProps) => (
  <label className={fields.field}>
    <span className={common.strong}>{label}</span>
    <input type="time" className={fields.input} value={value} onChange={(event) => onChange(event.target.value)} />
  </label>
)
