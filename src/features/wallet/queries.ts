import { pagesQuery } from '#src/api/pages.ts'
import { myWalletRecord } from '#src/contract/wallet.ts'
import { WHEREVER } from '#src/sale/seen.tsx'

/** @param month YYYY-MM, of Beijing */
export const recordsQuery = (month: string) =>
  pagesQuery(myWalletRecord, (cursor) => ({ month, ...(cursor && { cursor }) }), WHEREVER)
