import type { Site } from '#src/contract/config.ts'
import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import { type Handlers, Refusal } from '#server/http/handlers.ts'
import { allowed, type Limit } from '#server/http/limits.ts'
import type { Storage } from '#server/outside/storage.ts'
import { prefixOf } from '../bucket/store.ts'
import { readPromise, readSite } from './store.ts'

/** Each page asks once in a quarter of an hour, while it uploads. */
const KEYS: Pick<Limit, 'windowMs' | 'max'> = { windowMs: 3_600_000, max: 60 }

/** @param defaults what the environment says of the footer. */
export const configHandlers = (db: Db, defaults: Site, storage: Storage): Handlers<Contract['config']> => ({
  getSite: () => readSite(db, defaults),
  getPromise: () => readPromise(db),
  async getCosImgSig(_, { uid, now }) {
    if (!(await allowed(db, { key: `upload:${uid}`, ...KEYS }, now))) throw new Refusal('上传过于频繁，请1小时后再试')
    return storage.issue({ uid, prefix: await prefixOf(db, uid) }, now)
  },
})
