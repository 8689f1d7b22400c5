import { failureWords, refusalWords } from '#src/api/errors.ts'
import { useWarning } from '#src/ui/feedback/useWarning.ts'
import classes from './LoginDialog.module.css'

/** Why a form came to nothing: in the dialog of spec.md §8 where the server said so, and in the form itself, where it is mended. */
export function Told({ error }: { error: Error | null }) {
  useWarning(refusalWords(error))
  return (
    error && (
      <p role="alert" className={classes.told}>
        {failureWords(error)}
      </p>
    )
  )
}
