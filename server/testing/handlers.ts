import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { answerable } from '#server/http/answerable.ts'
import { readPaper, readTesting, readTestings } from './store.ts'

const GONE = '测评不存在或已下架，请返回看看其他测评'

export const testingHandlers = (db: Db): Handlers<Contract['testing']> => ({
  list: (_, { scope }) => readTestings(db, scope),
  async detail({ no }) {
    const testing = await readTesting(db, no)
    if (!testing) throw new Refusal(GONE)
    return testing
  },
  async paper({ no }, { types }) {
    const json = await readPaper(db, no)
    if (json === null) throw new Refusal(GONE)
    return answerable(json, types)
  },
})
