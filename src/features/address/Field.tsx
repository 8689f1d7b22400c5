import { clsx } from 'clsx'
import { type InputHTMLAttributes, useId } from 'react'
import common from '#src/ui/common.module.css'
import fields from '#src/ui/Field.module.css'
import classes from './Address.module.css'

interface FieldProps extends Pick<InputHTMLAttributes<HTMLElement>, 'inputMode' | 'autoComplete' | 'placeholder'> {
  label: string
  type?: 'text' | 'tel'
  /** More than one line. */
  long?: boolean
  value: string
  fault?: string | undefined
  onChange: (value: string) => void
}

/** A field with what is wrong with it. */
export function Field({ label, type = 'text', long = false, fault, onChange, ...rest }: FieldProps) {
  const id = useId()
  const shared = { ...rest, id, 'aria-invalid': fault !== undefined, 'aria-describedby': fault && `${id}fault` }
  return (
    <div className={fields.field}>
      <label htmlFor={id}>
        <span className={common.strong}>{label}</span>
      </label>
      {long ? (
        <textarea
          {...shared}
          rows={2}
          className={clsx(fields.input, fields.area, classes.lines)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <input
          className={fields.input}
          {...shared}
          type={type}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {fault && (
        <em id={`${id}fault`} className={clsx(common.small, common.wrong, classes.fault)}>
          {fault}
        </em>
      )}
    </div>
  )
}
