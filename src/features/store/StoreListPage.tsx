import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import * as v from 'valibot'
import { BOOK_KINDS, type BookHead, BookKind } from '#src/contract/store.ts'
import { BOOK_SORTS, type BookFilter, findBooks } from '#src/domain/money/books.ts'
import { PriceNote } from '#src/sale/checkout/PriceNote.tsx'
import { type Prices, usePrices } from '#src/sale/checkout/usePrices.ts'
import common from '#src/ui/common.module.css'
import { useKeeping, useKept } from '#src/ui/list/entry.ts'
import { Listed } from '#src/ui/list/Listed.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { Select } from '#src/ui/Select.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import { useWords } from '#src/ui/text/useWords.ts'
import listing from '#src/ui/list/Listing.module.css'
import { BookCard } from './parts/BookCard.tsx'
import { bookListQuery } from './queries.ts'
import classes from './Store.module.css'
import { KIND_NAMES } from './texts.ts'

const NONE: BookFilter = { words: '', kind: null, sort: 'default' }
const Filter = v.object({ words: v.string(), kind: v.nullable(BookKind), sort: v.picklist(BOOK_SORTS) })
const SORT_NAMES = {
  default: '综合排序',
  newest: '最新上架',
  best: '销量从高到低',
  cheapest: '价格从低到高',
  dearest: '价格从高到低',
}

/** 图书 of the direction: found on the device, so that filters and words cost no network. */
export function StoreListPage({ onOpen }: { onOpen: (no: string) => void }) {
  const from = useQuery(bookListQuery())
  const [filter, setFilter] = useFilter()
  const prices = usePrices(from.data?.map(({ no }) => no) ?? [])
  const all = soldNow(from.data ?? [], prices)
  return (
    <div className={clsx(listing.page, listing.wide)}>
      <h1 className={listing.pageTitle}>图书</h1>
      {prices.old && <PriceNote of="价格和库存" />}
      {all.length > 0 && <Filters all={all} filter={filter} onFilter={setFilter} />}
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

/** Who comes back from a book finds what they looked for. Not in the address: what reads that is in the first file of all pages. */
function useFilter() {
  const kept = v.safeParse(Filter, useKept('filter'))
  const [filter, setFilter] = useState<BookFilter>(kept.success ? kept.output : NONE)
  useKeeping('filter', () => filter)
  return [filter, setFilter] as const
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
  const { words, onWords } = useWords(filter.words, (next) => onFilter({ ...filter, words: next }))
  const kinds = BOOK_KINDS.filter((kind) => all.some((book) => book.kind === kind))
  return (
    <div className={clsx(common.stack, classes.filters)} role="search">
      <div className={classes.find}>
        <SearchField aria-label="搜索图书" placeholder="搜索书名" defaultValue={words} onWords={onWords} />
        <Select
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
        </Select>
      </div>
      <Chips
        label="图书类别"
        options={[{ value: null, label: '全部' }, ...kinds.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }))]}
        chosen={filter.kind}
        onPick={(kind) => onFilter({ ...filter, kind })}
      />
    </div>
  )
}
