import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { readVipPrices } from '#server/vip/store.ts'
import { readBook, readBookPrices, readBooks } from './store.ts'

export const storeHandlers = (db: Db): Handlers<Contract['store']> => ({
  list: (_, { scope }) => readBooks(db, scope),
  async detail({ no }) {
    const book = await readBook(db, no)
    if (!book) throw new Refusal('图书不存在或已下架，请返回看看其他图书')
    return book
  },
  prices: async ({ nos }) => [...(await readBookPrices(db, nos)), ...(await readVipPrices(db, nos))],
})
