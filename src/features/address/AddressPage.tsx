import { clsx } from 'clsx'
import common from '#src/ui/common.module.css'
import { AddressBook } from './AddressBook.tsx'
import classes from './Address.module.css'

/** 收货地址. */
export function AddressPage() {
  return (
    <section className={clsx(common.stack, classes.page)} aria-labelledby="my-address">
      <h1 id="my-address" className={common.title}>
        收货地址
      </h1>
      <AddressBook />
    </section>
  )
}
