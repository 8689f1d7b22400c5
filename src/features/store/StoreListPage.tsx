import { useQuery } from '@tanstack/react-query'
import { BOOK_KINDS, type BookHead } from '#src/contract/store.ts'
import { BOOK_SORTS, type BookFilter, findBooks } from '#src/domain/books.ts'
import { PriceNote } from '#src/sale/PriceNote.tsx'
import { type Prices, usePrices } from '#src/sale/usePrices.ts'
import { Listed } from '#src/ui/Listed.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import listing from '#src/ui/Listing.module.css'
import { BookCard } from './parts/BookCard.tsx'
import { bookListQuery } from './queries.ts'
import classes from './Store.module.css'
import { KIND_NAMES } from './texts.ts'

const SORT_NAMES = {
  default: '综合排序',
  newest: '最新上架',
  best: '销量从高到低',
  cheapest: '价格从低到高',
  dearest: '价格从高到低',
}

interface StoreListPageProps {
  filter: BookFilter
  onFilter: (filter: BookFilter) => void
  onOpen: (no: string) => void
}

/** 图书 of the direction: found on the device, so that filters and words cost no network. */
export function StoreListPage({ filter, onFilter, onOpen }: StoreListPageProps) {
  const from = useQuery(bookListQuery())
  const prices = usePrices(from.data?.map(({ no }) => no) ?? [])
  const all = soldNow(from.data ?? [], prices)
  return (
    <div className={listing.page}>
      <h1>图书</h1>
      {prices.old && <PriceNote of="价格和库存" />}
      {all.length > 0 && <Filters all={all} filter={filter} onFilter={onFilter} />}
      <div className={classes.grid}>
        <Listed
          name={JSON.stringify(filter)}
          label="图书"
          from={from}
          rows={findBooks(all, filter)}
          keyOf={({ no }) => no}
        >
          {(book) => <BookCard book={book} onOpen={() => onOpen(book.no)} />}
        </Listed>
      </div>
    </div>
  )
}

/** With the prices of now, where they are known; without what is not sold any more. */
const soldNow = (books: readonly BookHead[], { now }: Prices): readonly BookHead[] =>
  now === null
    ? books
    : books.flatMap((book) => {
        const price = now.get(book.no)
        return price ? [{ ...book, from: price.price, stock: price.stock ?? book.stock }] : []
      })

interface FiltersProps {
  all: readonly BookHead[]
  filter: BookFilter
  onFilter: (filter: BookFilter) => void
}

function Filters({ all, filter, onFilter }: FiltersProps) {
  const kinds = BOOK_KINDS.filter((kind) => all.some((book) => book.kind === kind))
  return (
    <div className={classes.filters} role="search">
      <div className={classes.find}>
        <SearchField
          aria-label="搜索图书"
          placeholder="搜索书名"
          defaultValue={filter.words}
          onWords={(words) => onFilter({ ...filter, words })}
        />
        <select
          aria-label="排序"
          value={filter.sort}
          onChange={({ target }) =>
            onFilter({ ...filter, sort: BOOK_SORTS.find((sort) => sort === target.value) ?? 'default' })
          }
        >
          {BOOK_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORT_NAMES[sort]}
            </option>
          ))}
        </select>
      </div>
      <div className={listing.tabs} role="group" aria-label="图书类别">
        {([null, ...kinds] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={kind === filter.kind}
            onClick={() => onFilter({ ...filter, kind })}
          >
            {kind === null ? '全部' : KIND_NAMES[kind]}
          </button>
        ))}
      </div>
    </div>
  )
}
