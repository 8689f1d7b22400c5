import { AddressBook } from './AddressBook.tsx'
import classes from './Address.module.css'

/** 收货地址. */
export function AddressPage() {
  return (
    <section className={classes.page} aria-labelledby="my-address">
      <h1 id="my-address">收货地址</h1>
      <AddressBook />
    </section>
  )
}
