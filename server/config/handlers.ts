import type { Site } from '#src/contract/config.ts'
import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { readPromise, readSite } from './store.ts'

/** @param defaults what the environment says of the footer. */
export const configHandlers = (db: Db, defaults: Site): Handlers<Contract['config']> => ({
  getSite: () => readSite(db, defaults),
  getPromise: () => readPromise(db),
})
