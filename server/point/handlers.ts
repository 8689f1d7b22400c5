import type { Contract } from '#src/contract/index.ts'
import type { Db } from '#server/db/open.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { readNames } from './store.ts'

export const pointHandlers = (db: Db): Handlers<Contract['point']> => ({ getNames: () => readNames(db) })
