import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { HomeData } from '#src/contract/home.ts'
import { CoverPicture } from '#src/ui/CoverPicture.tsx'
import common from '#src/ui/common.module.css'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from './Offers.module.css'
import { Part } from './Part.tsx'
import { tileLook } from './tileLook.ts'

const priceLook = clsx(common.strong, common.small, common.figures, common.warm)

export function Books({ books, asOf }: Pick<HomeData, 'books'> & { asOf: string }) {
  return (
    <Part title="图书" to="/store/store_list" asOf={asOf}>
      <ul className={clsx(common.stack, classes.covers)}>
        {books.map(({ no, title, cover, from, stock }) => (
          <li key={no}>
            <Link to="/store/store_detail/$no" params={{ no }} className={clsx(tileLook, classes.book)}>
              <CoverPicture of={cover} className={classes.cover} />
              <strong className={classes.title}>{title}</strong>
              <small className={priceLook}>
                {priceText(from)}
                {stock === 0 && ' · 售罄'}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}

export function Vip({ vip, asOf }: Pick<HomeData, 'vip'> & { asOf: string }) {
  return (
    <Part title="VIP 会员" asOf={asOf}>
      <ul className={clsx(common.stack, classes.cards)}>
        {vip.map(({ no, title, summary, from, open }) => (
          <li key={no}>
            <Link to="/vip/vip_detail/$no" params={{ no }} className={tileLook}>
              <strong>{title}</strong>
              <span className={clsx(common.grow, common.note)}>{summary}</span>
              <b className={priceLook}>{open ? '已开通' : `${priceText(from)} 起`}</b>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}
