import type { BookHead } from '#src/contract/store.ts'
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
    <button type="button" className={classes.card} data-out={book.stock === 0 || undefined} onClick={onOpen}>
      <Picture of={book.cover} alt="" />
      <strong>{book.title}</strong>
      <span className={classes.price}>{priceText(book.from)}</span>
      <span className={classes.facts}>
        {factsOf(book).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    </button>
  )
}
