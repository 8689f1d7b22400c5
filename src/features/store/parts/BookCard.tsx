import { clsx } from 'clsx'
import type { BookHead } from '#src/contract/store.ts'
import common from '#src/ui/common.module.css'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from '../Store.module.css'
import { factsOf } from '../texts.ts'
import { Picture } from './Picture.tsx'

interface BookCardProps {
  book: Pick<BookHead, 'title' | 'cover' | 'from' | 'stock' | 'sold'>
  onOpen: () => void
}

/** A book among others: cover, price, what is left. */
export function BookCard({ book, onOpen }: BookCardProps) {
  return (
    <button
      type="button"
      className={clsx(common.card, common.column, classes.card)}
      data-out={book.stock === 0 || undefined}
      onClick={onOpen}
    >
      <Picture of={book.cover} alt="" />
      <strong className={classes.name}>{book.title}</strong>
      <span className={clsx(common.strong, common.warm, common.figures, classes.price)}>{priceText(book.from)}</span>
      <span className={clsx(common.wrap, common.caption, common.figures, classes.facts)}>
        {factsOf(book).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    </button>
  )
}
