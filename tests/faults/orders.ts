import type { Fault } from './fault.ts'

export const ordersFaults: Fault[] = [
  {
    breaks: 'An order whose provider stays silent is never cancelled.',
    file: 'server/order/jobs.ts',
    from: `if (!order || (silent.length > 0 && now < order.expires_at + PATIENCE_MS)) return false`,
    to: `if (!order || (silent.length > 0 && now > order.expires_at - PATIENCE_MS)) return false`,
    red: ['tests/server/orderJobs.test.ts > and give back its books, its coupon and its part of the wallet'],
  },
  {
    breaks: 'An order whose provider stays silent holds its books for two days instead of two hours.',
    file: 'server/order/jobs.ts',
    from: `const PATIENCE_MS = 2 * 3_600_000`,
    to: `const PATIENCE_MS = 2 * DAY_MS`,
    red: ['tests/server/orderJobs.test.ts > and give back its books, its coupon and its part of the wallet'],
  },
  {
    breaks:
      'An order whose provider stays silent is given up half an hour too early: the two hours count from when it was made.',
    file: 'server/order/jobs.ts',
    from: `now < order.expires_at + PATIENCE_MS`,
    to: `now < order.created_at + PATIENCE_MS`,
    red: ['tests/server/orderJobs.test.ts > and give back its books, its coupon and its part of the wallet'],
  },
  {
    breaks: 'An order that runs out keeps its coupon for ever.',
    file: 'server/order/fulfil.ts',
    from: `  await returnCoupon(tx, order.uid, order.id)
  const { wallet } = order`,
    to: `  if (event === 'cancel') await returnCoupon(tx, order.uid, order.id)
  const { wallet } = order`,
    red: ['tests/server/orderJobs.test.ts > and give back its books, its coupon and its part of the wallet'],
  },
  {
    breaks: 'An order that runs out keeps its books from other students for ever.',
    file: 'server/order/fulfil.ts',
    from: `  await store.giveStock(tx, store.copiesOf(await store.readLines(tx, order.uid, order.id)))
  await returnCoupon`,
    to: `  if (event === 'cancel') await store.giveStock(tx, store.copiesOf(await store.readLines(tx, order.uid, order.id)))
  await returnCoupon`,
    red: ['tests/server/orderJobs.test.ts > and give back its books, its coupon and its part of the wallet'],
  },
  {
    breaks:
      'What was paid for an order that was given up while its provider was silent is never found out, and never goes back.',
    file: 'server/order/store.ts',
    from: `where o.uid = p.uid and o.id = p.order_id and o.state = 'pending' and o.expires_at <= \${now})`,
    to: `where o.uid = p.uid and o.id = p.order_id and o.expires_at <= \${now})`,
    red: ['tests/server/orderJobs.test.ts > and give back, once it answers, what was paid all the same'],
  },
  {
    breaks:
      'A payment that was begun on a computer is begun again on the phone as the same one, which providers refuse.',
    file: 'server/order/payments.ts',
    from: `(each) => each.state === 'open' && each.provider === method && each.device === payer.device,`,
    to: `(each) => each.state === 'open' && each.provider === method,`,
    red: ['tests/server/order.test.ts > is another one on a phone, and is closed at the provider when that is paid'],
  },
  {
    breaks: 'The code on a computer’s screen stays payable for half an hour after the order was paid on a phone.',
    file: 'server/order/payments.ts',
    from: `if (over || !(await store.isWanted(desk.db, payment))) await close(desk, payment, now)`,
    to: `if (over) await close(desk, payment, now)`,
    red: [
      'tests/server/order.test.ts > is another one on a phone, and is closed at the provider when that is paid',
      'tests/server/order.test.ts > is closed by the job when the provider could not be reached as the order was cancelled',
    ],
  },
  {
    breaks:
      'The code on a computer’s screen is closed only when its turn to be asked about comes, not soon after the order was paid on a phone.',
    file: 'server/order/fulfil.ts',
    from: `  await store.askSoon(tx, order, now)
`,
    to: ``,
    red: ['tests/server/order.test.ts > is another one on a phone, and is closed at the provider when that is paid'],
  },
  {
    breaks: 'The code on a computer’s screen is not closed when the order is paid from the wallet.',
    file: 'server/order/handlers.ts',
    from: `      if (paid.state !== 'pending') await closeOpen(desk, uid, id, now)
`,
    to: ``,
    red: ['tests/server/order.test.ts > is closed at once when the order is paid from the wallet on a phone'],
  },
  {
    breaks: 'An order can be paid from the wallet in the moment when its time is over and the job cancels it.',
    file: 'server/order/payments.ts',
    from: `if (now >= order.expires_at) throw`,
    to: `if (now > order.expires_at) throw`,
    red: ['tests/server/order.test.ts > is not taken from the wallet either from the moment when the order is over'],
  },
  {
    breaks: 'A student can keep books from others with six unpaid orders.',
    file: 'server/order/checkout.ts',
    from: `(await store.countPending(tx, buyer.uid)) >= MOST_PENDING`,
    to: `(await store.countPending(tx, buyer.uid)) > MOST_PENDING`,
    red: ['tests/server/orderList.test.ts > and one that is paid or cancelled makes room for another'],
  },
  {
    breaks: 'Who has bought five things can never order again: orders that are done count as unpaid.',
    file: 'server/order/store.ts',
    from: `    .where('uid', '=', uid)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return count`,
    to: `    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  return count`,
    red: [
      'tests/server/orderList.test.ts > and one that is paid or cancelled makes room for another',
      'tests/server/orderList.test.ts > my orders come in pages, the newest first and each once',
    ],
  },
  {
    breaks: 'Five unpaid orders of anybody keep every student from ordering: the count has no uid.',
    file: 'server/order/store.ts',
    from: `    .where('uid', '=', uid)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return count`,
    to: `    .where('state', '=', uid === '' ? 'paid' : 'pending')
    .executeTakeFirstOrThrow()
  return count`,
    red: ['tests/server/orderList.test.ts > and one that is paid or cancelled makes room for another'],
  },
  {
    breaks: 'Each further page of my orders begins with the last order of the page before.',
    file: 'server/order/store.ts',
    from: `(o.created_at, o.id) < (select`,
    to: `(o.created_at, o.id) <= (select`,
    red: ['tests/server/orderList.test.ts > my orders come in pages, the newest first and each once'],
  },
  {
    breaks: 'Orders that were made at the moment of a page’s last one are on no page.',
    file: 'server/order/store.ts',
    from: `(o.created_at, o.id) < (select c.created_at, c.id from`,
    to: `o.created_at < (select c.created_at from`,
    red: ['tests/server/orderList.test.ts > my orders come in pages, the newest first and each once'],
  },
  {
    breaks: 'A parcel is taken as received as soon as it is sent, and one that is long under way never.',
    file: 'server/order/store.ts',
    from: `.where('shipped_at', '<=', before)`,
    to: `.where('shipped_at', '>=', before)`,
    red: ['tests/server/orderJobs.test.ts > that nobody confirmed is taken as received ten days after it was sent'],
  },
  {
    breaks: 'A parcel that nobody confirmed is taken as received a moment too late.',
    file: 'server/order/store.ts',
    from: `.where('shipped_at', '<=', before)`,
    to: `.where('shipped_at', '<', before)`,
    red: ['tests/server/orderJobs.test.ts > that nobody confirmed is taken as received ten days after it was sent'],
  },
  {
    breaks: 'An order that was taken as received by itself can be given back for ever.',
    file: 'server/order/jobs.ts',
    from: `(await move(tx, order, 'receive', now, { completed_at: now })) !== null`,
    to: `(await move(tx, order, 'receive', now)) !== null`,
    red: ['tests/server/orderJobs.test.ts > that nobody confirmed is taken as received ten days after it was sent'],
  },
  {
    breaks: 'An order whose parcel the student confirmed can be given back for ever.',
    file: 'server/order/handlers.ts',
    from: `await move(tx, order, 'receive', now, { completed_at: now })`,
    to: `await move(tx, order, 'receive', now)`,
    red: ['tests/server/orderJobs.test.ts > that its student confirms goes back for seven days from then'],
  },
  {
    breaks: 'Who orders more copies than are left, in the moment when others buy them, sees an error of the server.',
    file: 'server/order/store.ts',
    from: `.where('stock', '>=', quantity)`,
    to: `.where('stock', '>', 0)`,
    red: ['tests/server/orderRaces.test.ts > of four buyers at once who want two copies of three'],
  },
  {
    breaks: 'A book that was given back is counted as sold twice.',
    file: 'server/order/fulfil.ts',
    from: `await store.countSold(tx, copies, -1)`,
    to: `await store.countSold(tx, copies, 1)`,
    red: ['tests/server/orderGivenBack.test.ts > what was sold is counted as sold no more'],
  },
  {
    breaks: 'Paying the rest of an order from the wallet adds it to the wallet: the signs in the ledger are turned.',
    file: 'server/order/money.ts',
    from: `    entries: { wallet: -order.due, held: order.due },`,
    to: `    entries: { wallet: order.due, held: -order.due },`,
    red: ['tests/server/order.test.ts > is paid from the wallet later, whole or what is left of it'],
  },
  {
    breaks:
      'Who pays from a wallet that has not enough sees an error of the server instead of being told to top it up.',
    file: 'server/order/money.ts',
    from: `if (balance < order.due) throw`,
    to: `if (balance <= 0) throw`,
    red: ['tests/server/order.test.ts > is paid from the wallet later, whole or what is left of it'],
  },
  {
    breaks: 'A coupon can be used twice: it comes back with the money of an order that is given back.',
    file: 'server/order/fulfil.ts',
    from: `  if (restock) await store.giveStock(tx, copies)`,
    to: `  await returnCoupon(tx, order.uid, order.id)
  if (restock) await store.giveStock(tx, copies)`,
    red: ['tests/server/orderGivenBack.test.ts > the money, and not the coupon: that was used'],
  },
  {
    breaks: 'A page asks on for ever about a payment that has ended.',
    file: 'server/order/handlers.ts',
    from: `(await readPayments(db, uid, id)).filter(({ state }) => state === 'open')`,
    to: `await readPayments(db, uid, id)`,
    red: ['tests/server/orderPaying.test.ts > an order says whether a payment of it is open'],
  },
  {
    breaks: 'A payment is closed because its provider was silent.',
    file: 'server/order/payments.ts',
    from: `  if (standing?.state !== 'open') return true
`,
    to: ``,
    red: ['tests/server/orderPaying.test.ts > a top-up of which its provider says nothing is not closed'],
  },
  {
    breaks: 'The provider refuses an order whose title is longer than it takes.',
    file: 'server/order/payments.ts',
    from: `title.length > TITLE_MAX ?`,
    to: `title.length < TITLE_MAX ?`,
    red: ['tests/server/orderPaying.test.ts > by no more than 40 characters'],
  },
  {
    breaks: 'A payment that its provider cannot close yet counts as closed, and is then paid for nothing.',
    file: 'server/order/payments.ts',
    from: `const over = standing.state === 'open' && now >= payment.expires_at + GRACE_MS`,
    to: `const over = standing.state === 'open'`,
    red: ['tests/server/orderPaying.test.ts > a payment that its provider cannot close is given up only when'],
  },
  {
    breaks: 'Two copies of a book that are sold count as one.',
    file: 'server/order/store.ts',
    from: `eb('sold', '+', sign * quantity)`,
    to: `eb('sold', '+', sign / quantity)`,
    red: ['tests/server/orderGivenBack.test.ts > what was sold is counted as sold no more'],
  },
  {
    breaks: 'What two months of VIP come to is told as half a month.',
    file: 'server/order/goods.ts',
    from: '有效期 ${days * quantity} 天',
    to: '有效期 ${days / quantity} 天',
    red: ['tests/server/order.test.ts > of what one has extends it; twice of one duration is twice as long'],
  },
  {
    breaks: 'Whoever asks for a refund a second time, having lost the answer, is refused.',
    file: 'server/order/handlers.ts',
    from: `if (order.state === 'refunding' || (await`,
    to: 'if ((await',
    red: ['tests/server/orderGivenBack.test.ts > after it had declined'],
  },
  {
    breaks: 'A payment that comes after its order was cancelled says that the student had bought the same already.',
    file: 'server/order/payments.ts',
    from: 'const why = owned === null ?',
    to: 'const why = owned !== null ?',
    red: ['tests/server/order.test.ts > for an order that was cancelled goes back'],
  },
]
