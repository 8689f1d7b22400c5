import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { agreementQuery } from '#src/api/consents.ts'
import type { AgreementKind } from '#src/contract/agreement.ts'
import { AGREEMENT_NAMES } from '#src/domain/app/agreements.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import common from '#src/ui/common.module.css'
import classes from '../LoginDialog.module.css'

interface AgreeBoxProps {
  agreed: boolean
  fault: string | undefined
  onChange: (agreed: boolean) => void
}

/** Nothing is ticked for the student. */
export function AgreeBox({ agreed, fault, onChange }: AgreeBoxProps) {
  return (
    <Checkbox
      checked={agreed}
      aria-invalid={fault !== undefined || undefined}
      onChange={(event) => onChange(event.currentTarget.checked)}
    >
      <span className={clsx(common.small, fault !== undefined && common.wrong)}>
        我已阅读并同意
        <Text kind="user" />
        <Text kind="privacy" />
      </span>
    </Checkbox>
  )
}

/** A new page leaves what is typed where it is; the text comes with the dialog, so that its version is known. */
function Text({ kind }: { kind: AgreementKind }) {
  useQuery(agreementQuery(kind))
  return (
    <a href={`/agreement/${kind}`} target="_blank" rel="noopener" className={classes.text}>
      《{AGREEMENT_NAMES[kind]}》
    </a>
  )
}
