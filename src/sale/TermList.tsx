import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import classes from './Sale.module.css'

interface TermListProps {
  terms: readonly { name: string; value: string }[]
  className?: string | undefined
}

/** A list of facts, each with its name beside it. */
export const TermList = ({ terms, className }: TermListProps) => (
  <dl className={clsx(common.stack, common.figures, classes.terms, className)}>
    {terms.map(({ name, value }) => (
      <div key={name} className={classes.term}>
        <dt className={common.quiet}>{name}</dt>
        <dd className={classes.value}>{value}</dd>
      </div>
    ))}
  </dl>
)
