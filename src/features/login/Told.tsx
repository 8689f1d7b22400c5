import { failureWords } from '#src/api/errors.ts'
import classes from './LoginDialog.module.css'

/** Why a form came to nothing, in the form itself: what was typed stays before the student's eyes. */
export const Told = ({ error }: { error: Error | null }) =>
  error && (
    <p role="alert" className={classes.told}>
      {failureWords(error)}
    </p>
  )
