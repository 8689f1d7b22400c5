import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { BookDetail, BookVariant } from '#src/contract/store.ts'
import { quantityOf } from '#src/domain/money/books.ts'
import { Bar } from '#src/sale/checkout/Bar.tsx'
import { Buy } from '#src/sale/Buy.tsx'
import { PriceNote } from '#src/sale/checkout/PriceNote.tsx'
import { Stepper } from '#src/sale/checkout/Stepper.tsx'
import { TermList } from '#src/sale/TermList.tsx'
import { type Prices, usePrices } from '#src/sale/checkout/usePrices.ts'
import { BackButton } from '#src/ui/BackButton.tsx'
import { priceText } from '#src/ui/list/Badges.tsx'
import { Choices } from '#src/ui/Choices.tsx'
import common from '#src/ui/common.module.css'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import listing from '#src/ui/list/Listing.module.css'
import { RichText } from '#src/ui/text/RichText.tsx'
import { Skeleton } from '#src/ui/list/Skeleton.tsx'
import { Gallery } from './parts/Gallery.tsx'
import { bookQuery } from './queries.ts'
import classes from './Store.module.css'
import { FEW, givesText, KIND_NAMES, SOLD_OUT, stockText } from './texts.ts'

interface StoreDetailPageProps {
  no: string
  onLeave: () => void
}

/** A book: its pictures, what is in it, and what it costs in which variant. */
export function StoreDetailPage({ no, onLeave }: StoreDetailPageProps) {
  const { data: book, error, isPending, refetch } = useQuery(bookQuery(no))
  const prices = usePrices(book?.variants.map((variant) => variant.no) ?? [])
  if (isPending) return <Skeleton />
  if (!book) return <ErrorCard error={error} onRetry={() => void refetch()} onLeave={onLeave} />
  return (
    <div className={listing.page}>
      <BackButton onClick={onLeave}>全部图书</BackButton>
      <div className={clsx(common.stack, classes.book)}>
        <Gallery title={book.title} pictures={book.pictures} />
        <div className={classes.choose}>
          <span className={listing.badges}>
            <span className={listing.badge}>{KIND_NAMES[book.kind]}</span>
          </span>
          <h1 className={clsx(listing.pageTitle, classes.title)}>{book.title}</h1>
          <p className={clsx(listing.facts, classes.lead)}>
            <span>{book.author}</span>
            <span>已售 {book.sold}</span>
          </p>
          {prices.old && <PriceNote of="价格和库存" />}
          <Choice no={no} variants={book.variants.flatMap((variant) => variantNow(variant, prices))} />
        </div>
        <About book={book} />
      </div>
    </div>
  )
}

/** As it is sold now, where that is known; nothing when it is not sold any more. */
function variantNow(variant: BookVariant, { now }: Prices): BookVariant[] {
  if (now === null) return [variant]
  const price = now.get(variant.no)
  return price ? [{ ...variant, price: price.price, stock: price.stock ?? variant.stock }] : []
}

/** Why the chosen one cannot be bought, and what can be done; null: it can. */
function whyShut(variants: readonly BookVariant[], chosen: BookVariant) {
  if (chosen.stock > 0) return null
  const why = variants.every(({ stock }) => stock === 0)
    ? '这本书的全部规格都已售罄，补货后可以购买。'
    : `“${chosen.name}”已售罄，补货后可以购买；其他规格还有货。`
  return { label: SOLD_OUT, why }
}

function Choice({ no, variants }: { no: string; variants: readonly BookVariant[] }) {
  const [picked, setPicked] = useState<string | null>(null)
  const [wanted, setWanted] = useState(1)
  const chosen = variants.find((each) => each.no === picked) ?? variants.find(({ stock }) => stock > 0) ?? variants[0]
  if (!chosen) return <p className={listing.lock}>这本书已下架，不再出售。</p>
  // Another variant, or a sale meanwhile, may leave fewer than were asked for.
  const quantity = quantityOf(wanted, chosen.stock)
  return (
    <>
      <p className={clsx(common.wrap, common.quiet, common.figures, classes.now, classes.lead)}>
        <b className={clsx(common.warm, classes.sum)}>{priceText(chosen.price)}</b>
        <span>
          {chosen.name}：{stockText(chosen.stock)}
        </span>
      </p>
      <Choices
        title="规格"
        options={variants.map((each) => ({
          value: each.no,
          label: each.name,
          note: `${priceText(each.price)}${each.stock <= FEW ? ` · ${stockText(each.stock)}` : ''}`,
        }))}
        chosen={[chosen.no]}
        onPick={setPicked}
      />
      {chosen.gives && (
        <p className={clsx(common.small, common.accent, classes.gives, classes.lead)}>{givesText(chosen.gives)}</p>
      )}
      <Stepper key={chosen.no} quantity={quantity} stock={chosen.stock} onQuantity={setWanted} />
      <Buy
        Frame={Bar}
        product={{ kind: 'book', no, quantity, variant: chosen.no }}
        sum={chosen.price * quantity}
        without="不含运费，运费按地址和重量另计"
        shut={whyShut(variants, chosen)}
      />
    </>
  )
}

function About({ book: { intro, details } }: { book: BookDetail }) {
  return (
    <section className={classes.about} aria-labelledby="about-book">
      <h2 id="about-book" className={clsx(common.heading, classes.heading)}>
        图书介绍
      </h2>
      <RichText html={intro} />
      {details.length > 0 && <TermList className={clsx(common.sunken, classes.details)} terms={details} />}
    </section>
  )
}
