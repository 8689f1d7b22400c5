import { clsx } from 'clsx'
import { type ReactNode, useContext } from 'react'
import common from '#src/ui/common.module.css'
import { DoneContext } from './doneContext.ts'
import classes from './More.module.css'

interface ActProps {
  icon: ReactNode
  label: string
  /** It is read out instead: it says more than there is room for, and has the label in it. */
  name?: string | undefined
  /** It says below the label how the act stands. */
  note?: string | undefined
  keys?: string | undefined
  pressed?: boolean | undefined
  disabled?: boolean | undefined
  onClick: () => void
}

/** One of what 更多 offers: a picture with its name. */
export function Act({ icon, label, name, note, keys, pressed, disabled, onClick }: ActProps) {
  const done = useContext(DoneContext)
  return (
    <button
      type="button"
      className={clsx(common.small, classes.act)}
      aria-label={name}
      aria-keyshortcuts={keys}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={() => {
        done()
        onClick()
      }}
    >
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      {label}
      {note && <span className={common.caption}>{note}</span>}
    </button>
  )
}
