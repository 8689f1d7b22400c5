import type { ComponentType } from 'react'
import { Button, type ButtonLook } from '#src/ui/Button.tsx'
import { useLater } from '#src/ui/feedback/useLater.ts'
import type * as security from './security/security.ts'

type Security = typeof security

interface SecurityOpenerProps extends ButtonLook {
  opens: keyof Security
  children: string
  /** What the button does, where its word alone does not tell. */
  label?: string
  /** The account is no more. */
  onClosed?: () => void
}

interface Opened {
  onClose: () => void
  onClosed: () => void
}
const nothing = (): void => {}

/** A button that opens a dialog of ./security.ts, which comes when it is first asked for. */
export function SecurityOpener({ opens, children, label, onClosed = nothing, ...look }: SecurityOpenerProps) {
  const { Part, busy, open, close } = useLater(
    () => import('./security/security.ts').then((m): ComponentType<Opened> => m[opens]),
    '没有网络，这项操作需要联网，请联网后再试',
  )
  return (
    <>
      <Button {...look} aria-label={label} busy={busy} onClick={open}>
        {children}
      </Button>
      {Part && <Part onClose={close} onClosed={onClosed} />}
    </>
  )
}
