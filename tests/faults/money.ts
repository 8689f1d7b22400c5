import type { Fault } from './fault.ts'

export const moneyFaults: Fault[] = [
  {
    breaks: 'What came to a wallet at the first moment of a month stands in the month before as well.',
    file: 'server/wallet/store.ts',
    from: `e.at >= \${from} and e.at < \${to}`,
    to: `e.at between \${from} and \${to}`,
    red: ['tests/server/wallet.test.ts > has the first and the last moment of a month in Beijing in that month alone'],
  },
  {
    breaks: 'What came to a wallet at the first moment of a month stands in no month.',
    file: 'server/wallet/store.ts',
    from: `e.at >= \${from} and e.at < \${to}`,
    to: `e.at > \${from} and e.at < \${to}`,
    red: ['tests/server/wallet.test.ts > has the first and the last moment of a month in Beijing in that month alone'],
  },
  {
    breaks: 'A wallet’s months begin at eight in the morning in Beijing.',
    file: 'server/wallet/store.ts',
    from: `const day = (at: number) => startOf(dayOf(at + NOON_MS))`,
    to: `const day = (at: number) => startOf(dayOf(at + NOON_MS)) + 8 * 3_600_000`,
    red: ['tests/server/wallet.test.ts > has the first and the last moment of a month in Beijing in that month alone'],
  },
  {
    breaks: 'A wallet’s months begin a day too early.',
    file: 'server/wallet/store.ts',
    from: `startOf(dayOf(at + NOON_MS))`,
    to: `startOf(dayOf(at - NOON_MS))`,
    red: ['tests/server/wallet.test.ts > has the first and the last moment of a month in Beijing in that month alone'],
  },
  {
    breaks: 'A wallet’s December is empty.',
    file: 'server/wallet/store.ts',
    from: `to: day(Date.UTC(year, index, 1))`,
    to: `to: day(Date.UTC(year, index % 12, 1))`,
    red: ['tests/server/wallet.test.ts > has the first and the last moment of a month in Beijing in that month alone'],
  },
  {
    breaks: 'The sums of a month in the wallet are those of all time.',
    file: 'server/wallet/store.ts',
    from: `as went from ledger_entry e where \${own}\``,
    to: `as went from ledger_entry e where e.uid = \${uid} and e.account = 'wallet'\``,
    red: ['tests/server/wallet.test.ts > has the first and the last moment of a month in Beijing in that month alone'],
  },
  {
    breaks: 'Each further page of the wallet begins with the last entry of the page before.',
    file: 'server/wallet/store.ts',
    from: `sql\`e.seq < (select`,
    to: `sql\`e.seq <= (select`,
    red: ['tests/server/wallet.test.ts > is told in pages, of which each sums up all that is asked for'],
  },
  {
    breaks:
      'What a code gives is lost when a refund takes back the same right at that moment: the right is not locked.',
    file: 'server/rights/store.ts',
    from: `    .where('no', '=', no)
    .forUpdate()
    .executeTakeFirst()`,
    to: `    .where('no', '=', no)
    .executeTakeFirst()`,
    red: [
      'tests/server/orderFaults.test.ts > what a code gives while a refund takes back a purchase of the same right',
    ],
  },
  {
    breaks: 'VIP until the exam is not sold on the day of the exam.',
    file: 'server/rights/store.ts',
    from: `day >= dayOf(now) ?`,
    to: `day > dayOf(now) ?`,
    red: ['tests/server/orderGoods.test.ts > VIP until the exam is sold up to the exam day itself'],
  },
  {
    breaks: 'VIP until the exam lasts until the exam day of another student.',
    file: 'server/rights/store.ts',
    from: `where uid = \${uid} and kind = 'setting' and id = 'examDate'`,
    to: `where \${uid} <> '' and kind = 'setting' and id = 'examDate'`,
    red: ['tests/server/orderGoods.test.ts > VIP until the exam is sold up to the exam day itself'],
  },
  {
    breaks: 'VIP until the exam ends in the night before the exam.',
    file: 'server/rights/store.ts',
    from: `? startOf(day + 1) : null`,
    to: `? startOf(day) : null`,
    red: ['tests/server/orderGoods.test.ts > VIP until the exam lasts until that day is over'],
  },
  {
    breaks: 'A code still takes its use and gives a coupon that is over.',
    file: 'server/coupon/handlers.ts',
    from: `code.coupon.until <= by.now`,
    to: `code.coupon.until < by.now`,
    red: ['tests/server/coupon.test.ts > is good until the moment when its coupon is over'],
  },
  {
    breaks: 'A second code of the same coupon is used up and gives nothing.',
    file: 'server/coupon/handlers.ts',
    from: '`${no}_${hash.slice(0, 12)}`',
    to: '`${no}_${by.uid.slice(0, 12)}`',
    red: ['tests/server/coupon.test.ts > gives one more for each other code of the same coupon'],
  },
  {
    breaks: 'When one student closes the account, the unused coupons of all students are gone.',
    file: 'server/coupon/store.ts',
    from: `  await tx.deleteFrom('coupon_owned').where('uid', '=', uid).where('order_id', 'is', null).execute()`,
    to: `  await tx.deleteFrom('coupon_owned').where('id', '<>', uid).where('order_id', 'is', null).execute()`,
    red: ['tests/server/closing.test.ts > takes nothing of another student'],
  },
  {
    breaks: 'The sandbox is there beside a provider that takes money, and everything can be had for nothing.',
    file: 'server/environment.ts',
    from: "  !takesMoney(pay) && (PAY_SANDBOX ?? DEMO) === '1'",
    to: "  (PAY_SANDBOX ?? DEMO) === '1'",
    red: ['tests/server/payEnvironment.test.ts > is not there with Alipay'],
  },
  {
    breaks: 'A wallet that holds money of the sandbox pays with it where money is taken.',
    file: 'server/order/unreal.ts',
    from: '  (await hasUnreal(db, uid)) ? 0 : readBalance(db, uid)',
    to: '  readBalance(db, uid)',
    red: [
      'tests/server/sandboxMoney.test.ts > what was paid at the sandbox buys nothing, goes back to nobody, and is in trouble until it is voided',
    ],
  },
  {
    breaks: 'What was bought from the wallet with money of the sandbox stays when that is voided.',
    file: 'server/order/sandboxMoney.ts',
    from: '    if (recalled >= unreal) break\n',
    to: '    break\n',
    red: ['tests/server/sandboxMoney.test.ts > what was paid with money stays, and so does what it has bought'],
  },
]
