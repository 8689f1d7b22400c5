import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { CouponState } from '#src/contract/coupon.ts'
import { SeenNote, useSeen } from '#src/sale/seen.tsx'
import common from '#src/ui/common.module.css'
import { Empty } from '#src/ui/Empty.tsx'
import { ErrorCard } from '#src/ui/ErrorCard.tsx'
import { Chips } from '#src/ui/list/Chips.tsx'
import { Listed } from '#src/ui/list/Listed.tsx'
import classes from './Coupon.module.css'
import { CouponCard } from './CouponCard.tsx'
import { couponsQuery } from '#src/sale/queries.ts'
import { RedeemForm } from './RedeemForm.tsx'
import { TABS } from './texts.ts'

/** 我的优惠券: by what can be done with them, and where a code becomes one. */
export function CouponPage() {
  const [tab, setTab] = useState<CouponState>('usable')
  const coupons = useQuery(couponsQuery())
  const seen = useSeen(coupons)
  const all = seen.data?.coupons ?? []
  const empty = TABS.find(({ state }) => state === tab)?.none
  return (
    <div className={clsx(common.stack, classes.page)}>
      <h1 className={common.title}>我的优惠券</h1>
      <SeenNote seen={seen} acts="兑换" />
      <RedeemForm hold={seen.hold} onRedeemed={() => setTab('usable')} />
      <Chips
        label="优惠券状态"
        options={TABS.map(({ state, name }) => ({
          value: state,
          label: seen.data ? (
            <>
              {name}
              <small> {all.filter((each) => each.state === state).length}</small>
            </>
          ) : (
            name
          ),
        }))}
        chosen={tab}
        onPick={setTab}
      />
      {seen.data || coupons.isPending ? (
        <Listed
          name={tab}
          label="优惠券"
          from={{ ...coupons, data: seen.data }}
          rows={all.filter(({ state }) => state === tab)}
          keyOf={({ id }) => id}
          empty={
            <Empty of="coupon">
              <p>{empty}</p>
            </Empty>
          }
        >
          {(each) => <CouponCard coupon={each} />}
        </Listed>
      ) : (
        <ErrorCard error={coupons.error} onRetry={() => void coupons.refetch()} away="优惠券需要联网查看" />
      )}
    </div>
  )
}
