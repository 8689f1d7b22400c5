import { useState } from 'react'
import { Button, type ButtonLook } from '#src/ui/Button.tsx'
import { feedback } from '#src/ui/feedback.ts'
import type * as security from './security.ts'

type Security = typeof security

interface SecurityOpenerProps extends ButtonLook {
  opens: keyof Security
  children: string
  /** What the button does, where its word alone does not tell. */
  label?: string
  /** The account is no more. */
  onClosed?: () => void
}

const nothing = (): void => {}

/** A button that opens a dialog of ./security.ts, which comes when it is first asked for. */
export function SecurityOpener({ opens, children, label, onClosed = nothing, ...look }: SecurityOpenerProps) {
  const [part, setPart] = useState<Security | null>(null)
  const [busy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    // A prevented preload error resolves without a module.
    const loaded = (await import('./security.ts').catch(() => null)) ?? null
    setBusy(false)
    if (loaded) setPart(loaded)
    else await feedback.warn('没有网络，这项操作需要联网，请联网后再试')
  }
  const Opened = part?.[opens]
  return (
    <>
      <Button {...look} aria-label={label} busy={busy} onClick={() => void open()}>
        {children}
      </Button>
      {Opened && <Opened onClose={() => setPart(null)} onClosed={onClosed} />}
    </>
  )
}
