import { IconChevronRight } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useState } from 'react'
import type { Quote } from '#src/contract/order.ts'
import { AddressBook } from '#src/features/address/AddressBook.tsx'
import classes from '#src/features/order/Order.module.css'
import common from '#src/ui/common.module.css'
import { Dialog } from '#src/ui/dialog/Dialog.tsx'

interface ShipToProps {
  chosen: Quote['address']
  onPick: (id: string) => void
}

/** Where the goods go: one of the student's addresses, chosen in a sheet. */
export function ShipTo({ chosen, onPick }: ShipToProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={clsx(common.card, common.between, classes.shipTo)} onClick={() => setOpen(true)}>
        {chosen ? (
          <span className={common.column}>
            <b>
              {chosen.name} {chosen.mobile}
            </b>
            <small className={common.note}>{chosen.text}</small>
          </span>
        ) : (
          <span className={common.column}>
            <b>填写收货地址</b>
            <small className={common.note}>填写后计算运费</small>
          </span>
        )}
        <IconChevronRight className={common.fixed} size={18} aria-hidden="true" />
      </button>
      {open && (
        <Dialog title="收货地址" sheet onClose={() => setOpen(false)}>
          <AddressBook
            chosen={chosen?.id ?? null}
            onPick={({ id }) => {
              onPick(id)
              setOpen(false)
            }}
          />
        </Dialog>
      )}
    </>
  )
}
