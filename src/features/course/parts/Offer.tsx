import type { CourseDetail, PackageDetail } from '#src/contract/course.ts'
import { Buy } from '#src/sale/Buy.tsx'
import { dateText } from '#src/ui/dates.ts'
import listing from '#src/ui/list/Listing.module.css'
import classes from '../Courses.module.css'
import { daysText } from '../texts.ts'

interface OfferProps {
  kind: 'course' | 'package'
  of: Pick<CourseDetail | PackageDetail, 'no' | 'price' | 'vip' | 'days' | 'open' | 'byVip' | 'until' | 'withdrawn'>
  /** Lessons that anybody may have. */
  trials: number
  /** 试看, 试听 */
  trial: string
}

/** Of the place where it is bought, on its page. */
export const OFFER = 'offer'

/** What it costs and for how long, or until when it is one's own. */
export function Offer({
  kind,
  of: { no, price, vip, days, open, byVip, until, withdrawn },
  trials,
  trial,
}: OfferProps) {
  if (open) {
    const facts = [byVip && 'VIP 已解锁', until !== null && `有效期至 ${dateText(until)}`].filter(
      (fact) => fact !== false,
    )
    return facts.length === 0 ? null : <p className={listing.facts}>{facts.join('，')}</p>
  }
  if (withdrawn)
    return (
      <p id={OFFER} className={listing.lock}>
        已下架，{price > 0 ? '购买' : '学习'}过的照常学习。
      </p>
    )
  return (
    <div className={classes.apart} id={OFFER}>
      <Buy
        label="价格"
        product={{ kind, no, quantity: 1, variant: null }}
        sum={price}
        without={`${daysText(days)}${vip ? '，VIP 可用' : ''}`}
        also={trials > 0 ? `现在可以免费${trial} ${trials} 课时，学习进度照常保留。` : ''}
      />
    </div>
  )
}
