import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { answerable } from '#server/http/answerable.ts'
import { isOpen, readPaper, readSet, readSets } from './store.ts'

const GONE = '题集不存在或已下架，请返回看看其他题集'

export const questionSetHandlers = (db: Db): Handlers<Contract['questionSet']> => ({
  list: (_, { scope, uid, now }) => readSets(db, scope, { uid, now }),
  async detail({ no }, { uid, now }) {
    const set = await readSet(db, no, { uid, now })
    if (!set) throw new Refusal(GONE)
    return set
  },
  async paper({ no, itemNo }, { uid, now, types }) {
    const json = await readPaper(db, no, itemNo, await isOpen(db, { uid, now }, no))
    if (json === null) throw new Refusal(GONE)
    return answerable(json, types)
  },
})
