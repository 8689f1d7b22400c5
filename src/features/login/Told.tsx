import { clsx } from 'clsx'
import { failureWords, refusalWords } from '#src/api/errors.ts'
import { useWarning } from '#src/ui/feedback/useWarning.ts'
import common from '#src/ui/common.module.css'
import classes from './LoginDialog.module.css'

/** Why a form came to nothing: in the dialog of spec.md §8 where the server said so, and in the form itself, where it is mended. */
export function Told({ error }: { error: Error | null }) {
  useWarning(refusalWords(error))
  return (
    error && (
      <p role="alert" className={clsx(common.wrong, classes.told)}>
        {failureWords(error)}
      </p>
    )
  )
}
