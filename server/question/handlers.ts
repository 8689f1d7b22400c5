import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Ready, Refusal } from '#server/http/handlers.ts'
import { readBlock, readLibraries, readOutline } from './store.ts'

const GONE = '题库不存在或已下架'

export const questionHandlers = (db: Db): Handlers<Contract['question']> => ({
  libraryList: (_, { scope }) => readLibraries(db, scope),
  async chapter({ no }) {
    const outline = await readOutline(db, no)
    if (!outline) throw new Refusal(GONE)
    return outline
  },
  async block({ no, at }) {
    const json = await readBlock(db, no, at)
    if (json === null) throw new Refusal(GONE)
    return new Ready(json)
  },
})
