import { Link } from '@tanstack/react-router'
import type { HomeData } from '#src/contract/home.ts'
import { priceText } from '#src/ui/list/Badges.tsx'
import classes from './Offers.module.css'
import { Part } from './Part.tsx'

export function Books({ books }: Pick<HomeData, 'books'>) {
  return (
    <Part title="图书" to="/store/store_list">
      <ul className={classes.covers}>
        {books.map(({ no, title, cover, from, stock }) => (
          <li key={no}>
            <Link to="/store/store_detail/$no" params={{ no }} className={classes.book}>
              <img src={cover.src} width={cover.width} height={cover.height} alt="" loading="lazy" decoding="async" />
              <strong>{title}</strong>
              <small data-paid={(from > 0 && stock > 0) || undefined}>
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

export function Vip({ vip }: Pick<HomeData, 'vip'>) {
  return (
    <Part title="VIP 会员">
      <ul className={classes.cards}>
        {vip.map(({ no, title, summary, from, open }) => (
          <li key={no}>
            <Link to="/vip/vip_detail/$no" params={{ no }} className={classes.vip}>
              <strong>{title}</strong>
              <span>{summary}</span>
              <b>{open ? '已开通' : `${priceText(from)} 起`}</b>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  )
}
