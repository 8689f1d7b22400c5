import { IconLock } from '@tabler/icons-react'
import type { CourseDetail, PackageDetail } from '#src/contract/course.ts'
import { priceText } from '#src/ui/Badges.tsx'
import { dateText } from '#src/ui/dates.ts'
import listing from '#src/ui/Listing.module.css'
import { daysText } from '../texts.ts'

interface BuyProps {
  of: Pick<CourseDetail | PackageDetail, 'price' | 'vip' | 'days' | 'open' | 'until'>
  /** Lessons that anybody may have. */
  trials: number
}

/** What it costs and for how long, or until when it is one's own. */
export function Buy({ of: { price, vip, days, open, until }, trials }: BuyProps) {
  if (open) return until === null ? null : <p className={listing.facts}>有效期至 {dateText(until)}</p>
  return (
    <p className={listing.lock}>
      <IconLock size={20} aria-hidden="true" />
      <span>
        {priceText(price)}，{daysText(days)}
        {vip && '，VIP 可用'}。购买即将开放
        {trials > 0 ? `，现在可以免费试看 ${trials} 课时，学习进度照常保留。` : '。'}
      </span>
    </p>
  )
}
