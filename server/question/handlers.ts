import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { Busy, type Handlers, Ready, Refusal } from '#server/http/handlers.ts'
import { allowed } from '#server/http/limits.ts'
import { statistic } from './statistics.ts'
import { readBlock, readBundle, readLibraries, readOutline, readPack, readSome, readTallies } from './store.ts'

const GONE = '题库不存在或已下架，请返回看看其他题库'
/** A barracks behind one address: a hundred phones that each take a large library within a minute. */
const BUNDLES = { windowMs: 60_000, max: 3_000 }

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
  async stats({ no }) {
    return (await readTallies(db, no)).flatMap((tally) => statistic(tally) ?? [])
  },
  async pack({ no }) {
    const pack = await readPack(db, no)
    if (!pack) throw new Refusal(GONE)
    return pack
  },
  some: async ({ nos }, { uid, now }) => new Ready(await readSome(db, uid, nos, now)),
  async blocks({ list }, { ip, now }) {
    if (!(await allowed(db, { key: `blocks:${ip}`, ...BUNDLES }, now))) throw new Busy()
    return new Ready(await readBundle(db, list))
  },
})
